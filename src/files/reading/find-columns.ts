/**
 * Finds the columns to read: by name, then by content if only one column fits. A column fits as soon as one of its
 * cells does: a mistake in the right column must not leave a wrong one as the only candidate.
 */
import { type Problem, problem } from "../../faults/index.ts";
import { ANSWER_COLUMNS } from "../../model/answer-columns.ts";
import { COLUMN_WORDS, type ColumnName } from "../../model/columns.ts";
import { type Cell, type Grid, type Line, resultOf, textOf } from "../../model/grid.ts";
import { comparableDestination, findCustodyAccount } from "../../model/index.ts";
import { cellAt, someCell, widthOf } from "../../model/lines.ts";
import { present } from "../../model/present.ts";
import { cellHoldsKey, holdsPrivateKey } from "../../model/private-key.ts";
import { columnTitle, type ReadColumn } from "../../model/sheet-reading.ts";
import { SECRET_NOT_SHOWN, shownText } from "../../model/shown-text.ts";
import { looksLikeAddress, networkOf, recognizeAddress } from "../../readers/address.ts";
import { amountShape } from "./column-format.ts";
import type { ColumnWords, Meaning } from "./find-header.ts";
import { filledCount } from "./find-header.ts";
import { mayBeOwn } from "./own-references.ts";
import type { InitiationPolicy } from "./policy.ts";
import { currencyNamed, isOtherUnit, onlyCoin, unitsInHeading } from "./units.ts";

export interface FoundColumns {
  /** Trimmed, by position; a heading that contains a private key is replaced. */
  readonly header: readonly string[];
  readonly read: readonly ReadColumn[];
  readonly positions: ReadonlyMap<ColumnName, number>;
  /** The currency in the name of the amount column: "Amount (BTC)". */
  readonly amountCurrency?: string;
  /**
   * Whether payments without a reference get an assigned one. True if no column holds references, or only a column
   * of our own answers does.
   */
  readonly givesReferences: boolean;
  /** The positions of columns that are neither read nor excluded. */
  readonly unread: readonly number[];
  /** Those of them that are called the amount or the address, as the one that is read. */
  readonly namesakes: ReadonlySet<number>;
  readonly problems: readonly Problem[];
}

interface Column {
  readonly position: number;
  readonly heading: string;
  readonly meaning: Meaning;
  /** Whether it numbers payees, not payments: "Affiliate ID". Next month's payments have the same numbers. */
  readonly numbersPayees: boolean;
}

/**
 * Finds the columns below `headerLine`, with a problem for each one that is missing or cannot be told from another.
 */
export function findColumns(
  { format, lines: all }: Pick<Grid, "format" | "lines">,
  headerLine: Line,
  words: ColumnWords,
  policy: InitiationPolicy,
): FoundColumns {
  const lines = all.slice(all.indexOf(headerLine) + 1);
  const search = new ColumnSearch(columnsOf(headerLine, format === "csv" ? [] : lines, words), lines, policy);
  const { columns, named } = search;
  for (const [name, candidates] of named)
    if (name !== undefined && name !== "ignore" && !search.isElsewhere(name))
      search.takeNamed(name, candidates);
  if (!search.taken.has("destinationAccountId") && search.isElsewhere("destinationAddress"))
    search.takeDestination();
  if (search.isElsewhere("amount")) search.takeAmount();
  search.checkRivals();
  if (!named.has("currency")) search.takeCurrency();
  if (!named.has("accountId")) search.takeAccount();
  const givesReferences = !named.has("reference") && search.lacksReferences();
  const read = [...search.taken.values()];
  const secret = problem("VALUE_IS_SECRET", { field: "the name of a column" }, { line: headerLine.line });
  const namesakes = [...(named.get("amount") ?? []), ...(named.get("destinationAddress") ?? [])];
  const used = new Set([...read, ...(named.get("ignore") ?? [])].map(({ position }) => position));
  return {
    header: columns.map(({ heading }) => heading),
    read: read.toSorted((a, b) => a.position - b.position),
    positions: new Map(read.map(({ name, position }) => [name, position])),
    givesReferences,
    ...present({ amountCurrency: coinNamed(search.taken.get("amount")?.heading) }),
    unread: columns.map(({ position }) => position).filter((position) => !used.has(position)),
    namesakes: new Set(namesakes.map(({ position }) => position).filter((position) => !used.has(position))),
    problems: headerLine.cells.some(cellHoldsKey) ? [secret, ...search.problems] : search.problems,
  };
}

