/** The header line: maps the columns of a file to payout columns. Cells are not examined here. */
import { type Problem, problem } from "../faults/index.ts";
import { isAnswerColumn } from "../model/answer-columns.ts";
import { applying } from "../model/applying.ts";
import { type ColumnMeanings, type ColumnName, payoutColumns } from "../model/columns.ts";
import { type Cell, resultOf, type TitleLine } from "../model/index.ts";
import { present } from "../model/present.ts";
import { holdsPrivateKey } from "../model/private-key.ts";
import { escapedText, SECRET_NOT_SHOWN, shownText } from "../model/shown-text.ts";
import { closestWord, phrases, wordOf } from "../model/words.ts";
import { cryptocurrencies, isFiat } from "../money/index.ts";
import { recognizeAddress } from "./destinations/address.ts";
import { isAboutPaying } from "./pay-words.ts";

export interface Header {
  /** The position of each recognised column, from 0; absent columns are left out. */
  readonly positions: ReadonlyMap<ColumnName, number>;
  /** The currency in the name of the amount column: "Amount (BTC)". */
  readonly amountCurrency?: string;
  /** The headers as written, by position; one that contains a private key is replaced. */
  readonly texts: readonly string[];
  readonly unknownColumns: readonly string[];
  /**
   * The positions of columns that say nothing about the row: the configuration excludes them, or an answer of ours
   * added them.
   */
  readonly ignored: ReadonlySet<number>;
  /** By position, the columns that may hold what is to be paid besides the amount's, and the currency in their names. */
  readonly rivals: ReadonlyMap<number, string | undefined>;
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
}

/** Undefined for a column that the configuration excludes, whatever its name looks like. */
type ColumnWords = ReadonlyMap<string, ColumnName | undefined>;

const KNOWN_COLUMNS_OF_A_HEADER = 3;

/**
 * Whether a line is the header of a payout file: it has reference and amount, or three known columns. `columns`: the
 * sender's own headers (header -> column).
 */
export function isPayoutHeader(cells: readonly string[], columns: ColumnMeanings = {}): boolean {
  const words = columnWords(columns);
  const known = new Set(
    cells.map((text) => meaningOf(text, words).name).filter((name) => name !== undefined),
  );
  return known.size >= KNOWN_COLUMNS_OF_A_HEADER || (known.has("reference") && known.has("amount"));
}

/** Whether one of these columns holds destinations. */
export function hasDestination(header: readonly string[], columns: ColumnMeanings): boolean {
  const words = columnWords(columns);
  return header.some((text) => DESTINATIONS.has(meaningOf(text, words).name));
}

const DESTINATIONS: ReadonlySet<ColumnName | undefined> = new Set<ColumnName>([
  "destinationAddress",
  "destinationAccountId",
]);

/** Whether a column of this name is read; others are passed through. */
export function isPayoutColumn(text: string, columns: ColumnMeanings): boolean {
  return meaningOf(text, columnWords(columns)).name !== undefined;
}

/** Whether hardly anything else passes for a value of the column: where a line lacks a cell, what slips into it is refused. */
export function showsMissingCell(text: string, columns: ColumnMeanings): boolean {
  const { name } = meaningOf(text, columnWords(columns));
  return name !== undefined && UNLIKE_OTHERS.has(name);
}

const UNLIKE_OTHERS: ReadonlySet<ColumnName> = new Set<ColumnName>([
  "destinationAddress",
  "destinationAccountId",
  "accountId",
  "currency",
]);

/** For a file without a header: names the line with most header words, for a message; "" if no line has any. */
export function closestHeader(lines: readonly TitleLine[], columns: ColumnMeanings = {}): string {
  const words = columnWords(columns);
  const [closest] = lines
    .map(({ line, cells }) => ({ line, said: cells.flatMap(({ text }) => columnInWords(text, words)) }))
    .toSorted((match, other) => other.said.length - match.said.length);
  if (closest === undefined || closest.said.length === 0) return "";
  return `; line ${closest.line} comes closest, with ${closest.said.join(", ")}`;
}

/** `"payee"`, or `"ammount" (did you mean amount?)`; empty for a text that names no column. */
function columnInWords(text: string, words: ColumnWords): string[] {
  const quoted = JSON.stringify(shownText(text.trim()));
  if (meaningOf(text, words).name !== undefined) return [quoted];
  const meant = meantBy(text, words);
  return meant === undefined ? [] : [`${quoted} (did you mean \`${meant}\`?)`];
}

