/**
 * The words that make a line a control total: "Total", "Total BTC", "Rows". Which figures stand beside them is read in
 * control-line.ts.
 */
import { wordOf } from "./words.ts";

/** Further words of the configuration. */
export interface ControlWords {
  readonly sumWords: readonly string[];
  readonly countWords: readonly string[];
}

/**
 * What a line's label promises. unclear: it speaks of a total, but not of which ("Total payouts"), so that it counts as a
 * control total only beside a figure, and is then refused.
 */
export interface ControlLabel {
  readonly names: "sum" | "count" | "unclear";
  readonly currency?: string;
}

const SUM_WORDS = [
  ...["total", "totals", "sum", "grand total", "total amount", "total sum", "sum total", "sum of amounts"],
  ...["control total", "control totals", "control sum", "hash total", "checksum"],
];

const COUNT_WORDS = [
  ...[
    "rows",
    "row count",
    "count",
    "control count",
    "total rows",
    "total count",
    "line count",
    "total lines",
  ],
  ...["payment count", "payout count", "number of rows", "number of lines", "number of payments"],
  ...["number of payouts", "number of transactions", "total number of payments", "total number of payouts"],
];

/** A reader of labels: undefined for a text that is none. `isCurrency` is asked for codes in capital letters. */
export function labelReader(
  { sumWords, countWords }: ControlWords,
  isCurrency: (code: string) => boolean,
): (text: string) => ControlLabel | undefined {
  const names = new Map<string, "sum" | "count">([
    ...[...SUM_WORDS, ...sumWords].map((word) => [wordOf(word), "sum"] as const),
    ...[...COUNT_WORDS, ...countWords].map((word) => [wordOf(word), "count"] as const),
  ]);
  return (text) => {
    if (text.length > LABEL_LENGTH_MAX) return undefined;
    const whole = names.get(wordOf(text));
    if (whole !== undefined) return { names: whole };
    const [, words = "", code = ""] = WITH_CURRENCY.exec(text.trim()) ?? [];
    const named = names.get(wordOf(words));
    const currency = code.toUpperCase();
    if (named !== undefined && isCurrency(currency)) return { names: named, currency };
    return SPEAKS_OF_TOTAL.test(text.trim()) ? { names: "unclear" } : undefined;
  };
}

const LABEL_LENGTH_MAX = 60;

/** "Total BTC", "Total (BTC)", "Rows in BTC" */
const WITH_CURRENCY = /^(.+?)\s+(?:(?:in|of)\s+)?\(?([A-Za-z0-9]{2,10})\)?$/;

const SPEAKS_OF_TOTAL = /\b(?:totals?|sum|checksum)\b/i;