/** The coin that the heading of amounts names, if it names no other currency or unit. */
function coinNamed(heading = ""): string | undefined {
  return onlyCoin(unitsInHeading(heading));
}

function namesUnit(heading: string): boolean {
  const { currencies, hasOtherUnit } = unitsInHeading(heading);
  return currencies.size > 0 || hasOtherUnit;
}

/** The coin that a heading consists of: "BTC", "(Bitcoin)". */
function coinAlone(heading: string): string | undefined {
  const named = unitsInHeading(heading);
  return named.rest === "" ? onlyCoin(named) : undefined;
}

class ColumnSearch {
  readonly taken = new Map<ColumnName, ReadColumn>();
  readonly problems: Problem[] = [];
  /** By position. */
  readonly columns: readonly Column[];
  /** The columns by what their names mean. */
  readonly named: ReadonlyMap<Meaning["column"], readonly Column[]>;
  /** The lines below the header; `samples` are those of them that are surely payments. */
  private readonly lines: readonly Line[];
  private readonly samples: readonly Line[];
  private readonly policy: InitiationPolicy;

  constructor(columns: readonly Column[], lines: readonly Line[], policy: InitiationPolicy) {
    this.lines = lines;
    this.samples = sampleLines(lines);
    this.policy = policy;
    this.columns = columns.map((column) => this.withCoins(column));
    this.named = Map.groupBy(this.columns, ({ meaning }) => meaning.column);
  }

  /** Whether another column holds what the columns with this name should: it is then found by content. */
  isElsewhere(name: ColumnName): boolean {
    const candidates = this.named.get(name) ?? [];
    if (name === "amount") return this.isInCoinsElsewhere(candidates);
    return name === "destinationAddress" && this.isPaidElsewhere(candidates);
  }

  /** Reads a column that is called BTC and holds decimals like one called `Amount (BTC)`. */
  private withCoins(column: Column): Column {
    const { heading, meaning } = column;
    const currency = meaning.column ? undefined : coinAlone(heading);
    if (!this.isPaid(currency) || !this.holdsAmounts(column, "fraction")) return column;
    return { ...column, meaning: { column: "amount", foundBy: "name", rank: 2 } };
  }

  private isPaid(currency: string | undefined): boolean {
    return this.policy.custodyAccounts.some((account) => account.currency === currency);
  }

  /** The columns with unknown names that were not taken. */
  private free(): readonly Column[] {
    const used = new Set([...this.taken.values()].map(({ position }) => position));
    const isUnknown = (column: Column) => column.meaning.column === undefined || this.holdsAddresses(column);
    return this.columns.filter((column) => !used.has(column.position) && isUnknown(column));
  }

  /** A column that is named after the payee or an account may hold the payees' addresses. */
  private holdsAddresses({ meaning, position }: Column): boolean {
    const isAddress = (line: Line) => looksLikeAddress(textOf(cellAt(line, position)));
    const mayHold = meaning.rank === 1 && meaning.column !== undefined && OF_PAYEES.has(meaning.column);
    return mayHold && this.samples.every(isAddress);
  }

  private take(name: ColumnName, column: Column, evidence?: string): void {
    const { position, heading, meaning } = column;
    const foundBy = evidence === undefined ? meaning.foundBy : "content";
    this.taken.set(name, { position, foundBy, ...present({ evidence }), name, heading });
  }

  takeNamed(name: ColumnName, named: readonly Column[]): void {
    const isDescribing = name === "reference" || LEFTMOST_SERVES.has(name);
    const candidates = isDescribing ? this.filled(named) : named;
    const rank = Math.max(...candidates.map(({ meaning }) => meaning.rank));
    const best = candidates.filter(({ meaning }) => meaning.rank === rank);
    const [only, another] = best.length === 1 ? best : this.fitting(name, best);
    if (only === undefined || (another !== undefined && !LEFTMOST_SERVES.has(name))) this.refuse(name, best);
    else if (rank > 1 || this.canBeRead(name, only)) this.take(name, only);
  }

