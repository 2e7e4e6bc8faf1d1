/**
 * The beginning of our time: the balances of now become the opening ones, and what has already moved money or ended is not
 * ours to explain, nor what the service does not show any more. What is still to move money stays ours, because the opening balances do
 * not hold its movement yet.
 */
import type { Problem } from "../faults/index.ts";
import { depositStateMeaning, hasEnded, payoutStateMeaning } from "../model/index.ts";
import { type Known, knownDeposits, knownPayouts, type Sweep } from "../observation/index.ts";
import { appendAudit } from "../store/audit.ts";
import { type BalanceSnapshot, keepBalance } from "../store/balances.ts";
import { markBeforeBaseline } from "../store/observed.ts";
import type { Transaction } from "../store/sql.ts";
import { notShown, sweepKeys } from "./sweep-keys.ts";
import type { Workplace } from "./workplace.ts";

export interface BaselineReport {
  readonly openings: readonly BalanceSnapshot[];
  readonly payoutsBefore: number;
  readonly depositsBefore: number;
  /** What could not be read, or did not come to rest: it is missing here, and will be a break. */
  readonly problems: readonly Problem[];
}

export async function baselineStep(workplace: Workplace, person: string): Promise<BaselineReport> {
  const { store, context } = workplace;
  const swept = await sweepKeys(workplace);
  const openings = swept.balances;
  const before = <Resource>(known: Known<Resource>[], sweep: Sweep, isOver: (one: Resource) => boolean) => {
    const lost = new Set(notShown(known, sweep, swept));
    return known.filter((one) => lost.has(one) || isOver(one.resource)).map(({ resource }) => resource);
  };
  const payouts = before(
    await knownPayouts(store),
    swept.payoutSweep,
    ({ state, sentFunds }) => sentFunds.length > 0 || hasEnded(payoutStateMeaning(state)),
  ).map(({ payoutId }) => payoutId);
  const deposits = before(
    await knownDeposits(store),
    swept.depositSweep,
    ({ state, receivedFunds }) => receivedFunds.length > 0 || hasEnded(depositStateMeaning(state)),
  ).map(({ depositId }) => depositId);
  await store.write(function* (): Transaction<void> {
    for (const opening of openings) yield* keepBalance("opening", opening);
    yield* markBeforeBaseline("payout", payouts);
    yield* markBeforeBaseline("deposit", deposits);
    const detail = { balances: openings.length, payouts: payouts.length, deposits: deposits.length };
    yield* appendAudit({
      at: context.clock.now(),
      person,
      action: "baseline",
      subject: "reconciliation",
      detail,
    });
  });
  const problems = [...swept.payoutSweep.problems, ...swept.depositSweep.problems];
  return { openings, payoutsBefore: payouts.length, depositsBefore: deposits.length, problems };
}
