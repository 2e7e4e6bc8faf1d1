/**
 * What a cell of a column that is not read says about its row: that too is returned in answers, and a reader of the
 * sheet goes by it.
 */
import { type Problem, problem } from "../faults/index.ts";
import { holdsPrivateKey, looksLikePrivateKey } from "../model/private-key.ts";
import { shownText } from "../model/shown-text.ts";
import { currencyNamed } from "./amounts/named-currency.ts";
import { isOtherUnit } from "./amounts/other-unit.ts";
import { type PayWord, payWordReader } from "./pay-words.ts";
import { remembered } from "./remembered.ts";

/** What it says. */
export interface UnreadCell {
  readonly holdsKey: boolean;
  readonly isOtherUnit: boolean;
  readonly currency: string | undefined;
  readonly payWord: PayWord | undefined;
}

/** Reads the cells of one column. In an ignored one only private keys are looked for. */
export function unreadCellReader(columnName: string, isIgnored: boolean): (text: string) => UnreadCell {
  const payWordOf = payWordReader(columnName);
  return remembered((text) => {
    const holdsKey = holdsPrivateKey(text, columnName);
    if (holdsKey || isIgnored) return { ...SAYS_NOTHING, holdsKey };
    return {
      holdsKey,
      isOtherUnit: isOtherUnit(text, columnName),
      currency: currencyNamed(text),
      payWord: payWordOf(text),
    };
  });
}

const SAYS_NOTHING = { isOtherUnit: false, currency: undefined, payWord: undefined };

/** What it says against reading the amount in whole coins of its currency. */
export function unitProblem(
  { isOtherUnit, currency }: UnreadCell,
  text: string,
  assumedCurrency: string | undefined,
): Problem | undefined {
  if (isOtherUnit) return problem("AMOUNT_IN_OTHER_UNIT", { text: shownText(text) });
  if (assumedCurrency === undefined || (currency ?? assumedCurrency) === assumedCurrency) return undefined;
  return problem("CURRENCY_NOT_READ", { text: shownText(text), currency: assumedCurrency });
}

/** What it says about paying the row. */
export function payProblem(word: PayWord, field: string, text: string): Problem {
  // A transaction's hash has the form of a key.
  const shown = looksLikePrivateKey(text.trim()) ? "..." : shownText(text.trim());
  const said = { field: shownText(field), text: shown };
  return problem(word === "paid" ? "ROW_SAID_PAID" : "ROW_NOT_TO_BE_PAID", said);
}
