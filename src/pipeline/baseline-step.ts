/**
 * Takes the baseline: the present balances become the opening balances. What has already moved money or ended, or is no
 * longer shown, is not ours to explain. What has yet to move money stays ours, because the opening balances do not
 * include it, but never raises the alarm that no file asked for it.
 */
import type { Problem } from "../faults/index.ts";
import type { ObservedFunds } from "../model/index.ts";
import { depositWindows, type Known, payoutWindows } from "../observation/index.ts";
import { appendAudit } from "../store/audit.ts";
import { type BalanceSnapshot, keepBalance } from "../store/balances.ts";
import { settleBreaks } from "../store/breaks.ts";
import { markBeforeBaseline } from "../store/observed.ts";
import type { Transaction } from "../store/sql.ts";
import { compareWithSweep } from "./reconcile/compare-all.ts";
import { aloneOrFault } from "./sending/alone.ts";
import { notShownSince, type SweptKeys, sweepKeys } from "./workplace/sweep-keys.ts";
import type { Workplace } from "./workplace/workplace.ts";

export interface BaselineReport {
  readonly openings: readonly BalanceSnapshot[];
  readonly payoutsBefore: number;
  readonly depositsBefore: number;
  /** Open payouts that no file asked for: followed and booked, without an alarm. */
  readonly strangersOpen: number;
  /** Whether no money moved while the balances were taken; otherwise a movement may be counted twice. */
  readonly isAtRest: boolean;
  /** What could not be read, or kept moving: it is not in the baseline and will be a break. */
  readonly problems: readonly Problem[];
}

/** Takes the baseline. Throws RECONCILE_UNDER_WAY while another process compares. */
export function baselineStep(workplace: Workplace, person: string): Promise<BaselineReport> {
  return aloneOrFault(workplace.store, "reconcile", (store) => takeBaseline({ ...workplace, store }, person));
}

async function takeBaseline(workplace: Workplace, person: string): Promise<BaselineReport> {
  const { store, context } = workplace;
  const { swept, isAtRest } = await sweptAtRest(workplace);
  const openings = swept.balances;
  const payouts = await idsBefore(payoutWindows(store), ({ sentFunds }) => sentFunds, swept);
  const deposits = await idsBefore(depositWindows(store), ({ receivedFunds }) => receivedFunds, swept);
  await store.write(function* (): Transaction<void> {
    for (const opening of openings) yield* keepBalance("opening", opening);
    yield* markBeforeBaseline("payout", payouts);
    yield* markBeforeBaseline("deposit", deposits);
    const at = context.clock.now();
    const detail = { balances: openings.length, payouts: payouts.length, deposits: deposits.length };
    yield* appendAudit({ at, person, action: "baseline", subject: "reconciliation", detail });
  });
  const { breaks } = await compareWithSweep(workplace, swept, context.clock.now());
  const strangers = breaks.filter(({ kind, field }) => kind === "unexpected" && field === undefined);
  const reason = "it was there when the baseline was taken";
  await store.write(() => settleBreaks(strangers, { settledAt: context.clock.now(), person, reason }));
  const problems = [...swept.payoutSweep.problems, ...swept.depositSweep.problems];
  return {
    openings,
    payoutsBefore: payouts.length,
    depositsBefore: deposits.length,
    strangersOpen: strangers.length,
    isAtRest,
    problems,
  };
}

/** The ids that had moved money or ended by now, or that are no longer shown. */
async function idsBefore<Resource>(
  windows: AsyncIterable<readonly Known<Resource>[]>,
  fundsOf: (resource: Resource) => readonly ObservedFunds[],
  swept: SweptKeys,
): Promise<string[]> {
  const before: string[] = [];
  for await (const window of windows)
    for (const known of window) {
      const isOver = known.hasEnded || fundsOf(known.resource).length > 0;
      if (isOver || notShownSince(known, swept) !== undefined) before.push(known.id);
    }
  return before;
}

const LOOKS_MAX = 5;

/**
 * Sweeps between two readings of the balances until these are equal. Otherwise a payout that moved between the sweep
 * and the balances would be in them and still count as ours, and its movement be counted twice for ever.
 */
async function sweptAtRest(workplace: Workplace): Promise<{ swept: SweptKeys; isAtRest: boolean }> {
  let swept = await sweepKeys(workplace);
  for (let look = 1; look <= LOOKS_MAX; look += 1) {
    const before = totalsOf(swept);
    swept = await sweepKeys(workplace);
    if (totalsOf(swept) === before) return { swept, isAtRest: true };
  }
  return { swept, isAtRest: false };
}

function totalsOf({ balances }: SweptKeys): string {
  return balances
    .map(({ custodyAccountId, total }) => `${custodyAccountId} ${total.value.normalized()} ${total.currency}`)
    .sort()
    .join();
}
