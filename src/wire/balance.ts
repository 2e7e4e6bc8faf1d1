/** Account balance, its breakdown and envelope (interface document, section Resources and their fields). */
import { z } from "zod";
import { exchangeRate, money } from "./money.ts";
import { bounded, dateTime, maybe, text, uuid } from "./primitives.ts";

export const balanceBreakdown = z.looseObject({
  total: money,
  available: maybe(money),
  confirmed: maybe(money),
  unconfirmedReceived: maybe(money),
  locked: maybe(money),
  sentUnconfirmed: maybe(money),
  selfUnconfirmedReceived: maybe(money),
});

export const accountBalance = z.looseObject({
  accountId: uuid,
  fundsCanBeSpent: maybe(z.boolean()),
  btcBalance: balanceBreakdown,
  fiatBalance: maybe(balanceBreakdown),
  exchangeRate: maybe(exchangeRate),
});

export const balanceRequest = z.object({ accountIds: z.array(uuid), queryDate: dateTime });

export const balanceResponse = z.looseObject({
  accountBalanceFiltersDto: maybe(
    z.looseObject({ accountIds: maybe(z.array(text)), queryDate: maybe(text) }),
  ),
  balances: bounded(accountBalance, z.array(accountBalance).superRefine(refuseTwoTotals)),
});

export type AccountBalance = z.output<typeof accountBalance>;
export type BalanceRequest = z.output<typeof balanceRequest>;
export type BalanceResponse = z.output<typeof balanceResponse>;

/** Refuses two different totals of one account, since either may be meant; the same total twice is harmless. */
function refuseTwoTotals(balances: readonly AccountBalance[], context: z.RefinementCtx): void {
  const totals = new Map<string, string>();
  for (const { accountId, btcBalance } of balances) {
    const total = `${btcBalance.total.amount.normalized()} ${btcBalance.total.currency}`;
    const other = totals.get(accountId);
    if (other !== undefined && other !== total)
      context.addIssue({ code: "custom", message: `account ${accountId} has ${other} and ${total}` });
    totals.set(accountId, total);
  }
}
