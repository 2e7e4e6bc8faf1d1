/** Renders the interface's account balance: the breakdown in crypto and, if a rate is known, in fiat. */
import { currencyScales, type Decimal } from "../../money/index.ts";
import { exchangeRateAnswer } from "../rules/exchange-rates.ts";
import type { Service } from "../service.ts";
import { breakdownOf, type CustodyAccount, figuresAs } from "../state/accounts.ts";
import { wireDate } from "./dates.ts";

export function balanceAnswer(service: Service, account: CustodyAccount, nowMs: number) {
  const breakdown = breakdownOf(account.balance);
  const rate = service.directory.rates.from(account.currency);
  return {
    accountId: account.accountId,
    fundsCanBeSpent: account.enabled && !breakdown.available.isNegative() && !breakdown.available.isZero(),
    btcBalance: inCurrency(breakdown, account.currency, (amount) => amount),
    fiatBalance:
      rate &&
      inCurrency(breakdown, rate.toCurrency, (amount) =>
        amount.times(rate.rate).rounded(currencyScales().scaleOf(rate.toCurrency) ?? 2),
      ),
    exchangeRate: rate && exchangeRateAnswer(rate, wireDate(nowMs, service.policy.dateStyle)),
  };
}

type Breakdown = ReturnType<typeof breakdownOf>;

function inCurrency(breakdown: Breakdown, currency: string, convert: (amount: Decimal) => Decimal) {
  return figuresAs(breakdown, (amount) => ({ currency, amount: convert(amount) }));
}