/** Whether a line without a known header looks like a payout: it has an address and a number. */
export function mayBePayout(cells: readonly Cell[]): boolean {
  const isNumber = ({ kind, text }: Cell) =>
    kind === "number" || /^\d+(?:[.,]\d+)?(?:e-\d+)?$/i.test(text.trim());
  const isAddress = ({ text }: Cell) => !("malformed" in recognizeAddress(text.trim()));
  return cells.map(resultOf).some(isNumber) && cells.map(resultOf).some(isAddress);
}

/** Recognises the columns of a header, with a problem for each one missing or duplicated. */
export function readHeader(texts: readonly string[], columns: ColumnMeanings): Header {
  const words = columnWords(columns);
  const positions = new Map<ColumnName, number>();
  const textsByColumn = new Map<ColumnName, string[]>();
  const unknownColumns: string[] = [];
  const ignored = new Set<number>();
  const secrets: Problem[] = [];
  let amountCurrency: string | undefined;
  for (const [position, text] of texts.entries()) {
    const { name, currency } = meaningOf(text, words);
    amountCurrency ??= currency;
    if (name === undefined) {
      if (words.has(wordOf(text)) || isAnswerColumn(text)) ignored.add(position);
      if (holdsPrivateKey(text)) secrets.push(problem("VALUE_IS_SECRET", { field: "the name of a column" }));
      else if (text.trim() !== "" && !isAnswerColumn(text)) unknownColumns.push(text);
      continue;
    }
    if (!positions.has(name)) positions.set(name, position);
    textsByColumn.set(name, [...(textsByColumn.get(name) ?? []), text]);
  }
  const own = unknownColumns.filter((text) => !words.has(wordOf(text)));
  return {
    positions,
    ...present({ amountCurrency }),
    texts:
      secrets.length === 0 ? texts : texts.map((text) => (holdsPrivateKey(text) ? SECRET_NOT_SHOWN : text)),
    unknownColumns,
    ignored,
    rivals: rivalsOfAmount({ positions, texts, ...present({ amountCurrency }) }, own, columns),
    problems: [
      ...secrets,
      ...own.flatMap((text) => disguisedColumn(text, words)),
      ...repeatedColumns(textsByColumn),
      ...missingColumns(positions),
    ],
    warnings: unknownColumns.flatMap((text) => misspelledColumn(text, words)),
  };
}

interface ColumnMeaning {
  readonly name?: ColumnName | undefined;
  readonly currency?: string;
}

/** For "Amount (BTC)", "BTC amount", "amount in BTC" and "Amount ₿" also the currency. */
function meaningOf(text: string, words: ColumnWords): ColumnMeaning {
  const word = wordOf(text);
  if (words.has(word)) return { name: words.get(word) };
  const currency = currencyBeside(word, (rest) => words.get(rest) === "amount");
  return currency === undefined ? {} : { name: "amount", currency };
}

/** The cryptocurrency before or behind a word that `isIt`. */
function currencyBeside(word: string, isIt: (rest: string) => boolean): string | undefined {
  return cryptocurrencies.find((code) => besideCurrency(word, code).some(isIt));
}

/** What stands before or behind a currency's code in a word. */
function besideCurrency(word: string, code: string): string[] {
  const small = code.toLowerCase();
  return applying(
    word.startsWith(small) && word.slice(small.length),
    word.endsWith(small) && word.slice(0, -small.length).replace(/in$/, ""),
  );
}

/**
 * A column that is not read, and that nobody could tell from one that is: the same word with letters of another alphabet.
 * Whoever approves by the sent file would see another address or amount than is paid.
 */
function disguisedColumn(text: string, words: ColumnWords): Problem[] {
  const meant = looksLike(text, words);
  if (meant === undefined) return [];
  return [problem("COLUMN_DISGUISED", { column: `"${escapedText(text)}"`, meant }, { column: text })];
}

function looksLike(text: string, words: ColumnWords): ColumnName | undefined {
  const word = wordOf(text);
  if (!OTHER_ALPHABETS.test(word)) return undefined;
  const shownAs = [word, ...cryptocurrencies.flatMap((code) => besideCurrency(word, code))];
  return [...words].find(([known]) => shownAs.some((each) => isSeenAs(each, known)))?.[1];
}

function isSeenAs(word: string, known: string): boolean {
  const letters = [...word];
  return (
    letters.length === known.length &&
    letters.every((letter, at) => letter === known[at] || SEEN_AS.get(known[at] ?? "")?.includes(letter))
  );
}

/** The alphabets that share forms with ours. */
const OTHER_ALPHABETS = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u;

