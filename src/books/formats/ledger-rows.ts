/**
 * The rows of a journal entry in an ERP's import table: turns fields into cells. The table's form is data
 * (model/ledger-table.ts), so this code is the same for all ERPs.
 */

import { isProblem, type Problem, problem } from "../../faults/index.ts";
import {
  type DimensionField,
  dimensionsText,
  guardFormula,
  isDimensionField,
  type JournalEntry,
  type JournalLine,
  type LedgerAccount,
  type LedgerColumn,
  type LedgerField,
  type LedgerTable,
  type TextEncoding,
  templateParts,
} from "../../model/index.ts";
import { wholeForm } from "../../model/ledger-table.ts";
import type { Decimal } from "../../money/index.ts";
import { type JournalFormat, oneLine, quantityText } from "../../writing/cell-text.ts";
import { unwritableIn } from "../../writing/encoder.ts";

/** An entry's batch, and its position in it, from 1. */
export interface EntryPlace {
  readonly exportNumber: string;
  readonly position: number;
}

/** "000042-0007" */
export function documentNumberOf({ exportNumber, position }: EntryPlace): string {
  return `${exportNumber}-${String(position).padStart(4, "0")}`;
}

/** The cells of an entry's rows, or why the table cannot hold it. `linesBefore`: rows in the file so far. */
export type EntryWriter = (
  entry: JournalEntry,
  place: EntryPlace,
  linesBefore: number,
) => string[][] | Problem;

/** `exact`: the fields that the encoding must be able to write. */
export function entryWriter(table: LedgerTable, format: JournalFormat, exact = ACCOUNTS): EntryWriter {
  const { name, keywords, linesMax = Number.POSITIVE_INFINITY } = table;
  const columns = table.columns.map(withParts);
  const unwritable = unwritableIn(encodingOf(table));
  return (entry, place, linesBefore) => {
    const lines = linesFor(table, entry);
    const { length } = lines;
    if (length > linesMax) return problem("LEDGER_ENTRY_TOO_LONG", { lines: length, name, linesMax });
    const ofEntry = {
      ...entryTexts(entry, length, format),
      documentNumber: documentNumberOf(place),
      exportNumber: place.exportNumber,
    };
    const rows = lines.map((line, index) => {
      const texts: Texts = {
        ...ofEntry,
        ...ownTexts(line, table, format),
        ...dimensionTexts(line),
        lineNumber: String(index + 1),
        fileLine: String(linesBefore + index + 1),
      };
      const isFirst = index === 0;
      const cells = columns.map((column) => cellOf(column, { table, texts, isFirst, unwritable, exact }));
      return keywords ? [isFirst ? keywords.first : keywords.next, ...cells] : cells;
    });
    const wrong = rows.flat().find(isProblem);
    if (wrong !== undefined) return wrong;
    return (keywords && length > 0 ? [...rows, [keywords.end]] : rows) as string[][];
  };
}

export function encodingOf({ encoding }: LedgerTable): TextEncoding {
  return encoding === "utf-8-bom" ? "utf-8" : encoding;
}

/** A posting. Or a debit and a credit of the same amount: the one with more details is the posting. */
interface Row extends JournalLine {
  readonly counter?: LedgerAccount;
}

/**
 * The rows of an entry that an ERP accepts. A line that rounds to zero would have neither debit nor credit and stop
 * the whole import, so it is left out unless the table has quantities.
 */
export function linesFor({ columns, rows }: LedgerTable, { lines }: JournalEntry): readonly Row[] {
  const hasQuantities = columns.some(({ value, next = "" }) => `${value}${next}`.includes("{quantity}"));
  const shown = hasQuantities ? lines : lines.filter((line) => !(line.debit ?? line.credit)?.isZero());
  return rows === "pairs" ? pairsOf(shown) : shown;
}

/**
 * Pairs each debit with each credit, in order, by as much as both have left. There are at most as many pairs as
 * lines. If one side has one line, each line of the other side makes a pair with it.
 */
function pairsOf(lines: readonly JournalLine[]): Row[] {
  const left = (side: "debit" | "credit") =>
    lines.flatMap((line) => {
      const amount = line[side];
      return amount === undefined || amount.isZero() ? [] : [{ line, amount }];
    });
  const [debits, credits] = [left("debit"), left("credit")];
  const isDebitDetail = debits.length >= credits.length;
  const pairs: Row[] = [];
  while (debits[0] !== undefined && credits[0] !== undefined) {
    const [debit, credit] = [debits[0], credits[0]];
    const amount = debit.amount.compare(credit.amount) <= 0 ? debit.amount : credit.amount;
    const [{ line }, other] = isDebitDetail ? [debit, credit] : [credit, debit];
    const sides = isDebitDetail ? { debit: amount, credit: undefined } : { debit: undefined, credit: amount };
    pairs.push({ ...line, ...sides, counter: other.line.account });
    for (const side of [debits, credits]) {
      const [first] = side;
      if (first === undefined) continue;
      const rest = first.amount.minus(amount);
      if (rest.isZero()) side.shift();
      else side[0] = { ...first, amount: rest };
    }
  }
  return pairs;
}

