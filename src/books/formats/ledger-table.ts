/** The journal as an ERP's import table. The table's form is data (model/ledger-table.ts); this code knows no ERP. */
import { stringify } from "csv-stringify/sync";
import { type JournalFormat, oneLine, quantityText } from "../../exports/cell-text.ts";
import { unwritableIn } from "../../exports/encoder.ts";
import { Fault, isProblem, type Problem, problem } from "../../faults/index.ts";
import {
  BYTE_ORDER_MARK,
  guardFormula,
  type JournalEntry,
  type JournalLine,
  type LedgerColumn,
  type LedgerField,
  type LedgerTable,
  type TextEncoding,
  templateParts,
} from "../../model/index.ts";
import type { Decimal } from "../../money/index.ts";
import { checkBalance } from "../rules/journal-entries.ts";
import type { Piece, Rendering } from "./rendering.ts";

/**
 * Several files if one may have only so many lines. `exportNumber` begins the document numbers. Throws
 * LEDGER_CELL_TOO_LONG, LEDGER_CELL_UNWRITABLE or LEDGER_ENTRY_TOO_LONG for an entry that the table cannot hold.
 */
export function ledgerTable(table: LedgerTable, exportNumber: string, format: JournalFormat): Rendering {
  const { name, extension, delimiter, keywords, linesMax } = table;
  const hasMark = table.encoding === "utf-8-bom";
  const rowsOf = entryWriter(table, format);
  const headers = table.columns.map(({ header }) => header);
  const head = keywords
    ? [[`!${keywords.first}`, ...headers], [`!${keywords.next}`, ...headers], [`!${keywords.end}`]]
    : [headers];
  /** So far: entries, files, and posting lines in the last file. */
  let entriesSoFar = 0;
  let files = 1;
  let fileLines = 0;
  const piece = (rows: readonly (readonly string[])[], isHead: boolean): Piece => {
    const part = files === 1 ? "" : `.${files}`;
    const text = stringify([...rows], { delimiter, record_delimiter: "windows" });
    return { name: `${name}${part}.${extension}`, text: (hasMark && isHead ? BYTE_ORDER_MARK : "") + text };
  };
  return {
    encoding: encodingOf(table),
    begin: () => [piece(head, true)],
    add: (entries) => {
      const full: Piece[] = [];
      let rows: (readonly string[])[] = [];
      let isHead = false;
      for (const entry of entries) {
        checkBalance(entry);
        entriesSoFar += 1;
        const { length } = linesFor(table, entry);
        if (fileLines > 0 && linesMax !== undefined && fileLines + length > linesMax) {
          full.push(piece(rows, isHead));
          files += 1;
          fileLines = 0;
          rows = [...head];
          isHead = true;
        }
        const documentNumber = `${exportNumber}-${String(entriesSoFar).padStart(4, "0")}`;
        const written = rowsOf(entry, documentNumber, fileLines);
        if (isProblem(written)) throw new Fault(written);
        rows.push(...written);
        fileLines += length;
      }
      return [...full, piece(rows, isHead)];
    },
  };
}

/** Why one of the tables cannot hold an entry. `everyLetter`: also if a project or distribution would get a question mark. */
export function unfittingIn(
  tables: readonly LedgerTable[],
  format: JournalFormat,
  everyLetter = false,
): (entry: JournalEntry) => Problem | undefined {
  const writers = tables.map((table) => entryWriter(table, format, everyLetter ? LOOKED_UP : ACCOUNTS));
  return (entry) => writers.map((rowsOf) => rowsOf(entry, "000000-0000", 0)).find(isProblem);
}

type EntryWriter = (entry: JournalEntry, documentNumber: string, linesBefore: number) => string[][] | Problem;

