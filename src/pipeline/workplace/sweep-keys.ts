/** Everything that the service shows to any of the configuration's keys: all payouts, all deposits, and the balances. */
import {
  depositStateMeaning,
  hasEnded,
  type Instant,
  type ObservedBalance,
  type ObservedDeposit,
  type ObservedPayout,
  payoutStateMeaning,
  type StateMeaning,
} from "../../model/index.ts";
import {
  type Known,
  observeBalances,
  type Sweep,
  sweepDeposits,
  sweepPayouts,
} from "../../observation/index.ts";
import { checkAgreement } from "./agreement.ts";
import { custodyAccountsOf } from "./custody-accounts.ts";
import type { Workplace } from "./workplace.ts";

export interface SweptKeys {
  readonly begunAt: Instant;
  readonly payoutSweep: Sweep;
  readonly depositSweep: Sweep;
  /** Of the configuration's custody accounts, as they are now. */
  readonly balances: readonly ObservedBalance[];
}

/** Sweeps under one key after the other. What two keys both see counts in both sweeps. Throws a SERVICE_ fault, or CONFIGURATION_DIFFERS. */
export async function sweepKeys(workplace: Workplace): Promise<SweptKeys> {
  await checkAgreement(workplace);
  const begunAt = workplace.context.clock.now();
  const payoutSweeps: Sweep[] = [];
  const depositSweeps: Sweep[] = [];
  const balances: ObservedBalance[] = [];
  for (const view of workplace.underKeys) {
    const { tools } = view.service();
    payoutSweeps.push(await sweepPayouts(tools));
    depositSweeps.push(await sweepDeposits(tools));
    const custodyAccountIds = custodyAccountsOf(view.config).map(({ id }) => id);
    balances.push(...(await observeBalances(tools, custodyAccountIds)));
  }
  return { begunAt, payoutSweep: together(payoutSweeps), depositSweep: together(depositSweeps), balances };
}

export function payoutsNotShown(
  known: readonly Known<ObservedPayout>[],
  { payoutSweep, begunAt }: SweptKeys,
): Known<ObservedPayout>[] {
  return notShown(known, payoutSweep, begunAt, payoutStateMeaning);
}

export function depositsNotShown(
  known: readonly Known<ObservedDeposit>[],
  { depositSweep, begunAt }: SweptKeys,
): Known<ObservedDeposit>[] {
  return notShown(known, depositSweep, begunAt, depositStateMeaning);
}

/**
 * What was seen before, and is not in a sweep that tied; nothing where it did not. A service may leave out after a while what has ended;
 * what was seen at one instant only may never have been.
 */
function notShown<Resource extends { readonly state: string }>(
  known: readonly Known<Resource>[],
  { complete }: Sweep,
  begunAt: Instant,
  meaningOf: (state: string) => StateMeaning | undefined,
): Known<Resource>[] {
  const isOver = ({ resource, firstSeenAt, lastSeenAt }: Known<Resource>) =>
    hasEnded(meaningOf(resource.state)) && firstSeenAt < lastSeenAt;
  return complete ? known.filter((one) => one.lastSeenAt < begunAt && !isOver(one)) : [];
}

function together(sweeps: readonly Sweep[]): Sweep {
  return {
    elementsSeen: sweeps.reduce((sum, { elementsSeen }) => sum + elementsSeen, 0),
    pagesRead: sweeps.reduce((sum, { pagesRead }) => sum + pagesRead, 0),
    complete: sweeps.every(({ complete }) => complete),
    changes: sweeps.flatMap(({ changes }) => changes),
    problems: sweeps.flatMap(({ problems }) => problems),
  };
}