/** Written with the table's decimal mark; days are written in the table's form. */
const AMOUNTS: ReadonlySet<string> = new Set<LedgerField>([
  "debit",
  "credit",
  "amount",
  "unsigned",
  "quantity",
  "rate",
]);
const DAYS: ReadonlySet<string> = new Set<LedgerField>(["bookDay", "documentDay"]);
/**
 * Generated here from digits and dashes, or configured by the company, so they cannot contain a formula from
 * outside.
 */
const OURS: ReadonlySet<string> = new Set<LedgerField>([
  "documentNumber",
  "lineCount",
  "lineNumber",
  "fileLine",
  "currency",
  "exportNumber",
  "entryKind",
  "side",
]);
/** May be cut to a column's width, because they identify no account or entry. */
const SENTENCES: ReadonlySet<string> = new Set<LedgerField>(["narration", "memo", "reference"]);

/**
 * The encoding must have all their letters, because a changed name would be another account. Other texts get a
 * question mark.
 */
export const ACCOUNTS: ReadonlySet<string> = new Set<LedgerField>([
  "accountCode",
  "accountName",
  "counterCode",
  "counterName",
  "party",
]);
export const LOOKED_UP: ReadonlySet<string> = new Set([...ACCOUNTS, "project", "distribution"]);

/** The texts of a row's fields, and of its dimensions. */
type Texts = Readonly<Record<LedgerField, string>> & Readonly<Record<DimensionField, string | undefined>>;

type NumberField = "documentNumber" | "exportNumber" | "lineNumber" | "fileLine";
type EntryField = Exclude<LedgerField, NumberField | keyof ReturnType<typeof ownTexts>>;

function entryTexts(
  entry: JournalEntry,
  rows: number,
  { functionalCurrency }: JournalFormat,
): Readonly<Record<EntryField, string>> {
  const { rateUsed } = entry;
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
    lineCount: String(rows),
    entryKind: entry.kind,
    reversalOf: entry.reversalOf ?? "",
    rate: rateUsed?.rate.toString() ?? "",
    rateFrom: rateUsed?.from ?? "",
    rateTo: rateUsed?.to ?? "",
    currency: functionalCurrency,
  };
}

function ownTexts(
  line: Row,
  { accounts = {}, parties = {}, sides = DEBIT_CREDIT }: LedgerTable,
  { scales }: JournalFormat,
) {
  const { account, counter, debit, credit, quantity } = line;
  // Suspense lines have unmapped dimensions, which an ERP would refuse to import.
  const ifMapped = (text = "") => (line.accountKey === "suspense" ? "" : oneLine(text));
  const [project, distribution] = [ifMapped(line.project), ifMapped(line.distribution)];
  const others = line.accountKey === "suspense" ? {} : (line.dimensions ?? {});
  const plan = oneLine(others["analytic"] ?? "");
  const analytic = [project, distribution, plan].filter((id) => id !== "").map((id) => [id, 100]);
  const plain = (value: Decimal | undefined) => value?.toString() ?? "";
  const nameOf = ({ code, name }: LedgerAccount) => oneLine(accounts[code] ?? name);
  const party = parties[account.code] ?? line.party;
  return {
    accountCode: oneLine(account.code),
    accountName: nameOf(account),
    counterCode: oneLine(counter?.code ?? ""),
    counterName: counter === undefined ? "" : nameOf(counter),
    debit: plain(debit),
    credit: plain(credit),
    amount: plain(debit ?? credit?.negated()),
    unsigned: plain(debit ?? credit),
    side: debit === undefined ? sides.credit : sides.debit,
    party: oneLine(party?.id ?? ""),
    partyType: oneLine(party?.type ?? ""),
    memo: oneLine(line.memo),
    project,
    distribution,
    allDimensions: oneLine(dimensionsText(others)),
    analyticDistribution: analytic.length === 0 ? "" : JSON.stringify(Object.fromEntries(analytic)),
    quantity: quantity === undefined ? "" : quantityText(quantity, scales),
    quantityCurrency: quantity?.currency ?? "",
  };
}

function dimensionTexts({ accountKey, dimensions = {} }: Row): Readonly<Record<DimensionField, string>> {
  if (accountKey === "suspense") return {};
  return Object.fromEntries(
    Object.entries(dimensions).map(([name, value]) => [`dimension.${name}`, oneLine(value)]),
  );
}

const DEBIT_CREDIT = { debit: "D", credit: "C" };

/** Only letters, digits, dashes and underscores; different ids stay different: "payout__0001__settle__1". */
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
  readonly isRefused: (text: string) => boolean;
  readonly withKnownCharacters: (text: string) => string;
}

