/**
 * Finds the line of column names by the names, general or the sender's; otherwise takes the line above the first
 * payment. Also chooses the sheet of a workbook to read: the only visible one with a table of payouts.
 */
import { type Problem, problem } from "../../faults/index.ts";
import { isAnswerColumn, SUMMARY_SHEET } from "../../model/answer-columns.ts";
import { columnSynonyms } from "../../model/column-synonyms.ts";
import { type ColumnMeanings, type ColumnName, columnNames } from "../../model/columns.ts";
import { type Cell, type Line, type SheetHead, textOf } from "../../model/grid.ts";
import { isUuid } from "../../model/index.ts";
import type { FoundBy } from "../../model/sheet-reading.ts";
import { shownText } from "../../model/shown-text.ts";
import { wordOf } from "../../model/words.ts";
import { isAddressCell, looksLikeAddress } from "../../readers/address.ts";
import { amountShape } from "./column-format.ts";
import { onlyCoin, unitsInHeading } from "./units.ts";

export const HEADER_LINE_MAX = 30;

export interface FoundHeader {
  readonly line: Line;
  /** Its position among the lines. */
  readonly index: number;
  /** Whether its names show that payouts are listed below it: by themselves, or two of them above an address. */
  readonly isByName: boolean;
}

/** Undefined if no line is a header. A first line that holds an address is a payment. */
export function findHeader(lines: readonly Line[], words: ColumnWords): FoundHeader | undefined {
  const first = lines.slice(0, HEADER_LINE_MAX);
  const byName = headerByName(first, words);
  const named = first[byName];
  if (named !== undefined) return { line: named, index: byName, isByName: true };
  const payment = lines.slice(0, 2 * HEADER_LINE_MAX).findIndex(({ cells }) => cells.some(isAddressCell));
  const [best] = first
    .slice(0, Math.max(payment, 0))
    .map((line, index) => ({ line, index, known: knownColumns(line, words).size, filled: filledCount(line) }))
    .filter(({ line, filled }) => filled >= 2 && line.cells.every(mayBeHeading))
    .toSorted((a, b) => b.known - a.known || b.filled - a.filled || b.index - a.index);
  return best && { line: best.line, index: best.index, isByName: best.known >= 2 };
}

/**
 * The index of the first header by name. A summary above the table may have a reference and a total as well, but
 * neither names nor holds a destination.
 */
function headerByName(lines: readonly Line[], words: ColumnWords): number {
  const first = lines.findIndex((line) => isHeaderByName(line, words));
  const isDestination = (column: string) => /^destination/.test(column);
  const whole = lines.findIndex(
    (line) => isHeaderByName(line, words) && [...knownColumns(line, words)].some(isDestination),
  );
  const holdsAddress = ({ cells }: Line) => cells.some((cell) => looksLikeAddress(textOf(cell)));
  return whole > first && !lines.slice(first, whole).some(holdsAddress) ? whole : first;
}

const KNOWN_COLUMNS_OF_A_HEADER = 3;

/** Whether a line has the names of reference and amount, or three known ones. */
export function isHeaderByName(line: Line, words: ColumnWords): boolean {
  const known = knownColumns(line, words);
  return known.size >= KNOWN_COLUMNS_OF_A_HEADER || (known.has("reference") && known.has("amount"));
}

function knownColumns({ cells }: Line, words: ColumnWords): ReadonlySet<string> {
  const columns = cells.map((cell) => (cell === "" ? undefined : words.meaningOf(textOf(cell)).column));
  return new Set(columns.filter((column) => column !== undefined && column !== "ignore"));
}

export function filledCount({ cells }: Line): number {
  return cells.filter((cell) => cell !== "").length;
}

/** A column's name is a text that is neither a number nor a destination. */
function mayBeHeading(cell: Cell): boolean {
  if (typeof cell !== "string") return cell.kind === "text" || cell.kind === "formula";
  return !/^[\d.,'/ :-]*\d[\d.,'/ :-]*$/.test(cell) && !looksLikeAddress(cell) && !isUuid(cell.trim());
}

export interface Meaning {
  /** `ignore`: the configuration, a person or an earlier answer excludes it. Undefined for an unknown name. */
  readonly column: ColumnName | "ignore" | undefined;
  readonly foundBy: FoundBy;
  /** How much the name decides: configuration 4, accepted layout 3, the interface's own name 2, a synonym 1. */
  readonly rank: number;
}

/** `configured`: the sender's own headers; `accepted`: those of a layout that a person has accepted. */
export function columnWords(configured: ColumnMeanings, accepted: ColumnMeanings = {}) {
  const own = wordsOf(configured);
  const layout = wordsOf(accepted);
  return { meaningOf };

  function meaningOf(heading: string): Meaning {
    const word = wordOf(heading);
    if (own.has(word)) return { column: own.get(word), foundBy: "configuration", rank: 4 };
    if (isAnswerColumn(heading)) return { column: "ignore", foundBy: "name", rank: 4 };
    if (layout.has(word)) return { column: layout.get(word), foundBy: "layout", rank: 3 };
    if (OWN_NAMES.has(word)) return { column: OWN_NAMES.get(word), foundBy: "name", rank: 2 };
    const synonym = SYNONYMS.get(word);
    return synonym === undefined ? amountWithUnit(heading) : { column: synonym, foundBy: "name", rank: 1 };
  }
}

export type ColumnWords = ReturnType<typeof columnWords>;

function wordsOf(columns: ColumnMeanings): ReadonlyMap<string, ColumnName | "ignore"> {
  return new Map(Object.entries(columns).map(([heading, column]) => [wordOf(heading), column]));
}

const OWN_NAMES: ReadonlyMap<string, ColumnName> = new Map(columnNames.map((name) => [wordOf(name), name]));

