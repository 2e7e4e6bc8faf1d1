/**
 * The beginning of our time: the balances of now become the opening ones, and what has already moved money or ended is not
 * ours to explain. What is still to move money stays ours, because the opening balances do not hold its movement yet.
 */
import type { Problem } from "../faults/index.ts";
import { depositStateMeaning, hasEnded, payoutStateMeaning } from "../model/index.ts";
import { knownDeposits, knownPayouts } from "../observation/index.ts";
import { appendAudit } from "../store/audit.ts";
import { type BalanceSnapshot, keepBalance } from "../store/balances.ts";
import { markBeforeBaseline } from "../store/observed.ts";
import type { Transaction } from "../store/sql.ts";
import { sweepKeys } from "./sweep-keys.ts";
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
  const { balances: openings, payoutSweep, depositSweep } = await sweepKeys(workplace);
  const payouts = (await knownPayouts(store))
    .filter(({ resource }) => resource.sentFunds.length > 0 || hasEnded(payoutStateMeaning(resource.state)))
    .map(({ resource }) => resource.payoutId);
  const deposits = (await knownDeposits(store))
    .filter(
      ({ resource }) => resource.receivedFunds.length > 0 || hasEnded(depositStateMeaning(resource.state)),
    )
    .map(({ resource }) => resource.depositId);
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
  const problems = [...payoutSweep.problems, ...depositSweep.problems];
  return { openings, payoutsBefore: payouts.length, depositsBefore: deposits.length, problems };
}
