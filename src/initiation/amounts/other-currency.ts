/** Recognises texts that say in which currency all amounts are: "All amounts in EUR", "Currency: €". */
import { withCurrencyCodes } from "../../money/index.ts";

/** The currencies that a line of texts gives the amounts, as far as `isCurrency` knows them. */
export function currenciesOfNote(
  texts: readonly string[],
  isCurrency: (code: string) => boolean,
): readonly string[] {
  const line = withCurrencyCodes(texts.join(" ").slice(0, NOTE_LENGTH_MAX));
  return [...line.matchAll(CURRENCY_LABEL), ...line.matchAll(IN_CURRENCY)]
    .map(([, code = "", word = ""]) => CODE_OF_WORD.get(word.toLowerCase()) ?? code)
    .filter(isCurrency);
}

const NOTE_LENGTH_MAX = 1000;

/**
 * Codes count in capitals only: "in all" and "in try" are words. Before a figure, as in "Value in EUR: 13,500", the
 * currency is that of the figure.
 */
const CURRENCY_LABEL =
  /(?<!\p{L})(?:currency|Currency|CURRENCY)\s{0,9}[:=]?\s{0,9}([A-Z]{3,10})(?![\p{L}\p{N}])/gu;
const IN_CURRENCY =
  /(?<!\p{L})(?:in|In|IN)\s{1,9}(?:([A-Z]{3,10})|([Ee]uros?|(?:US )?[Dd]ollars|[Pp]ounds))(?![\p{L}\p{N}])(?!\s{0,9}[:=]?\s{0,9}\d)/gu;

const CODE_OF_WORD: ReadonlyMap<string, string> = new Map([
  ["euro", "EUR"],
  ["euros", "EUR"],
  ["dollars", "USD"],
  ["us dollars", "USD"],
  ["pounds", "GBP"],
]);