const SYNONYMS: ReadonlyMap<string, ColumnName> = new Map(
  [...columnSynonyms].flatMap(([name, texts]) => texts.map((text) => [wordOf(text), name] as const)),
);

/**
 * A word for the amount with currencies or a unit: "Amount (BTC)", "BTC amount", "Amount ₿". One that names a coin
 * decides. One that names something else is an amount too, which its rows then contradict.
 */
function amountWithUnit(heading: string): Meaning {
  const nameless: Meaning = { column: undefined, foundBy: "name", rank: 1 };
  // A percentage is not an amount.
  if (heading.length > HEADING_LENGTH_MAX || /[%‰]/.test(heading)) return nameless;
  const named = unitsInHeading(heading);
  const word = wordOf(named.rest);
  if (word !== "amount" && SYNONYMS.get(word) !== "amount") return nameless;
  return { column: "amount", foundBy: "name", rank: onlyCoin(named) === undefined ? 1 : 2 };
}

const HEADING_LENGTH_MAX = 80;

export interface ChosenSheet {
  readonly sheet: string;
  /** The other sheets, for the approver to see; hidden ones with their contents. */
  readonly otherSheets: readonly string[];
  /** The hidden sheets that hold payouts. */
  readonly hiddenPayouts: readonly string[];
}

/** Problems: SHEET_NOT_FOUND, SHEET_HIDDEN, SHEET_AMBIGUOUS, HEADER_NOT_FOUND. The one sheet of a CSV is chosen. */
export function chooseSheet(
  heads: readonly SheetHead[],
  names: {
    readonly columns: ColumnMeanings;
    /** By the sheet's name, the accepted layout that its header has. */
    readonly accepted?: ReadonlyMap<string, { readonly columns: ColumnMeanings }>;
    /** Configured. */
    readonly sheet?: string;
  },
): ChosenSheet | Problem {
  const holds = (head: SheetHead, what: "table" | "payouts") =>
    holdsTable(head, columnWords(names.columns, names.accepted?.get(head.name)?.columns), what);
  const readable = heads.filter(({ name }) => wordOf(name) !== wordOf(SUMMARY_SHEET));
  const plain = (name: string) => name.trim().toLowerCase();
  const wanted = readable.filter(({ name }) => plain(name) === plain(names.sheet ?? name));
  if (wanted.length === 0)
    return problem("SHEET_NOT_FOUND", { sheet: names.sheet ?? "to read", sheets: listed(heads) });
  const hidden = readable.filter(({ visibility }) => visibility !== "visible");
  const hiddenPayouts = hidden.filter((head) => holds(head, "payouts"));
  const visible = wanted.filter(({ visibility }) => visibility === "visible");
  const [meant] = hiddenPayouts.filter((head) => wanted.includes(head));
  if (meant !== undefined && !visible.some((head) => holds(head, "payouts")))
    return problem("SHEET_HIDDEN", { sheet: meant.name }, { sheet: meant.name });
  const withTable = visible.length === 1 ? visible : visible.filter((head) => holds(head, "table"));
  const withPayouts = withTable.filter((head) => holds(head, "payouts"));
  const [only, another] = withPayouts.length > 0 ? withPayouts : withTable;
  if (only === undefined) return problem("HEADER_NOT_FOUND", { sheets: ` of ${listed(visible)}` });
  if (another !== undefined)
    return problem("SHEET_AMBIGUOUS", { sheets: listed(withTable), sheet: only.name });
  const others = readable.filter((head) => head !== only && head.visibility === "visible");
  return {
    sheet: only.name,
    otherSheets: [
      ...others.map(({ name }) => name),
      ...hidden.map(
        (head) => `${head.name} (hidden: ${hiddenPayouts.includes(head) ? "payouts" : contentOf(head)})`,
      ),
    ],
    hiddenPayouts: hiddenPayouts.map(({ name }) => name),
  };
}

/** The first line of a sheet, in words. */
function contentOf({ lines: [first] }: SheetHead): string {
  const texts = (first?.cells ?? []).map((cell) => textOf(cell).trim()).filter((text) => text !== "");
  return texts.length === 0 ? "empty" : shownText(texts.slice(0, TEXTS_SHOWN).join(", "));
}

const TEXTS_SHOWN = 4;

/** How many cells of a line have the names of known columns; used to guess the delimiter of a CSV. */
export function countKnownNames(cells: readonly string[], columns: ColumnMeanings): number {
  const { meaningOf } = columnWords(columns);
  return cells.filter((cell) => meaningOf(cell).column !== undefined).length;
}

/**
 * Whether there are known names above payments. For `payouts` there must also be amounts, and an address below them
 * or accounts that may be paid, because a list of vendors and their wallets has no amounts.
 */
function holdsTable({ lines }: SheetHead, words: ColumnWords, what: "table" | "payouts"): boolean {
  const header = findHeader(lines, words);
  if (header?.isByName !== true) return false;
  if (what === "table") return true;
  const isAccounts = (cell: Cell) =>
    typeof cell === "string" && words.meaningOf(cell).column === "destinationAccountId";
  const below = lines.slice(header.index + 1);
  const hasAccounts = below.length > 0 && header.line.cells.some(isAccounts);
  const isAmount = (cell: Cell) => words.meaningOf(textOf(cell)).column === "amount";
  const paid = below.filter(({ cells }) => cells.some(isAddressCell));
  const hasAmounts =
    header.line.cells.some(isAmount) ||
    paid.some(({ cells }) => cells.some((cell) => amountShape(cell) === "fraction"));
  return hasAmounts && (hasAccounts || paid.length > 0);
}

function listed(heads: readonly SheetHead[]): string {
  return heads.map(({ name }) => `"${name}"`).join(", ");
}
