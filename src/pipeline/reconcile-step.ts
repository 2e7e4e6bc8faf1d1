/** The nightly comparison: everything the service shows against everything we asked for, in both directions. */
import { fault, type Problem } from "../faults/index.ts";
import { dayIn, type Instant, type Instruction, type ObservedPayout, type PayoutId } from "../model/index.ts";
import {
  departuresOfFailed,
  departureText,
  type Known,
  knownDeposits,
  knownPayouts,
  type Sweep,
} from "../observation/index.ts";
import { type Reconciliation, reconcile } from "../reconciliation/index.ts";
import { listPaidAgain } from "../store/again.ts";
import { keepBalance, listBalances } from "../store/balances.ts";
import { listOpenBreaks, replaceOpenBreaks, type StoredBreak } from "../store/breaks.ts";
import { listAcceptedSince, listInstructions } from "../store/instructions.ts";
import type { Transaction } from "../store/sql.ts";
import { alone } from "./sending/alone.ts";
import { depositsNotShown, payoutsNotShown, sweepKeys } from "./workplace/sweep-keys.ts";
import type { Workplace } from "./workplace/workplace.ts";

export interface ReconciliationReport extends Reconciliation {
  /** The day of the comparison in the company's time zone. */
  readonly day: string;
  readonly payoutSweep: Sweep;
  readonly depositSweep: Sweep;
  readonly openBreaks: readonly StoredBreak[];
  readonly problems: readonly Problem[];
}

/**
 * Sweeps all pages, compares, and keeps the breaks. Throws a SERVICE_ fault when the service cannot be asked, and RECONCILE_UNDER_WAY while
 * another process does it: an older sweep that is kept last would close what the newer one has found.
 */
export async function reconcileStep(workplace: Workplace): Promise<ReconciliationReport> {
  const compared = await alone(workplace.store, "reconcile", (store) => compare({ ...workplace, store }));
  if (compared === undefined) throw fault("RECONCILE_UNDER_WAY", {});
  return compared.result;
}

async function compare(workplace: Workplace): Promise<ReconciliationReport> {
  const { store, config, context } = workplace;
  const swept = await sweepKeys(workplace);
  const { begunAt, payoutSweep, depositSweep, balances } = swept;
  const at = context.clock.now();
  const payouts = await knownPayouts(store);
  const deposits = await knownDeposits(store);
  const result = reconcile(
    {
      instructions: await store.read(() => sweptInstructions(begunAt, payouts)),
      payouts: payouts.map(({ resource }) => resource),
      deposits: deposits.map(({ resource }) => resource),
      balances,
      openings: await store.read(() => listBalances("opening")),
      paidAgain: await store.read(() => listPaidAgain()),
      departures: await store.read(() => departureTexts(payouts.map(({ resource }) => resource))),
      notShown: new Map<string, Instant>([
        ...payoutsNotShown(payouts, swept).map((one) => [one.resource.payoutId, one.lastSeenAt] as const),
        ...depositsNotShown(deposits, swept).map((one) => [one.resource.depositId, one.lastSeenAt] as const),
      ]),
      ignoredPayoutIds: new Set(payouts.filter((p) => p.beforeBaseline).map((p) => p.resource.payoutId)),
      ignoredDepositIds: new Set(deposits.filter((d) => d.beforeBaseline).map((d) => d.resource.depositId)),
    },
    {
      now: at,
      stuckAfterMinutes: config.reconciliation.stuckAfterMinutes,
      correlation: config.service.correlation,
      depositFee: config.ledger.depositFee,
    },
  );
  const openBreaks = await store.write(function* (): Transaction<StoredBreak[]> {
    for (const balance of balances) yield* keepBalance("latest", balance);
    yield* replaceOpenBreaks(result.breaks, at);
    return yield* listOpenBreaks();
  });
  return {
    ...result,
    day: dayIn(config.ledger.timeZone, at),
    payoutSweep,
    depositSweep,
    openBreaks,
    problems: [...payoutSweep.problems, ...depositSweep.problems],
  };
}

/** A payout that was accepted during the sweep may not be in it. Its instruction counts as still being sent, so that it is not reported as missing. */
function* sweptInstructions(
  begunAt: Instant,
  payouts: readonly Known<ObservedPayout>[],
): Transaction<Instruction[]> {
  const seen = new Set(payouts.map(({ resource }) => resource.payoutId));
  const late = new Set(yield* listAcceptedSince(begunAt));
  return (yield* listInstructions()).map((one) =>
    late.has(one.id) && one.payoutId !== undefined && !seen.has(one.payoutId)
      ? { ...one, standing: "sending" }
      : one,
  );
}

function* departureTexts(payouts: readonly ObservedPayout[]): Transaction<ReadonlyMap<PayoutId, string>> {
  const departures = yield* departuresOfFailed(payouts);
  return new Map([...departures].map(([payoutId, departure]) => [payoutId, departureText(departure)]));
}
