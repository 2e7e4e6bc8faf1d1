/** How an ERP wants journal entries as a table, one line per posting: data, so that another ERP is another value and no code. */

/** What a cell may be made of, in braces within its template: "{narration} {documentNumber}". */
export const LEDGER_FIELDS = [
  /** Of the entry. documentNumber: "000042-0007", export batch and place in it; entryId: unique for ever; externalId: the same without marks. */
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
  /** The functional currency's code: all of debit, credit and amount (debit positive) are in it. */
  "currency",
  /** Of the line; lineNumber counts within its entry, fileLine within the file. */
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
  /** Odoo's: the project's whole share, as JSON. */
  "analyticDistribution",
  "quantity",
  "quantityCurrency",
] as const;

export type LedgerField = (typeof LEDGER_FIELDS)[number];

export interface LedgerColumn {
  readonly header: string;
  /** Text with fields in braces. */
  readonly value: string;
  /** The same for an entry's second and later lines; absent: `value` for all of them. */
  readonly next?: string | undefined;
  /** The cell stays empty where the line has not this field. */
  readonly when?: LedgerField | undefined;
  /** In characters. Sentences are shortened to it; a code or an id that is longer stops the export. */
  readonly lengthMax?: number | undefined;
}

export interface LedgerTable {
  /** Ends the file's name: "000042-xero.csv". */
  readonly name: string;
  readonly extension: string;
  readonly columns: readonly LedgerColumn[];
  /** A cell before all others says what a line is: of an entry the first, a later one, or the line that ends it. With a "!", of the head. */
  readonly keywords?: { readonly first: string; readonly next: string; readonly end: string } | undefined;
  readonly delimiter: string;
  /** "dd/mm/yyyy" and the like: yyyy, yy, mm and dd stand for their digits. */
  readonly days: string;
  readonly decimalMark: "." | ",";
  /** Lines of postings in one file; no entry is cut in two. */
  readonly linesMax?: number | undefined;
}

/** The parts of a template: texts, and fields by their names. */
export function templateParts(template: string): { readonly text?: string; readonly field?: string }[] {
  return template
    .split(/(\{[^{}]*\})/)
    .filter((part) => part !== "")
    .map((part) =>
      part.startsWith("{") && part.endsWith("}") ? { field: part.slice(1, -1) } : { text: part },
    );
}
