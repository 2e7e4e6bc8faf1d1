/** The words that make a line a control total: "Total", "BTC total:", "Rows". Figures: control-line.ts. */
import type { Config } from "../../config/index.ts";
import { phrases, wordOf } from "../../model/words.ts";
import { withCurrencyCodes } from "../../money/index.ts";

/**
 * What a label announces. statistic: an average or similar, which is not compared. unclear: it mentions a total but not
 * which ("Total payouts"); only the place of a figure can tell.
 */
export interface ControlLabel {
  readonly names: "sum" | "count" | "statistic" | "unclear";
  readonly currency?: string;
}

const SUM_WORDS = phrases(`
  total, totals, sum, grand total, total amount, amount total, total sum, sum total, Σ,
  sum of amount, sum of amounts, total to pay, total due, total payable, subtotal, control total,
  control totals, control sum, hash total, checksum, batch total, file total
`);

const COUNT_WORDS = phrases(`
  rows, row count, count, control count, total rows, total count, line count, total lines,
  payment count, payout count, count of rows, count of payments, number of rows, no of rows,
  number of lines, number of payments, no of payments, number of payouts, no of payouts,
  number of transactions, records, record count, total records, number of records, total number of payments, total number of payouts, item count
`);

const STATISTIC_WORDS = phrases(`
  average, average amount, avg, mean, median, standard deviation, variance, difference, minimum,
  minimum amount, min, smallest, lowest, maximum, maximum amount, max, largest, highest
`);

type Names = Exclude<ControlLabel["names"], "unclear">;

/** Returns a parser of labels, which yields undefined for other texts. `isCurrency` is called with upper-case codes. */
export function labelReader(
  { sumWords, countWords }: Omit<Config["files"]["controlTotals"], "required">,
  isCurrency: (code: string) => boolean,
): (text: string) => ControlLabel | undefined {
  const names = new Map<string, Names>([
    ...STATISTIC_WORDS.map((word) => [wordOf(word), "statistic"] as const),
    ...[...SUM_WORDS, ...sumWords].map((word) => [wordOf(word), "sum"] as const),
    ...[...COUNT_WORDS, ...countWords].map((word) => [wordOf(word), "count"] as const),
  ]);
  const speaking = new Set([...SPEAKING_WORDS, ...sumWords, ...countWords].map(wordOf));
  const wordLengthMax = Math.max(...[...names.keys(), ...speaking].map(({ length }) => length));
  return (text) => {
    if (text.length > LABEL_LENGTH_MAX) return undefined;
    // Called for every destination: an address is one long word, never a label.
    if (text.length > wordLengthMax && ONE_WORD.test(text)) return undefined;
    const joined = wordOf(text);
    const whole = names.get(joined);
    if (whole !== undefined) return { names: whole };
    const plain = withCurrencyCodes(text);
    if (!BETWEEN_WORDS.test(plain)) return speaking.has(joined) ? { names: "unclear" } : undefined;
    const words = plain.split(BETWEEN_WORDS).filter((word) => word !== "");
    const [currency, another] = words.filter((word) => isCurrency(word.toUpperCase()));
    const others = words.filter((word) => word !== currency);
    const named = names.get(wordOf(others.join(" "))) ?? names.get(wordOf(withoutLinks(others).join(" ")));
    if (named !== undefined && currency !== undefined && another === undefined)
      return { names: named, currency: currency.toUpperCase() };
    return words.some((word) => speaking.has(wordOf(word))) ? { names: "unclear" } : undefined;
  };
}

const LABEL_LENGTH_MAX = 60;

const ONE_WORD = /^[A-Za-z0-9]+$/;

const BETWEEN_WORDS = /[\s()[\]:,;=]+/;

/** Drops link words: "Total amount in BTC" without the currency becomes "Total amount". */
function withoutLinks(words: readonly string[]): readonly string[] {
  return words.filter((word) => !["in", "of", "for"].includes(word.toLowerCase()));
}

const SPEAKING_WORDS = ["total", "totals", "subtotal", "subtotals", "sub-total", "sum", "checksum"];
