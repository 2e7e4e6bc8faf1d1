/** The operations about accounts: their balances, and those in which a user may approve. */
import { z } from "zod";
import { currencyScales, type Decimal } from "../../money/index.ts";
import {
  accountBalancesRequest,
  accountsOfUserRequest,
  balanceRequest,
  balanceResponse,
  text,
  uuid,
} from "../../wire/index.ts";
import { wireDate } from "../answers/dates.ts";
import { refusal, refuseBroken } from "../refusal.ts";
import { exchangeRateAnswer } from "../rules/exchange-rates.ts";
import type { Service } from "../service.ts";
import { breakdownOf, type CustodyAccount, figuresAs } from "../state/accounts.ts";
import { type Call, lookUp } from "./operation.ts";
import { refuseStaleQueryDate, uniqueRule } from "./search-rules.ts";

/**
 * getAccountsBalance, and the balances without a path: in crypto and, if a rate is known, in fiat. For an account
 * of another client the first answers 404 (the interface lists no failures for it); the second skips it, as the
 * interface says.
 */
export const accountBalances = lookUp({
  name: "getAccountsBalance",
  path: "/accounts/balance",
  successCode: 200,
  request: balanceRequest,
  answer: balanceResponse,
  carryOut: (request, call) =>
    balancesOf(request, call.sent, call, (accountId) => {
      throw refusal(404, "ACCOUNT_NOT_FOUND", `there is no account ${accountId}`);
    }),
});

export const accountBalancesPathless = lookUp({
  name: "accountBalances",
  successCode: 200,
  request: accountBalancesRequest,
  answer: balanceResponse,
  // The interface's envelope has accountIds as an array, although the parameter is a single text.
  carryOut: (request, call) => balancesOf(request, request, call, () => []),
});

interface Asked {
  readonly accountIds: readonly string[];
  readonly queryDate: string;
}

function balancesOf(
  { accountIds, queryDate }: Asked,
  accountBalanceFiltersDto: unknown,
  call: Call,
  unknown: (accountId: string) => never[],
) {
  const { service, nowMs } = call;
  refuseBroken([uniqueRule("accountIds", accountIds)]);
  refuseStaleQueryDate(queryDate, call);
  const custodyAccounts = [...new Set(accountIds)].flatMap((accountId): CustodyAccount[] => {
    const found = service.accounts.find(accountId);
    return found?.ownedByClient ? [found] : unknown(accountId);
  });
  return {
    accountBalanceFiltersDto,
    balances: custodyAccounts.map((account) => balanceAnswer(service, account, nowMs)),
  };
}

/**
 * Accounts of a user: the enabled ones in which the user belongs to an approver user group. The interface does not
 * show the answer's body; here it repeats the request and lists each account with its currency and the user's
 * groups. An unknown user has none.
 */
const accountsOfUserResponse = z.looseObject({
  filters: z.looseObject({ username: text, queryDate: text }),
  accounts: z.array(z.looseObject({ accountId: uuid, currency: text, userGroupNames: z.array(text) })),
});

export const accountsOfUser = lookUp({
  name: "accountsOfUser",
  successCode: 200,
  request: accountsOfUserRequest,
  answer: accountsOfUserResponse,
  carryOut: ({ username, queryDate }, call) => {
    refuseStaleQueryDate(queryDate, call);
    return {
      filters: call.sent,
      accounts: call.service.accounts.ofCosigner(username).map(({ accountId, currency, cosigners }) => ({
        accountId,
        currency,
        userGroupNames: cosigners
          .filter((cosigner) => cosigner.username === username)
          .map(({ userGroupName }) => userGroupName),
      })),
    };
  },
});

/** Renders the interface's account balance: the breakdown in crypto and, if a rate is known, in fiat. */
function balanceAnswer(service: Service, account: CustodyAccount, nowMs: number) {
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