  /** Without those that no payment fills, unless a person has decided that such a column is read. */
  private filled(columns: readonly Column[]): readonly Column[] {
    if (columns.length < 2 || columns.some(({ meaning }) => meaning.rank > 2)) return columns;
    const filled = columns.filter((column) => this.textsIn(column).length > 0);
    return filled.length > 0 ? filled : columns;
  }

  /** A column with the same company in every row, beside people's names, does not name payees. */
  private fitting(name: ColumnName, columns: readonly Column[]): readonly Column[] {
    const fitting = columns.filter((column) => this.fits(name, column));
    const differing = fitting.filter((column) => new Set(this.textsIn(column)).size > 1);
    return name === "customerId" && differing.length > 0 ? differing : fitting;
  }

  /** Whether this column is the one that is meant, of several whose names mean the same. */
  private fits(name: ColumnName, column: Column): boolean {
    const texts = this.textsIn(column);
    if (name === "amount") return this.holdsAmounts(column, "any");
    if (column.meaning.rank > 1) return true;
    if (name === "destinationAddress") return texts.some(looksLikeAddress);
    return name !== "reference" || (texts.length === this.samples.length && this.isDistinct(texts));
  }

  /** A synonym such as `Account` or `Fee` means something else, unless some cell holds a value of that column. */
  private canBeRead(name: ColumnName, column: Column): boolean {
    const texts = this.textsIn(column, this.lines);
    if (name === "feePolicy") return texts.some((text) => /^(?:slow|normal|fast|custom)$/i.test(text));
    if (name === "customerId") return this.samples.length === 0 || !this.holdsAddresses(column);
    if (name !== "accountId" && name !== "destinationAccountId") return true;
    const { custodyAccounts } = this.policy;
    return texts.some((text) => findCustodyAccount(text, custodyAccounts) || /^[0-9a-f]{8}-/i.test(text));
  }

  /**
   * Whether no column is named as the address, or only one with postal addresses, of several words or in other
   * letters, while another has a payable one in every row.
   */
  private isPaidElsewhere(candidates: readonly Column[]): boolean {
    const isAddress = (cell: Cell) => looksLikeAddress(textOf(cell));
    const isPostal = (column: Column) => {
      const texts = this.textsIn(column);
      const areWords = texts.every((text) => /\s|[^ -~]/.test(text) && !looksLikeAddress(text));
      return column.meaning.rank === 1 && texts.length > 0 && areWords;
    };
    const isFull = ({ position }: Column) => this.samples.every((line) => isAddress(cellAt(line, position)));
    return candidates.length === 0 || (candidates.every(isPostal) && this.free().some(isFull));
  }

  takeDestination(): void {
    const { ownDestinations, custodyAccounts, network: kind } = this.policy;
    const only = this.only("destinationAddress", (column) => {
      const texts = this.textsIn(column).filter(looksLikeAddress);
      const isConstant = texts.length > 1 && new Set(texts).size === 1;
      const isOwn = texts.some((text) => ownDestinations.has(comparableDestination(text)));
      return texts.length > 0 && !isConstant && !isOwn;
    });
    if (only === undefined) return;
    const networks = custodyAccounts.flatMap(({ currency }) => networkOf(currency, kind) ?? []);
    const found = this.textsIn(only).flatMap((text) => {
      const address = recognizeAddress(text);
      return "malformed" in address ? [] : (networks.find((each) => address.networks.includes(each)) ?? []);
    });
    const [network] = found;
    if (network === undefined) this.only("destinationAddress", () => false);
    else this.take("destinationAddress", only, this.evidence(found.length, `${network.name} addresses`));
  }

  takeAmount(): void {
    const wanted = this.free().some((column) => this.holdsAmounts(column, "fraction")) ? "fraction" : "any";
    const ofCoins = this.inCoins();
    const fit = withoutRates(this.free().filter((column) => this.holdsAmounts(column, wanted)));
    const only = this.only("amount", (column) => (ofCoins.length > 0 ? ofCoins : fit).includes(column));
    if (only === undefined) return;
    const fitting = this.cellsIn(only).filter((cell) => amountShape(cell) !== undefined).length;
    this.take("amount", only, this.evidence(fitting, "amounts"));
  }

  /** The columns with unknown names that name a coin of an account: "Net BTC". */
  private inCoins(): readonly Column[] {
    return withoutRates(
      this.free().filter(
        (column) => this.holdsAmounts(column, "any") && this.isPaid(coinNamed(column.heading)),
      ),
    );
  }

