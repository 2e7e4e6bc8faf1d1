/**
 * getAccountsBalance, and the balances without a path: in crypto and, if a rate is known, in fiat. For an account of
 * another client the first answers 404 (the interface lists no failures for it); the second skips it, as the interface
 * says.
 */
import { accountBalancesRequest, balanceRequest, balanceResponse } from "../../wire/index.ts";
import { balanceAnswer } from "../answers/balance-answer.ts";
import { refusal, refuseBroken } from "../refusal.ts";
import type { CustodyAccount } from "../state/accounts.ts";
import { type Call, lookUp } from "./operation.ts";
import { listRules, refuseStaleQueryDate } from "./search-rules.ts";

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
  refuseBroken(listRules("accountIds", accountIds, service.policy));
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
