/** How requests about accounts are decided: balances, and the accounts in which a user may approve. */
import { balanceAnswer } from "../answers.ts";
import { refusal, refuseBroken } from "../refusal.ts";
import type { CustodyAccount } from "../state/money.ts";
import type { Call, Decided } from "./operation.ts";
import { refuseStaleQueryDate, uniqueRule } from "./searches.ts";

interface AskedBalances {
  readonly accountIds: readonly string[];
  readonly queryDate: string;
}

/**
 * Balances in crypto and, if a rate is known, in fiat. `echo`: the request as the answer repeats it. For an account
 * that is not the client's: 404, or nothing where `unknown` is "skipped", as the interface says of the pathless one.
 */
export function accountBalances(
  { accountIds, queryDate }: AskedBalances,
  call: Call,
  echo: unknown,
  unknown: "refused" | "skipped",
): Decided {
  const { service, nowMs } = call;
  refuseBroken([uniqueRule("accountIds", accountIds)]);
  refuseStaleQueryDate(queryDate, call);
  const accounts = [...new Set(accountIds)].flatMap((accountId): CustodyAccount[] => {
    const found = service.money.account(accountId);
    if (found?.ownedByClient) return [found];
    if (unknown === "skipped") return [];
    throw refusal(404, "ACCOUNT_NOT_FOUND", `there is no account ${accountId}`);
  });
  const balances = accounts.map((account) => balanceAnswer(service, account, nowMs));
  return { answer: { accountBalanceFiltersDto: echo, balances } };
}

interface AskedUser {
  readonly username: string;
  readonly queryDate: string;
}

/**
 * The enabled accounts in which the user belongs to an approver user group, by accountId; an unknown user has none.
 * The interface does not show the answer's body.
 */
export function accountsOfUser({ username, queryDate }: AskedUser, call: Call): Decided {
  refuseStaleQueryDate(queryDate, call);
  const accounts = call.service.money
    .accounts()
    .filter(({ enabled, ownedByClient }) => enabled && ownedByClient)
    .map(({ accountId, currency, cosigners }) => ({
      accountId,
      currency,
      userGroupNames: cosigners
        .filter((cosigner) => cosigner.username === username)
        .map(({ userGroupName }) => userGroupName),
    }))
    .filter(({ userGroupNames }) => userGroupNames.length > 0)
    .sort((left, right) => (left.accountId < right.accountId ? -1 : 1));
  return { answer: { filters: call.sent, accounts } };
}