/** Writes the rows of an entry. `exact`: the fields that the encoding must be able to write. */
function entryWriter(table: LedgerTable, format: JournalFormat, exact = ACCOUNTS): EntryWriter {
  const { name, keywords, linesMax = Number.POSITIVE_INFINITY } = table;
  const columns = table.columns.map(withParts);
  const unwritable = unwritableIn(encodingOf(table));
  return (whole, documentNumber, linesBefore) => {
    const entry = { ...whole, lines: linesFor(table, whole) };
    const { length } = entry.lines;
    if (length > linesMax) return problem("LEDGER_ENTRY_TOO_LONG", { lines: length, name, linesMax });
    const rows = entry.lines.map((line, index) => {
      const place = { lineNumber: String(index + 1), fileLine: String(linesBefore + index + 1) };
      const texts = { ...textsOf(entry, line, format), documentNumber, ...place };
      const isFirst = index === 0;
      const cells = columns.map((column) => cellOf(column, { table, texts, isFirst, unwritable, exact }));
      return keywords ? [isFirst ? keywords.first : keywords.next, ...cells] : cells;
    });
    const wrong = rows.flat().find(isProblem);
    if (wrong !== undefined) return wrong;
    return (keywords && length > 0 ? [...rows, [keywords.end]] : rows) as string[][];
  };
}

function encodingOf({ encoding }: LedgerTable): TextEncoding {
  return encoding === "utf-8-bom" ? "utf-8" : encoding;
}

/**
 * The lines of an entry that an ERP accepts. A line that rounds to nothing would have neither debit nor credit and stop
 * the whole import, so it is left out unless the table has quantities.
 */
function linesFor({ columns }: LedgerTable, { lines }: JournalEntry): readonly JournalLine[] {
  const hasQuantities = columns.some(({ value, next = "" }) => `${value}${next}`.includes("{quantity}"));
  return hasQuantities ? lines : lines.filter((line) => !(line.debit ?? line.credit)?.isZero());
}

/** Written with the table's decimal mark; days are written in its form. */
const AMOUNTS: ReadonlySet<string> = new Set<LedgerField>(["debit", "credit", "amount", "quantity"]);
const DAYS: ReadonlySet<string> = new Set<LedgerField>(["bookDay", "documentDay"]);
/** Generated here from digits and dashes, or configured by the company: they cannot contain a formula from outside. */
const OURS: ReadonlySet<string> = new Set<LedgerField>([
  "documentNumber",
  "lineCount",
  "lineNumber",
  "fileLine",
  "currency",
]);
/** May be cut to a column's width, because nothing is looked up or booked by them. */
const SENTENCES: ReadonlySet<string> = new Set<LedgerField>(["narration", "memo", "reference"]);

/** Without a letter that the encoding lacks it would be another account; other texts get a question mark. */
const ACCOUNTS: ReadonlySet<string> = new Set<LedgerField>(["accountCode", "accountName"]);
const LOOKED_UP: ReadonlySet<string> = new Set([...ACCOUNTS, "project", "distribution"]);

type Texts = Readonly<Record<LedgerField, string>>;

function textsOf(
  entry: JournalEntry,
  line: JournalLine,
  { functionalCurrency, scales }: JournalFormat,
): Omit<Texts, "documentNumber" | "lineNumber" | "fileLine"> {
  const { debit, credit, quantity } = line;
  // Suspense lines have unmapped dimensions, which an ERP would refuse to import.
  const ifMapped = (text = "") => (line.accountKey === "suspense" ? "" : oneLine(text));
  const [project, distribution] = [ifMapped(line.project), ifMapped(line.distribution)];
  const analytic = [project, distribution].filter((id) => id !== "").map((id) => [id, 100]);
  const plain = (value: Decimal | undefined) => value?.toString() ?? "";
  return {
    entryId: entry.entryId,
    externalId: withoutMarks(entry.entryId),
    bookDay: entry.bookDay,
    documentDay: entry.documentDay,
    narration: oneLine(entry.narration),
    reference: oneLine(entry.reference ?? ""),
    orderId: oneLine(entry.orderId ?? ""),
    sourceId: oneLine(entry.sourceId),
    txHash: oneLine(entry.txHash ?? ""),
    lineCount: String(entry.lines.length),
    currency: functionalCurrency,
    accountCode: oneLine(line.account.code),
    accountName: oneLine(line.account.name),
    debit: plain(debit),
    credit: plain(credit),
    amount: plain(debit ?? credit?.negated()),
    memo: oneLine(line.memo),
    project,
    distribution,
    analyticDistribution: analytic.length === 0 ? "" : JSON.stringify(Object.fromEntries(analytic)),
    quantity: quantity === undefined ? "" : quantityText(quantity, scales),
    quantityCurrency: quantity?.currency ?? "",
  };
}

