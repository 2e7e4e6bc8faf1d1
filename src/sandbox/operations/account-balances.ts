/**
 * getAccountsBalance: balances in crypto and, where a rate is known, in fiat. Failures are not shown by the interface;
 * an account that is not the client's is a 404 here.
 */
import { balanceRequest } from "../../wire/index.ts";
import { balanceAnswer } from "../answers/balance-answer.ts";
import { refusal } from "../refusal.ts";
import { lookUp } from "./operation.ts";
import { refuseAll, refuseStaleQueryDate, repeated } from "./search-rules.ts";

export const accountBalances = lookUp({
  name: "getAccountsBalance",
  path: "/accounts/balance",
  successCode: 200,
  request: balanceRequest,
  carryOut: ({ accountIds, queryDate }, { service, nowMs, sent }) => {
    refuseAll(repeated("accountIds", accountIds));
    refuseStaleQueryDate(queryDate, service.policy.queryDateToleranceMs, nowMs);
    const balances = accountIds.map((accountId) => {
      const held = service.accounts.find(accountId);
      if (!held?.ownedByClient) throw refusal(404, "ACCOUNT_NOT_FOUND", `there is no account ${accountId}`);
      return balanceAnswer(service, held, nowMs);
    });
    return { accountBalanceFiltersDto: sent, balances };
  },
});
