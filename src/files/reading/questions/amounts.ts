/** Questions about amounts: the unit in which they are meant, and unusual ones. */
import { textOf } from "../../../model/grid.ts";
import { RunningTotals } from "../../../model/index.ts";
import { cellAt } from "../../../model/lines.ts";
import { columnTitle, type Question } from "../../../model/sheet-reading.ts";
import { shownText } from "../../../model/shown-text.ts";
import { type Amount, Decimal, formatAmount } from "../../../money/index.ts";
import type { CheckedRow } from "../check-row.ts";
import { skeletonOf } from "../classify-lines.ts";
import type { AcceptedLayout } from "../policy.ts";
import {
  type Asked,
  EXAMPLES,
  examplesOf,
  linesOf,
  question,
  questionAboutRows,
  referencesOf,
} from "./question.ts";

/** In whole coins, rather numbers of documents, days or parts of a coin, unless such amounts were paid before. */
const MANY_COINS = Decimal.of("100");
/** An amount, or a file's sum, is asked about if it exceeds the largest one so far by this factor. */
const UNUSUAL_AMOUNT_TIMES = Decimal.of("10");
const UNUSUAL_SUM_TIMES = Decimal.of("3");

/** Asks in every file whether the numbers may be in another unit. */
export function ofUnits({ rows, columns, grid, policy: { layout } }: Asked): Question[] {
  const paid = rows.filter(({ hasFields }) => hasFields);
  const position = columns.positions.get("amount") ?? -1;
  const textIn = ({ sent }: CheckedRow) => textOf(cellAt(sent, position)).trim();
  const isCut = () => grid.csv !== undefined && isCutAt(paid, position);
  const doubt = paid.length === 0 ? undefined : doubtAbout(paid, textIn, isCut, layout);
  if (doubt === undefined) return [];
  const title = `\`${columnTitle({ heading: columns.header[position] ?? "", position })}\``;
  const examples = examplesOf(paid.map(textIn)).join(", ");
  return [
    question([doubt, ...referencesOf(paid)], DOUBTS[doubt](title, examples, paid[0]?.currency ?? ""), []),
  ];
}

const DOUBTS = {
  "whole amounts": (title, examples, coin) =>
    `the amounts in ${title} have no decimals (${examples}), and nothing says that they are ${coin}: each is ` +
    `paid as whole coins`,
  "large whole amounts": (title, examples, coin) =>
    `the amounts in ${title} have no decimals, and each is ${MANY_COINS} ${coin} or more (${examples}): they are ` +
    `paid as whole coins, and may be numbers of another kind`,
  "cut amounts": (title, examples) =>
    `the amounts in ${title} have no decimals (${examples}), and the next column has nothing but digits: a ` +
    `decimal comma may have divided them`,
  thousands: (title, examples) =>
    `every amount in ${title} has exactly three digits after its mark (${examples}): they are paid as decimals, ` +
    `and may be meant as thousands`,
} satisfies Record<string, (title: string, examples: string, coin: string) => string>;

function doubtAbout(
  paid: readonly CheckedRow[],
  textIn: (row: CheckedRow) => string,
  isCut: () => boolean,
  layout: AcceptedLayout | undefined,
): keyof typeof DOUBTS | undefined {
  if (paid.every(({ amount }) => amount?.value.normalized().scale === 0)) {
    if (paid.some(({ assumesCurrency }) => assumesCurrency)) return "whole amounts";
    const isLarge = (value: Decimal | undefined) => value !== undefined && value.compare(MANY_COINS) >= 0;
    const largestIn = (currency = "") => layout?.largest[currency]?.row;
    if (paid.every(({ amount }) => isLarge(amount?.value) && !isLarge(largestIn(amount?.currency))))
      return "large whole amounts";
    if (isCut()) return "cut amounts";
  }
  // The first amount nearly always decides.
  const mayBeThousands = (row: CheckedRow) => /^(?:[1-9]\d{0,2}[.,]\d{3}|\d{1,3})$/.test(textIn(row));
  const areThousands = paid.every(mayBeThousands) && paid.some((row) => THOUSANDS.test(textIn(row)));
  return areThousands ? "thousands" : undefined;
}

/** A mark that may separate thousands. */
const THOUSANDS = /^[1-9]\d{0,2}[.,]\d{3}$/;

/**
 * Whether the column beside the amounts has digits in every row, like the second half of a "1,25" that was split.
 */
function isCutAt(rows: readonly CheckedRow[], at: number): boolean {
  return rows.every(({ sent }) => /^\d{1,8}$/.test(textOf(cellAt(sent, at + 1)).trim()));
}

