/** How an ERP imports journal entries, one line per posting: data, so that another ERP needs no code. */
import type { AnswerForm } from "./erp-answer.ts";
import type { Day } from "./instant.ts";
import type { Party } from "./party.ts";
import type { SingleByteEncoding } from "./text-encoding.ts";

/** The fields that a cell's template may contain, in braces: "{narration} {documentNumber}". */
export const LEDGER_FIELDS = [
  /**
   * Fields of the entry. documentNumber: "000042-0007"; entryId: unique for ever; externalId: without punctuation.
   */
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
  /** payout-settle, deposit-receipt, ...; for a reversal, the id of the entry that it reverses. */
  "entryKind",
  "reversalOf",
  /** The rate of the conversion: the units of rateTo for one of rateFrom. */
  "rate",
  "rateFrom",
  "rateTo",
  /** The number of the export batch: "000042". */
  "exportNumber",
  /** The functional currency of debit, credit and amount (debit positive). */
  "currency",
  /** Fields of the line; lineNumber counts within the entry, fileLine within the file. */
  "lineNumber",
  "fileLine",
  "accountCode",
  "accountName",
  "debit",
  "credit",
  "amount",
  /** The amount without sign, and the letter of its side in `sides`. */
  "unsigned",
  "side",
  /** The account of the other side, if a row is a pair of a debit and a credit. */
  "counterCode",
  "counterName",
  /** The party that `parties` gives for the account. */
  "party",
  "partyType",
  "memo",
  "project",
  "distribution",
  /** The further dimensions of the line: "costCenter=CC1; region=EU". Each alone is {dimension.costCenter}. */
  "allDimensions",
  /** For Odoo: 100% to the project and, in another plan, to the distribution, as JSON. */
  "analyticDistribution",
  "quantity",
  "quantityCurrency",
] as const;

export type LedgerField = (typeof LEDGER_FIELDS)[number];

/** A dimension of the chart, by its name. */
export type DimensionField = `dimension.${string}`;

/**
 * Whether a text may stand in braces: a field, or several with a bar between them. The first one that the line has
 * is used.
 */
export function isTemplateField(text: string): boolean {
  return text
    .split("|")
    .every((name) => LEDGER_FIELDS.some((field) => field === name) || isDimensionField(name));
}

export function isDimensionField(name: string): name is DimensionField {
  return /^dimension\.[A-Za-z][A-Za-z0-9_-]*$/.test(name);
}

/** Fields for the lines before the header; days as 20261101, createdAt as 20261121023000000. */
export const FILE_FIELDS = [
  "exportNumber",
  "currency",
  "createdAt",
  /** The first and last day of the month of its first entry, and the first day of that month's fiscal year. */
  "firstDay",
  "lastDay",
  "fiscalYearDay",
] as const;

export interface LedgerColumn {
  readonly header: string;
  /** Text with fields in braces; `{dimension.class|project}` gives the first that the line has. */
  readonly value: string;
  /** The template for an entry's second and later lines; default: `value`. */
  readonly next?: string | undefined;
  /** If the line lacks this field (or these, as in braces), the cell has `otherwise`, or is empty. */
  readonly when?: string | undefined;
  readonly otherwise?: string | undefined;
  /** In characters. Longer sentences are cut; a longer code or id stops the export. */
  readonly lengthMax?: number | undefined;
  /** The characters that the program accepts, as in a regular expression between brackets; others become dashes. */
  readonly characters?: string | undefined;
  /**
   * A regular expression that the whole cell must match, unless it is empty, because the program refuses others.
   */
  readonly form?: string | undefined;
  /** In quotes, even if it is empty. */
  readonly isQuoted?: boolean | undefined;
  /** Written so that a spreadsheet program does not turn it into a number or a day. */
  readonly staysText?: boolean | undefined;
}

/** `utf-8-bom`: with a byte order mark, for programs that would otherwise guess. */
type LedgerEncoding = "utf-8" | "utf-8-bom" | SingleByteEncoding;

export interface LedgerTable {
  /** The end of the file name: "000042-xero.csv". */
  readonly name: string;
  /** A text table, a workbook with sums as formulas, or a journal for beancount, which has no columns. */
  readonly kind?: "table" | "workbook" | "beancount" | undefined;
  /** Lines before the header, with fields of the file in braces. */
  readonly before?: readonly string[] | undefined;
  /** A row for each posting, or for each pair of a debit and a credit. */
  readonly rows?: "postings" | "pairs" | undefined;
  /** Each month begins a new file. */
  readonly filePer?: "month" | undefined;
  /** "07-01"; default: the year's first day. */
  readonly fiscalYearStart?: string | undefined;
  readonly sides?: { readonly debit: string; readonly credit: string } | undefined;
  /** This ERP's accounts, by their code in the chart; other accounts keep the chart's names. */
  readonly accounts?: Readonly<Record<string, string>> | undefined;
  /** The party of an account's lines, by the account's code. */
  readonly parties?: Readonly<Record<string, Party>> | undefined;
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
  /** How the ERP's answers are read; absent: it gives none, and Paydrop does not wait for any. */
  readonly answers?: AnswerForm | undefined;
  /** Who has imported a file of this form, in their own words; absent: no one that we know of. */
  readonly confirmedBy?: string | undefined;
  /** Entries booked on earlier days are not exported, because the ERP has them from elsewhere. */
  readonly since?: Day | undefined;
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

/** The number of an export batch as files and people use it: "000042". */
export function exportNumberText(number: number): string {
  return String(number).padStart(6, "0");
}

/** The targets whose ERP is configured to answer. */
export function answeringTargets(exports: readonly LedgerTable[]): readonly string[] {
  return exports.filter(({ answers }) => answers !== undefined).map(({ name }) => name);
}

/** What a column's `form` allows: the whole cell. */
export function wholeForm(form: string): RegExp {
  return new RegExp(`^(?:${form})$`, "u");
}
