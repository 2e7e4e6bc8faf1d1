/**
 * The beginning of our time: the balances of now become the opening ones, and what has already moved money or ended is not
 * ours to explain, nor what the service does not show any more. What is still to move money stays ours, because the opening balances do
 * not hold its movement yet.
 */
import { fault, type Problem } from "../faults/index.ts";
import { depositStateMeaning, hasEnded, payoutStateMeaning } from "../model/index.ts";
import { knownDeposits, knownPayouts } from "../observation/index.ts";
import { appendAudit } from "../store/audit.ts";
import { type BalanceSnapshot, keepBalance } from "../store/balances.ts";
import { markBeforeBaseline } from "../store/observed.ts";
import type { Transaction } from "../store/sql.ts";
import { alone } from "./sending/alone.ts";
import { depositsNotShown, payoutsNotShown, sweepKeys } from "./workplace/sweep-keys.ts";
import type { Workplace } from "./workplace/workplace.ts";

export interface BaselineReport {
  readonly openings: readonly BalanceSnapshot[];
  readonly payoutsBefore: number;
  readonly depositsBefore: number;
  /** What could not be read, or did not come to rest: it is missing here, and will be a break. */
  readonly problems: readonly Problem[];
}

/** Throws RECONCILE_UNDER_WAY while another process compares. */
export async function baselineStep(workplace: Workplace, person: string): Promise<BaselineReport> {
  const taken = await alone(workplace.store, "reconcile", (store) =>
    takeBaseline({ ...workplace, store }, person),
  );
  if (taken === undefined) throw fault("RECONCILE_UNDER_WAY", {});
  return taken.result;
}

async function takeBaseline(workplace: Workplace, person: string): Promise<BaselineReport> {
  const { store, context } = workplace;
  const swept = await sweepKeys(workplace);
  const openings = swept.balances;
  const payouts = await knownPayouts(store);
  const deposits = await knownDeposits(store);
  const gone = new Set<unknown>([...payoutsNotShown(payouts, swept), ...depositsNotShown(deposits, swept)]);
  const payoutsBefore = payouts
    .filter(
      (one) =>
        gone.has(one) ||
        one.resource.sentFunds.length > 0 ||
        hasEnded(payoutStateMeaning(one.resource.state)),
    )
    .map(({ resource }) => resource.payoutId);
  const depositsBefore = deposits
    .filter(
      (one) =>
        gone.has(one) ||
        one.resource.receivedFunds.length > 0 ||
        hasEnded(depositStateMeaning(one.resource.state)),
    )
    .map(({ resource }) => resource.depositId);
  await store.write(function* (): Transaction<void> {
    for (const opening of openings) yield* keepBalance("opening", opening);
    yield* markBeforeBaseline("payout", payoutsBefore);
    yield* markBeforeBaseline("deposit", depositsBefore);
    const detail = {
      balances: openings.length,
      payouts: payoutsBefore.length,
      deposits: depositsBefore.length,
    };
    yield* appendAudit({
      at: context.clock.now(),
      person,
      action: "baseline",
      subject: "reconciliation",
      detail,
    });
  });
  const problems = [...swept.payoutSweep.problems, ...swept.depositSweep.problems];
  return {
    openings,
    payoutsBefore: payoutsBefore.length,
    depositsBefore: depositsBefore.length,
    problems,
  };
}
