/** The header line: maps the columns of a file to payout columns. Cells are not examined here. */
import { type Problem, problem } from "../faults/index.ts";
import { isAnswerColumn } from "../model/answer-columns.ts";
import type { ColumnMeanings, ColumnName } from "../model/columns.ts";
import { present } from "../model/present.ts";
import { holdsPrivateKey } from "../model/private-key.ts";
import { escapedText, SECRET_NOT_SHOWN, shownText } from "../model/shown-text.ts";
import { phrases, wordOf } from "../model/words.ts";
import { ColumnWords, currencyBeside } from "./column-words.ts";

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

/** Recognises the columns of a header, with a problem for each one missing or duplicated. */
export function readHeader(texts: readonly string[], columns: ColumnMeanings): Header {
  const words = new ColumnWords(columns);
  const positions = new Map<ColumnName, number>();
  const textsByColumn = new Map<ColumnName, string[]>();
  const unknownColumns: string[] = [];
  const ignored = new Set<number>();
  const secrets: Problem[] = [];
  let amountCurrency: string | undefined;
  for (const [position, text] of texts.entries()) {
    const { name, currency } = words.meaningOf(text);
    amountCurrency ??= currency;
    if (name === undefined) {
      if (words.isIgnored(text)) ignored.add(position);
      if (holdsPrivateKey(text)) secrets.push(problem("VALUE_IS_SECRET", { field: "the name of a column" }));
      else if (text.trim() !== "" && !isAnswerColumn(text)) unknownColumns.push(text);
      continue;
    }
    if (!positions.has(name)) positions.set(name, position);
    textsByColumn.set(name, [...(textsByColumn.get(name) ?? []), text]);
  }
  const own = unknownColumns.filter((text) => !words.isIgnored(text));
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

/**
 * A column that is not read, and that nobody could tell from one that is: the same word with letters of another alphabet.
 * Whoever approves by the sent file would see another address or amount than is paid.
 */
function disguisedColumn(text: string, words: ColumnWords): Problem[] {
  const meant = words.looksLike(text);
  if (meant === undefined) return [];
  return [problem("COLUMN_DISGUISED", { column: `"${escapedText(text)}"`, meant }, { column: text })];
}

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
  const meant = words.meantBy(text);
  if (meant === undefined || words.looksLike(text) !== undefined) return [];
  return [problem("COLUMN_MISSPELLED", { column: JSON.stringify(shownText(text)), meant }, { column: text })];
}