/** Only letters, digits, dashes and underscores, and different for different ids: "payout__0001__settle__1". */
function withoutMarks(id: string): string {
  return id.replace(/[^A-Za-z0-9-]/g, (mark) =>
    mark === ":" ? "__" : `_${mark.codePointAt(0)?.toString(16)}_`,
  );
}

type Parts = ReturnType<typeof templateParts>;

/** A column with its templates parsed, once for all lines. */
interface ReadColumn extends LedgerColumn {
  readonly first: Parts;
  readonly others: Parts;
  readonly lacking: Parts;
}

function withParts(column: LedgerColumn): ReadColumn {
  const { value, next = value, otherwise = "" } = column;
  return {
    ...column,
    first: templateParts(value),
    others: templateParts(next),
    lacking: templateParts(otherwise),
  };
}

interface Place {
  readonly table: LedgerTable;
  readonly texts: Texts;
  readonly isFirst: boolean;
  readonly unwritable: ReturnType<typeof unwritableIn>;
  readonly exact: ReadonlySet<string>;
}

/** Cells without text from outside are not guarded: "-1.00" and "-1.00 EUR" stay as they are. */
function cellOf(
  { header, first, others, lacking, when, lengthMax }: ReadColumn,
  place: Place,
): string | Problem {
  const { table, texts, isFirst, unwritable, exact } = place;
  const whole = isFirst ? first : others;
  const parts = (when !== undefined && texts[when] === "" ? lacking : whole).map(({ text, field }) => ({
    field,
    text: field === undefined ? (text ?? "") : written(field as LedgerField, texts, table),
  }));
  const where = { name: table.name, column: header };
  for (const { field = "", text } of parts) {
    const character = exact.has(field) ? unwritable(text) : undefined;
    if (character !== undefined)
      return problem("LEDGER_CELL_UNWRITABLE", { ...where, text, character, encoding: table.encoding });
  }
  const isOurs = parts.every(
    ({ field }) => field === undefined || AMOUNTS.has(field) || DAYS.has(field) || OURS.has(field),
  );
  const harmless = (text: string) => (isOurs ? text : guardFormula(text));
  const joined = () =>
    harmless(
      parts
        .map(({ text }) => text)
        .join("")
        .trim(),
    );
  if (lengthMax === undefined) return joined();
  const sentences = parts.filter(({ field = "", text }) => SENTENCES.has(field) && text.length > 1);
  for (const sentence of sentences.toSorted((a, b) => b.text.length - a.text.length)) {
    const overflow = joined().length - lengthMax;
    if (overflow > 0) sentence.text = shortened(sentence.text, sentence.text.length - overflow);
  }
  const text = joined();
  return text.length <= lengthMax ? text : problem("LEDGER_CELL_TOO_LONG", { ...where, text, lengthMax });
}

/** Never cuts a character of two UTF-16 units in half. */
function shortened(text: string, length: number): string {
  return `${text.slice(0, Math.max(length - 1, 0)).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

function written(field: LedgerField, texts: Texts, { days, decimalMark }: LedgerTable): string {
  const text = texts[field];
  if (AMOUNTS.has(field)) return text.replace(".", decimalMark);
  return DAYS.has(field) ? dayText(text, days) : text;
}

function dayText(isoDay: string, form: string): string {
  const [year = "", month = "", day = ""] = isoDay.split("-");
  const digits: Readonly<Record<string, string>> = { yyyy: year, yy: year.slice(2), mm: month, dd: day };
  return form.replace(/yyyy|yy|mm|dd/g, (part) => digits[part] ?? part);
}