function withParts(column: LedgerColumn): ReadColumn {
  const { value, next = value, otherwise = "", form, characters } = column;
  const whole = form === undefined ? undefined : wholeForm(form);
  const unknown = characters === undefined ? undefined : new RegExp(`[^${characters}]`, "gu");
  return {
    ...column,
    isRefused: (text) => text !== "" && whole !== undefined && !whole.test(text),
    withKnownCharacters: (text) => (unknown === undefined ? text : text.replace(unknown, "-")),
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

/** Guards only cells with text from outside: "-1.00" and "-1.00 EUR" stay unchanged. */
function cellOf(column: ReadColumn, place: Place): string | Problem {
  const { header, first, others, lacking, when, lengthMax } = column;
  const { table, texts, isFirst, unwritable, exact } = place;
  const whole = isFirst ? first : others;
  const isLacking = when !== undefined && textOf(fieldIn(when, texts), texts) === "";
  const parts = (isLacking ? lacking : whole).map(({ text = "", field: asked }) => {
    const field = asked === undefined ? undefined : fieldIn(asked, texts);
    return { field, text: field === undefined ? text : fieldText(field, texts, table) };
  });
  const where = { name: table.name, column: header };
  for (const { field = "", text } of parts) {
    // A dimension is looked up like a project.
    const isExact = exact.has(isDimensionField(field) ? "project" : field);
    const character = isExact ? unwritable(text) : undefined;
    if (character !== undefined)
      return problem("LEDGER_CELL_UNWRITABLE", { ...where, text, character, encoding: table.encoding });
  }
  const isOurs = parts.every(
    ({ field }) => field === undefined || AMOUNTS.has(field) || DAYS.has(field) || OURS.has(field),
  );
  const harmless = (joined: string) => {
    const text = column.withKnownCharacters(joined.trim());
    return isOurs ? text : guardFormula(text);
  };
  const text = fitted(parts, lengthMax, harmless);
  if (lengthMax !== undefined && text.length > lengthMax)
    return problem("LEDGER_CELL_TOO_LONG", { ...where, text, lengthMax });
  if (column.isRefused(text)) return problem("LEDGER_CELL_REFUSED", { ...where, text });
  return column.staysText && looksConvertible(text) ? `="${text}"` : text;
}

/** The first of the fields in braces that the line has. If it has none, the last one, which is empty. */
function fieldIn(asked: string, texts: Texts): string {
  const names = asked.split("|");
  return names.find((name) => textOf(name, texts) !== "") ?? names.at(-1) ?? "";
}

/** A column may ask for a dimension that the line does not have. */
function textOf(field: string, texts: Texts): string {
  return texts[field as LedgerField | DimensionField] ?? "";
}

/**
 * Joins the parts. If they are too long, cuts their sentences, the longest first, until the whole fits; other parts
 * stay.
 */
function fitted(
  parts: readonly { readonly field: string | undefined; text: string }[],
  lengthMax: number | undefined,
  harmless: (joined: string) => string,
): string {
  const joined = () => harmless(parts.map(({ text }) => text).join(""));
  if (lengthMax === undefined) return joined();
  const sentences = parts.filter(({ field = "", text }) => SENTENCES.has(field) && text.length > 1);
  for (const sentence of sentences.toSorted((a, b) => b.text.length - a.text.length)) {
    const overflow = joined().length - lengthMax;
    if (overflow > 0) sentence.text = shortened(sentence.text, sentence.text.length - overflow);
  }
  return joined();
}

/**
 * Whether a spreadsheet program would change the text: digits lose leading zeros and everything after the
 * fifteenth, "1E5" becomes a number, and "1-2" or "MAR1" a day.
 */
function looksConvertible(text: string): boolean {
  // A whole number that a spreadsheet program shows as it is.
  if (/^[1-9]\d{0,14}$/.test(text)) return false;
  return (
    /^[+-]?[\d.,:/\s-]*\d[\d.,:/\s-]*(?:[eE][+-]?\d+)?%?$/.test(text) ||
    /^(?:\d{1,4}[ -]?)?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[ -]?\d{0,4}$/i.test(text)
  );
}

/** Keeps a character of two UTF-16 units whole. */
function shortened(text: string, length: number): string {
  return `${text.slice(0, Math.max(length - 1, 0)).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

function fieldText(field: string, texts: Texts, { days, decimalMark }: LedgerTable): string {
  const text = textOf(field, texts);
  if (AMOUNTS.has(field)) return text.replace(".", decimalMark);
  return DAYS.has(field) ? dayText(text, days) : text;
}

export function dayText(isoDay: string, form: string): string {
  const [year = "", month = "", day = ""] = isoDay.split("-");
  const digits: Readonly<Record<string, string>> = { yyyy: year, yy: year.slice(2), mm: month, dd: day };
  return form.replace(/yyyy|yy|mm|dd/g, (part) => digits[part] ?? part);
}