  /**
   * Whether no column is named as the amount, or only columns in another currency or unit while another names a
   * coin.
   */
  private isInCoinsElsewhere(candidates: readonly Column[]): boolean {
    const isOther = ({ heading, meaning }: Column) => meaning.rank === 1 && namesUnit(heading);
    return candidates.length === 0 || (candidates.every(isOther) && this.inCoins().length > 0);
  }

  /**
   * A synonym does not decide if another column holds decimals in every row, unless these are exchange rates, or the
   * same amounts.
   */
  checkRivals(): void {
    const { foundBy, position = -1 } = this.taken.get("amount") ?? {};
    const amount = this.columns[position];
    if (foundBy !== "name" || amount === undefined || amount.meaning.rank > 1) return;
    const isFull = ({ position }: Column) =>
      this.samples.every((line) => amountShape(cellAt(line, position)) !== undefined);
    const isSame = ({ position }: Column) =>
      this.samples.every((line) => textOf(cellAt(line, position)) === textOf(cellAt(line, amount.position)));
    const rivals = this.free().filter(
      (column) =>
        isFull(column) &&
        this.holdsAmounts(column, "fraction") &&
        !isOfRates(column.heading) &&
        !isSame(column),
    );
    if (rivals.length > 0) this.refuse("amount", [amount, ...rivals]);
  }

  /** A column of percentages does not hold amounts. */
  private holdsAmounts({ position, heading }: Column, wanted: "fraction" | "any"): boolean {
    const isWanted = (shape: string | undefined) =>
      wanted === "any" ? shape !== undefined : shape === wanted;
    const holds = this.samples.some((line) => isWanted(amountShape(cellAt(line, position))));
    return holds && !/[%‰]/.test(heading);
  }

  takeCurrency(): void {
    const isCurrency = (text: string) => currencyNamed(text) !== undefined || isOtherUnit(text);
    const [only, another] = this.free().filter(({ position }) =>
      this.samples.every((line) => isCurrency(textOf(cellAt(line, position)))),
    );
    if (this.samples.length > 0 && only !== undefined && another === undefined)
      this.take("currency", only, this.evidence(this.samples.length, "currencies or units"));
  }

  /** The only column whose filled cells are all names or ids of own custody accounts. */
  takeAccount(): void {
    const isAccount = (text: string) => findCustodyAccount(text, this.policy.custodyAccounts) !== undefined;
    // Most columns fail at their first cell.
    const holdsAccounts = ({ position }: Column) => {
      const text = ({ cells }: Line) => textOf(cells[position] ?? "").trim();
      const isFitting = (line: Line) => text(line) === "" || isAccount(text(line));
      return this.samples.every(isFitting) && this.samples.some((line) => text(line) !== "");
    };
    const [only, another] = this.free().filter(holdsAccounts);
    if (only === undefined || another !== undefined) return;
    const { length } = this.cellsIn(only);
    this.take("accountId", only, this.evidence(length, "names of custody accounts"));
  }

  /**
   * Whether payments get assigned references. Takes the column in which an earlier answer holds some of them;
   * otherwise takes the sender's own column of references, if there is one.
   */
  lacksReferences(): boolean {
    const answered = this.columns.find(({ heading }) => heading === ANSWER_COLUMNS.reference);
    if (answered !== undefined) {
      this.take("reference", answered);
      return true;
    }
    const candidates = this.free().filter((column) => this.mayBeReference(column));
    if (candidates.length === 0 && mayBeOwn(this.policy)) return true;
    this.takeReference(candidates);
    return false;
  }

  /** Of several columns, prefers one that is called a number or an id, or whose texts have no spaces. */
  private takeReference(candidates: readonly Column[]): void {
    const better = [
      ({ heading }: Column) => isNumbering(heading),
      (column: Column) => this.textsIn(column).every((text) => !/\s/.test(text)),
    ].map((isBetter) => candidates.filter(isBetter));
    const [decided] = better.filter(({ length }) => length === 1).flat();
    const meant = decided === undefined ? candidates : [decided];
    const only = this.only("reference", (column) => meant.includes(column));
    if (only === undefined) return;
    const texts = this.textsIn(only);
    this.take("reference", only, `${new Set(texts).size} of ${texts.length} cells differ, and hold a digit`);
  }

