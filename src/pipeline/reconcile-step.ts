/** The nightly comparison: everything the service shows against everything we asked for, in both directions. */
import type { Problem } from "../faults/index.ts";
import {
  dayIn,
  type Instant,
  type Instruction,
  type ObservedBalance,
  type ObservedPayout,
  type PayoutId,
} from "../model/index.ts";
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
import { replaceOpenBreaks } from "../store/breaks.ts";
import { listAcceptedSince, listInstructions } from "../store/instructions.ts";
import type { Transaction } from "../store/sql.ts";
import { type BreaksReport, breaksStep } from "./breaks-step.ts";
import {
  depositsNotShown,
  lookAgain,
  payoutsNotShown,
  type SweptKeys,
  sweepKeys,
} from "./workplace/sweep-keys.ts";
import type { Workplace } from "./workplace/workplace.ts";

export interface ReconciliationReport extends Reconciliation {
  /** The day of the comparison in the company's time zone. */
  readonly day: string;
  readonly payoutSweep: Sweep;
  readonly depositSweep: Sweep;
  /** When it was compared: a break that opened then is a new one. */
  readonly comparedAt: Instant;
  readonly openBreaks: BreaksReport["open"];
  readonly settledBreaks: BreaksReport["settled"];
  readonly problems: readonly Problem[];
}

/** Sweeps all pages, compares, and keeps the breaks. Throws a SERVICE_ fault when the service cannot be asked. */
export async function reconcileStep(workplace: Workplace): Promise<ReconciliationReport> {
  const { store, config, context } = workplace;
  const swept = await sweepKeys(workplace);
  const { payoutSweep, depositSweep } = swept;
  const at = context.clock.now();
  const { result, balances } = await compareAtRest(workplace, swept, at);
  await store.write(function* (): Transaction<void> {
    for (const balance of balances) yield* keepBalance("latest", balance);
    yield* replaceOpenBreaks(result.breaks, at);
  });
  const { open, settled } = await breaksStep(workplace);
  return {
    ...result,
    day: dayIn(config.ledger.timeZone, at),
    payoutSweep,
    depositSweep,
    comparedAt: at,
    openBreaks: open,
    settledBreaks: settled,
    problems: [...payoutSweep.problems, ...depositSweep.problems],
  };
}

const LOOKS_MAX = 3;

/**
 * Money that moves between the sweep and the balances makes a proof differ that ties. So what does not tie is looked at again, until it
 * ties or stands still.
 */
async function compareAtRest(workplace: Workplace, swept: SweptKeys, at: Instant): Promise<Comparison> {
  let [latest, result] = [swept, await compareWithSweep(workplace, swept, at)];
  let before = "";
  for (let look = 1; look < LOOKS_MAX; look += 1) {
    const differs = differences(result);
    if (differs === "" || differs === before) break;
    before = differs;
    latest = await lookAgain(workplace, latest);
    result = await compareWithSweep(workplace, latest, at);
  }
  return { result, balances: latest.balances };
}

interface Comparison {
  readonly result: Reconciliation;
  readonly balances: readonly ObservedBalance[];
}

/** Of the balances that do not tie; empty where all do. */
function differences({ balanceProof }: Reconciliation): string {
  const off = balanceProof.filter(({ ties, difference }) => !ties && difference !== undefined);
  return off
    .map(({ custodyAccountId, expected, found }) => `${custodyAccountId} ${expected} ${found}`)
    .join();
}

/** Everything that was asked for against everything that was ever shown; changes nothing. */
export async function compareWithSweep(
  { store, config }: Workplace,
  swept: SweptKeys,
  at: Instant,
): Promise<Reconciliation> {
  const payouts = await knownPayouts(store);
  const deposits = await knownDeposits(store);
  return reconcile(
    {
      instructions: await store.read(() => sweptInstructions(swept.begunAt, payouts)),
      payouts: payouts.map(({ resource }) => resource),
      deposits: deposits.map(({ resource }) => resource),
      balances: swept.balances,
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
      batchFee: config.ledger.batchFee,
      depositFee: config.ledger.depositFee,
    },
  );
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
