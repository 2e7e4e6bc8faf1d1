/** Renders values of the service for people. */
import type { PagingReport } from "../../gateway/index.ts";
import { minuteText } from "../../model/index.ts";
import type { Deposit, Payout } from "../../wire/index.ts";
import { counted } from "./text-parts.ts";

/** Returns the configured name of a custody account, or its id (`custodyNames` of the workplace). */
export type NameOf = (custodyAccountId: string) => string;

type Money = Payout["requestedAmount"];
type Rate = NonNullable<Deposit["fixedExchangeRate"]>;
type Funds = NonNullable<Deposit["receivedFunds"]>[number];

/** "0.05000000 BTC", digits as the service sent them. */
export function moneyText(money: Money | undefined): string {
  return money === undefined ? "" : `${money.amount} ${money.currency}`;
}

/** Undefined if the service does not say. */
export function yesNo(value: boolean | undefined): string | undefined {
  if (value === undefined) return undefined;
  return value ? "yes" : "no";
}

export function instantText(instant: string | undefined): string {
  return instant === undefined ? "" : minuteText(instant);
}

/** "1 BTC = 60000.5 EUR" */
export function rateText(rate: Rate | undefined): string {
  if (rate === undefined) return "";
  const { fromCurrency, toCurrency } = rate;
  return `1 ${fromCurrency.currencyCode} = ${rate.rate} ${toCurrency.currencyCode}`;
}

/** One movement on the chain. */
export function fundsText(funds: Funds): string {
  const { amount, fee, state, confirmations, txHash, confirmedDate } = funds;
  const parts = [
    moneyText(amount),
    fee && `fee ${moneyText(fee)}`,
    state,
    confirmations === undefined ? "" : counted(confirmations, "confirmation"),
    confirmedDate && `confirmed ${minuteText(confirmedDate)}`,
    txHash && `in ${txHash}`,
  ];
  return parts.filter(Boolean).join(", ");
}

/** Notes about a search: how much was found, and what was inconsistent. */
export function searchNotes(
  report: PagingReport & { readonly found: readonly unknown[]; readonly isCut: boolean },
) {
  const { found, isCut, doubts, problems, sortHeld } = report;
  const notes = isCut
    ? [`These are the first ${found.length}; \`--limit\` shows more.`]
    : [...doubts.map((doubt) => `The pages do not tie: ${doubt}.`)];
  if (problems.length > 0)
    notes.push(`${counted(problems.length, "element")} could not be read; \`--json\` names them.`);
  if (!sortHeld) notes.push("They did not come in the requested order.");
  return notes;
}