  private mayBeReference(column: Column): boolean {
    const cells = this.cellsIn(column);
    const texts = cells.map(textOf);
    const isFilled = texts.length > 0 && texts.length >= this.samples.length - this.spared();
    const isOther = cells.some((cell) => isNoReference(cell, this.policy.referencePattern.maxLength));
    const areNames = texts.every((text) => /\d/.test(text)) && this.isDistinct(texts) && !counts(texts);
    // Hours and clicks differ in each row as well.
    const areFigures = texts.every((text) => /^\d+$/.test(text)) && !isNumbering(column.heading);
    const isOtherwise = areFigures || column.numbersPayees || namesUnit(column.heading);
    return isFilled && !isOther && areNames && !isOtherwise;
  }

  /** One mistake must not hide the column. */
  private spared(): number {
    return this.samples.length > 2 ? 1 : 0;
  }

  private isDistinct(texts: readonly string[]): boolean {
    return new Set(texts).size >= texts.length - this.spared();
  }

  private evidence(fitting: number, what: string): string {
    return `${fitting} of ${this.samples.length} cells are ${what}`;
  }

  private cellsIn({ position }: Column, lines = this.samples): readonly Cell[] {
    return lines.map((line) => cellAt(line, position)).filter((cell) => cell !== "");
  }

  private textsIn(column: Column, lines = this.samples): readonly string[] {
    return this.cellsIn(column, lines).map((cell) => textOf(cell).trim());
  }

  /** The only candidate. Reports a problem if there is none, or more than one. */
  private only(name: ColumnName, isCandidate: (column: Column) => boolean): Column | undefined {
    const free = this.free();
    const candidates = free.filter(isCandidate);
    const [only, another] = candidates;
    if (another !== undefined) this.refuse(name, candidates);
    else if (only === undefined)
      this.problems.push(
        problem("COLUMN_MISSING", this.described(name, free, NAMES_OF_PEOPLE), { column: name }),
      );
    return another === undefined ? only : undefined;
  }

  private refuse(name: ColumnName, candidates: readonly Column[]): void {
    this.taken.delete(name);
    this.problems.push(
      problem("COLUMN_UNCLEAR", this.described(name, candidates, DECIDING_NAMES), { column: name }),
    );
  }

  /** `"Importe" (0.05, 0.07), "Total" (0.06)`. */
  private described(
    column: ColumnName,
    candidates: readonly Column[],
    names: Partial<Record<ColumnName, string>>,
  ) {
    const shown = candidates.slice(0, LISTED_MAX).map((each) => {
      const values = [...new Set(this.textsIn(each).map(shownText))].slice(0, VALUES_MAX).join(", ");
      return `${JSON.stringify(columnTitle(each))}${values === "" ? "" : ` (${values})`}`;
    });
    const columns = shown.length === 0 ? "there is no column for it" : shown.join(", ");
    const heading = candidates[0]?.heading || "its name";
    const what = COLUMN_WORDS[column];
    return { column, what, name: names[column] ?? column, columns, heading: shownText(heading) };
  }
}

/** Words that name columns of references, also beside other words: "Payroll ID", "Номер счёта". */
const NUMBERING = new RegExp(
  [
    String.raw`(?<!\p{L})(?:id|no|nr|nº|n°|num|number|ref|reference|code|invoice|bill|ticket|order`,
    "|rechnung|beleg|nummer|facture|factura|fattura|fatura|nota",
    "|numéro|número|numero|numer|номер|счёт|счет|№|numara|numarası|sıra)",
    String.raw`(?!\p{L})|№|#`,
  ].join(""),
  "iu",
);
/** Those of them that may number persons. */
const NUMBERING_PEOPLE =
  /(?<!\p{L})(?:id|no|nr|nº|n°|num|number|code|nummer|numéro|número|numero|numer|номер|numara|numarası)(?!\p{L})|№|#/iu;

function inWords(heading: string): string {
  return heading.replace(/(?<=\p{Ll})(?=\p{Lu})|_/gu, " ");
}

function isNumbering(heading: string): boolean {
  return NUMBERING.test(inWords(heading));
}

/** Exchange rates, also "BTC rate". */
export function isOfRates(heading: string): boolean {
  return RATE.test(inWords(heading));
}