/** Per Latin letter the letters of those alphabets that look like it, small or capital. */
const SEEN_AS: ReadonlyMap<string, string> = new Map(
  phrases(`
    aаαᎪ, bвьβᏏ, cсςϲᏟ, dԁժᎠ, eеёєεᎬ, fғϝ, gԍցᏀ, hнһηհᎻ, iіїӏι, jјϳᎫ, kкκᏦ, lӏιլᏞ, mмμᎷ, nпηνոռ,
    oоοσօ, pрρᏢ, qԛգզ, rгᎡᏒ, sѕտᏚ, tтτᎢ, uцυμս, vѵνᏙ, wшԝωաᎳ, xхχ, yуүγυᎩ, zζᏃ
  `).map((seen) => [seen.charAt(0), seen.toLowerCase()]),
);

/**
 * The columns that a reader may take for what is to be paid: of "Amount", "VAT" and "Total" the last, of
 * "Amount" and "BTC" the second. A total without a currency says nothing against an amount with one, nor any name against
 * the configuration. rival-amounts.ts tells whether they hold anything else.
 */
function rivalsOfAmount(
  { positions, texts, amountCurrency }: Pick<Header, "positions" | "texts" | "amountCurrency">,
  ownColumns: readonly string[],
  columns: ColumnMeanings,
): Header["rivals"] {
  if (!positions.has("amount") || Object.values(columns).includes("amount")) return new Map();
  const rivals = [...texts.entries()].flatMap(([position, text]) => {
    if (!ownColumns.includes(text)) return [];
    const word = wordOf(text);
    const currency = currencyBeside(word, (rest) => rest === "" || RIVALS.has(rest));
    const isRival = RIVALS.has(word) ? amountCurrency === undefined : currency !== undefined;
    return isRival ? [[position, currency] as const] : [];
  });
  return new Map(rivals);
}

const RIVALS: ReadonlySet<string> = new Set(
  phrases(`
    total, total amount, total due, total payable, total to pay, total incl vat, total including vat, gross,
    gross amount, amount incl vat, amount including vat, amount payable, amount outstanding, outstanding,
    outstanding amount, open amount, remaining, remaining amount, balance due, net payable, net to pay,
    amount after discount, amount after tax, total after discount
  `).map(wordOf),
);

function repeatedColumns(textsByColumn: ReadonlyMap<ColumnName, readonly string[]>): Problem[] {
  return [...textsByColumn]
    .filter(([, texts]) => texts.length > 1)
    .map(([field, texts]) => {
      const columns = texts.map((text) => JSON.stringify(shownText(text))).join(" and ");
      return problem("COLUMN_REPEATED", { columns, field }, { column: field });
    });
}

function missingColumns(positions: ReadonlyMap<ColumnName, number>): Problem[] {
  const needed: ColumnName[] = ["reference", "amount"];
  if (!positions.has("destinationAccountId")) needed.push("destinationAddress");
  return needed
    .filter((column) => !positions.has(column))
    .map((column) => problem("COLUMN_MISSING", { column }, { column }));
}

/** A warning for a column that looks misspelt; the sender's other own columns pass through silently. */
function misspelledColumn(text: string, words: ColumnWords): Problem[] {
  const meant = meantBy(text, words);
  if (meant === undefined || looksLike(text, words) !== undefined) return [];
  return [problem("COLUMN_MISSPELLED", { column: JSON.stringify(shownText(text)), meant }, { column: text })];
}

function meantBy(text: string, words: ColumnWords): ColumnName | undefined {
  const word = wordOf(text);
  return isInAnotherUnit(text, word) || isAboutPaying(text)
    ? undefined
    : words.get(closestWord(word, words.keys()) ?? "");
}

/** "Amount (EUR)" is no misspelling of "Amount due", nor "Amount (k)" of "Amount", and must not be renamed to it. */
function isInAnotherUnit(text: string, word: string): boolean {
  if (/[([]/.test(text)) return true;
  const ends = [word.slice(0, 3), word.slice(-3)];
  return /[\p{Sc}%‰]/u.test(word) || ends.some((code) => isFiat(code.toUpperCase()));
}

const builtInWords: ColumnWords = new Map(
  payoutColumns.flatMap(({ name, aliases }) =>
    [name, ...aliases].map((text) => [wordOf(text), name] as const),
  ),
);

function columnWords(columns: ColumnMeanings): ColumnWords {
  const configured = Object.entries(columns);
  if (configured.length === 0) return builtInWords;
  const words = new Map<string, ColumnName | undefined>(builtInWords);
  for (const [text, meaning] of configured) {
    words.set(wordOf(text), meaning === "ignore" ? undefined : meaning);
  }
  return words;
}
