/** How an ERP imports journal entries, one line per posting: data, so that another ERP needs no code. */
import type { SingleByteEncoding } from "./text-encoding.ts";

/** The fields that a cell's template may contain, in braces: "{narration} {documentNumber}". */
export const LEDGER_FIELDS = [
  /** Of the entry. documentNumber: "000042-0007"; entryId: unique for ever; externalId: without punctuation. */
  "documentNumber",
  "entryId",
  "externalId",
  "bookDay",
  "documentDay",
  "narration",
  "reference",
  "orderId",
  "sourceId",
  "txHash",
  "lineCount",
  /** The functional currency, in which debit, credit and amount (debit positive) are. */
  "currency",
  /** Fields of the line; lineNumber counts within the entry, fileLine within the file. */
  "lineNumber",
  "fileLine",
  "accountCode",
  "accountName",
  "debit",
  "credit",
  "amount",
  "memo",
  "project",
  "distribution",
  /** For Odoo: 100% to the project and, in another plan, to the distribution, as JSON. */
  "analyticDistribution",
  "quantity",
  "quantityCurrency",
] as const;

export type LedgerField = (typeof LEDGER_FIELDS)[number];

export interface LedgerColumn {
  readonly header: string;
  /** Text with fields in braces. */
  readonly value: string;
  /** The template for an entry's second and later lines; default: `value`. */
  readonly next?: string | undefined;
  /** If the line lacks this field, the cell has `otherwise`, or is empty. */
  readonly when?: LedgerField | undefined;
  readonly otherwise?: string | undefined;
  /** In characters. Longer sentences are cut; a longer code or id stops the export. */
  readonly lengthMax?: number | undefined;
}

/** `utf-8-bom`: with a byte order mark, for programs that would otherwise guess. */
export type LedgerEncoding = "utf-8" | "utf-8-bom" | SingleByteEncoding;

export interface LedgerTable {
  /** The end of the file name: "000042-xero.csv". */
  readonly name: string;
  readonly extension: string;
  readonly columns: readonly LedgerColumn[];
  /** First cell: the kind of line (an entry's first, a later one, a closing one), in the header after "!". */
  readonly keywords?: { readonly first: string; readonly next: string; readonly end: string } | undefined;
  readonly delimiter: string;
  readonly encoding: LedgerEncoding;
  /** The date format, with yyyy, yy, mm and dd: "dd/mm/yyyy". */
  readonly days: string;
  readonly decimalMark: "." | ",";
  /** Maximum number of posting lines per file; entries are never split. */
  readonly linesMax?: number | undefined;
}

/** Parses a template into texts and field names. */
export function templateParts(template: string): { readonly text?: string; readonly field?: string }[] {
  return template
    .split(/(\{[^{}]*\})/)
    .filter((part) => part !== "")
    .map((part) =>
      part.startsWith("{") && part.endsWith("}") ? { field: part.slice(1, -1) } : { text: part },
    );
}