const RATE =
  /(?<!\p{L})(?:rate|kurs|wechselkurs|taux|cambio|câmbio|tasso|koers|wisselkoers|курс|kuru)(?!\p{L})/iu;

/** If every column has rates, one of them may be the amount. */
function withoutRates(columns: readonly Column[]): readonly Column[] {
  const others = columns.filter(({ heading }) => !isOfRates(heading));
  return others.length > 0 ? others : columns;
}

/** The name that decides between several columns. For columns other than the amount it is our own name. */
const DECIDING_NAMES: Partial<Record<ColumnName, string>> = { amount: "Amount (BTC)" };
/** The names to suggest if no column has a similar one. */
const NAMES_OF_PEOPLE: Partial<Record<ColumnName, string>> = {
  ...DECIDING_NAMES,
  destinationAddress: "Address",
  reference: "Reference",
};
const LISTED_MAX = 8;
const VALUES_MAX = 3;

const OF_PAYEES: ReadonlySet<ColumnName | "ignore"> = new Set([
  "customerId",
  "accountId",
  "destinationAccountId",
] as const);

/** Columns that only describe a payment; the leftmost one will do. */
const LEFTMOST_SERVES: ReadonlySet<ColumnName> = new Set<ColumnName>([
  "customerId",
  "generalLedgerName",
  "generalLedgerProject",
  "generalLedgerDistribution",
]);

/** The columns of the header; in a workbook also those to its right that hold values. */
function columnsOf({ cells }: Line, lines: readonly Line[], words: ColumnWords): Column[] {
  const width = lines.reduce((most, line) => Math.max(most, widthOf(line)), cells.length);
  return Array.from({ length: width }, (_, position) => {
    const text = textOf(cells[position] ?? "").trim();
    const heading = holdsPrivateKey(text) ? SECRET_NOT_SHOWN : text;
    const nameless: Meaning = { column: undefined, foundBy: "content", rank: 0 };
    const meaning = text === "" ? nameless : words.meaningOf(text);
    return { position, heading, meaning, numbersPayees: numbersPayees(text, words) };
  });
}

/** Whether a heading numbers persons: "Vendor ID", "Lieferantennummer" (of "Lieferant"), "Matricule". */
function numbersPayees(heading: string, words: ColumnWords): boolean {
  const whole = inWords(heading);
  if (PAYROLL_NUMBER.test(whole)) return true;
  const stem = whole.replace(NUMBERING_PEOPLE, "").replace(NUMBER_SUFFIX, "");
  const named = [stem, stem.replace(/(?:s|n)$/i, ""), stem.replace(/en$/i, "")];
  return stem !== whole && named.some((name) => words.meaningOf(name).column === "customerId");
}

/** In one word, as in German, Dutch and Swedish. */
const NUMBER_SUFFIX = /(?<=\p{L}{4})(?:nummer|nr)\.?$/iu;
/** Of the staff, in whose names no word for one person occurs. */
const PAYROLL_NUMBER =
  /^(?:(?:personal|personeels?|personnel|staff)[- ]?(?:nummer|nr|number|no|id)\.?|matricule|matricola|matrícula)$/iu;

/** The lines that are surely payments: those with an address; if no line has one, those with two values. */
function sampleLines(lines: readonly Line[]): readonly Line[] {
  const isAddress = (cell: Cell) => looksLikeAddress(textOf(cell));
  const withAddress = lines.filter((line) => someCell(line, isAddress));
  return withAddress.length > 0 ? withAddress : lines.filter((line) => filledCount(line) > 1);
}

/** Whether the cell is an address, an amount with decimals, a day, a link or a mail address. */
function isNoReference(cell: Cell, lengthMax: number): boolean {
  const plain = resultOf(cell);
  if (typeof plain !== "string") return plain.kind !== "number" || amountShape(plain) === "fraction";
  const text = plain.trim();
  if (text.length > lengthMax || looksLikeAddress(text) || amountShape(text) === "fraction") return true;
  return /@|:\/\/|^\d{1,4}([./-])\d{1,2}\1\d{1,4}(?:[T ]|$)/.test(text);
}

/** Whether a column only numbers its rows. */
export function counts(texts: readonly string[]): boolean {
  const first = Number(texts[0]);
  return (first === 0 || first === 1) && texts.every((text, index) => text.trim() === String(first + index));
}