export function ofAmounts(rows: readonly CheckedRow[], layout: AcceptedLayout | undefined): Question[] {
  const sums = new RunningTotals();
  let sinceSum = new RunningTotals();
  const questions: Question[] = [];
  const isUnusual = (value: Decimal, largest: Decimal | undefined, times: Decimal) =>
    largest !== undefined && value.compare(largest.times(times)) > 0;
  let above: CheckedRow | undefined;
  const unusual: CheckedRow[] = [];
  const remarked: CheckedRow[] = [];
  for (const row of rows) {
    const { line, amount, reference } = row;
    if (amount === undefined || reference === undefined) continue;
    const isSum = (scope: RunningTotals) => isSumOf(scope, amount, reference, above?.reference);
    if (isSum(sums) || isSum(sinceSum)) {
      const text = `"${shownText(reference)}" pays ${formatAmount(amount)}, the sum of the payments above it`;
      questions.push(question(["sum above", reference, `${amount.value}`], text, [line]));
      sinceSum = new RunningTotals();
    } else sinceSum.add(amount);
    sums.add(amount);
    if (isUnusual(amount.value, layout?.largest[amount.currency]?.row, UNUSUAL_AMOUNT_TIMES))
      unusual.push(row);
    const worded = withWords(row, above);
    if (worded !== undefined) remarked.push(worded);
    above = row;
  }
  questions.push(...ofRemarked(remarked, rows.length));
  for (const [currency, some] of Map.groupBy(unusual, ({ amount }) => amount?.currency ?? ""))
    questions.push(...ofUnusual(some, layout?.largest[currency]?.row));
  for (const { currency, amount: value } of sums.totals()) {
    const largest = layout?.largest[currency]?.sum;
    const text =
      `the sum of ${formatAmount({ currency, value: value.normalized() })} is more than three times the largest so ` +
      `far, ${largest?.normalized()}`;
    if (isUnusual(value, largest, UNUSUAL_SUM_TIMES))
      questions.push(question(["sum", currency, `${value}`], text, []));
  }
  return questions;
}

/**
 * Whether a payment has the amount of all payments in the scope. A third payment may be the sum of two by chance,
 * unless its reference differs in form from the one above it.
 */
function isSumOf(
  scope: RunningTotals,
  { currency, value }: Amount,
  reference: string,
  above: string | undefined,
): boolean {
  const sum = scope.of(currency);
  if (sum === undefined || sum.count < 2 || !sum.amount.equals(value)) return false;
  const isOtherForm = () => above !== undefined && skeletonOf(reference) !== skeletonOf(above);
  return sum.count > 2 || !/\d/.test(reference) || isOtherForm();
}

/** One question for each of a few rows; one for all of many, because nobody would read a hundred equal questions. */
function ofUnusual(rows: readonly CheckedRow[], largest: Decimal | undefined): Question[] {
  const so = `more than ten times the largest amount so far, ${largest?.normalized()}`;
  const shown = ({ amount }: CheckedRow) => (amount === undefined ? "" : formatAmount(amount));
  const parts = ({ amount, reference = "" }: CheckedRow) => [reference, `${amount?.value}`];
  if (rows.length <= EXAMPLES)
    return rows.map((row) => question(["amount", ...parts(row)], `${shown(row)} is ${so}`, [row.line]));
  const text = `${rows.length} amounts are each ${so}: ${examplesOf(rows.map(shown)).join(", ")} and more`;
  return [question(["amounts", ...rows.flatMap(parts)], text, linesOf(rows))];
}

/** Of two neighbours, the one whose reference has words beside the form of the other's: "INV-7 VOID" beside "INV-6". */
function withWords(row: CheckedRow, above: CheckedRow | undefined): CheckedRow | undefined {
  const [one, other] = [row.reference ?? "", above?.reference ?? ""];
  // Most references have neither.
  if (!MAY_HAVE_WORDS.test(one) && !MAY_HAVE_WORDS.test(other)) return undefined;
  const [form, formAbove] = [skeletonOf(one), skeletonOf(other)];
  if (saysMore(form, formAbove)) return row;
  return saysMore(formAbove, form) ? above : undefined;
}

const MAY_HAVE_WORDS = /[\s([{*]|[-_/.]\p{L}{2,}$|^\p{L}{2,}[-_/.]+\p{L}/u;

function saysMore(form: string, other: string): boolean {
  if (form === other || !/\d/.test(other)) return false;
  if (form.startsWith(other)) return /^[\s([{*_/.-].*\p{L}{2}/u.test(form.slice(other.length));
  return form.endsWith(other) && /\p{L}{2}.*[\s)\]}*:_/.-]$/u.test(form.slice(0, -other.length));
}

/** If many references have such words, they are no remarks. */
function ofRemarked(some: readonly CheckedRow[], rowCount: number): Question[] {
  const rows = [...new Set(some)];
  if (rows.length === 0 || 2 * rows.length > rowCount) return [];
  const examples = examplesOf(referencesOf(rows).map((text) => `"${shownText(text)}"`)).join(", ");
  const [have, more] = rows.length === 1 ? ["has", ""] : ["have", rows.length > EXAMPLES ? " and more" : ""];
  const text = `${examples}${more} ${have} words beside the number, unlike the references around`;
  return [questionAboutRows("remarks", text, rows)];
}
