/** The nightly comparison, in both directions: everything the service shows against everything we asked for. */
import { Fault, type Problem } from "../faults/index.ts";
import { dayIn, type Instant } from "../model/index.ts";
import { present } from "../model/present.ts";
import type { Sweep } from "../observation/index.ts";
import { exclusivelyOrFault } from "../pipeline/workplace/exclusively.ts";
import type { Workplace } from "../pipeline/workplace/workplace.ts";
import { recordBalance } from "../store/balances.ts";
import { replaceOpenBreaks } from "../store/breaks.ts";
import { beginComparison, endComparison, failComparison, type Incomplete } from "../store/comparison.ts";
import type { Transaction } from "../store/sql.ts";
import { compareWithSweep } from "./compare-all.ts";
import { changedSinceLastNight, keepNight } from "./keep-night.ts";
import { type BreaksReport, breaksStep } from "./register/breaks-step.ts";
import type { Reconciliation } from "./rules/index.ts";
import { lookAgain, type SweptKeys, sweepKeys } from "./sweep-keys.ts";

export interface ReconciliationReport extends Reconciliation {
  /** The day of the comparison in the company's time zone. */
  readonly day: string;
  readonly payoutSweep: Sweep;
  readonly depositSweep: Sweep;
  /** The time of the comparison; a break that opened then is new. */
  readonly comparedAt: Instant;
  /** The number of the night, by which its report is kept. */
  readonly night: number;
  readonly openBreaks: BreaksReport["open"];
  readonly settledBreaks: BreaksReport["settled"];
  /** Since when no comparison has been complete, and why this one is not. */
  readonly incomplete?: Incomplete;
  readonly problems: readonly Problem[];
}

/**
 * Sweeps all pages, compares, and stores the breaks. Throws a SERVICE_ fault when the service cannot be asked, and
 * UNDER_WAY while another process compares: if an older sweep were stored last, it would close what the newer
 * one found.
 */
export function reconcileStep(workplace: Workplace): Promise<ReconciliationReport> {
  return exclusivelyOrFault(workplace, "reconcile", compare);
}

/** Of a comparison that is under way, or whose process died. */
const NOT_ENDED = {
  code: "UNDER_WAY",
  message: "one has begun and not ended: it is under way, or its process died",
} as const satisfies Pick<Problem, "code" | "message">;

/** Stored as incomplete before the service is asked, so that it stays known if this process dies. */
async function compare(workplace: Workplace): Promise<ReconciliationReport> {
  const { store, context } = workplace;
  // A secret that is missing is a mistake of the command's, not of the comparison.
  for (const view of workplace.underKeys) view.service();
  await store.write(() => beginComparison(context.clock.now(), NOT_ENDED));
  try {
    return await compareAll(workplace);
  } catch (error) {
    if (error instanceof Fault) await store.write(() => failComparison(error.problem));
    throw error;
  }
}

async function compareAll(workplace: Workplace): Promise<ReconciliationReport> {
  const { store, config, context } = workplace;
  const swept = await sweepKeys(workplace);
  const { payoutSweep, depositSweep } = swept;
  const problems = [...payoutSweep.problems, ...depositSweep.problems];
  const [first] = problems;
  const at = context.clock.now();
  const { result, balances } = await compareAtRest(workplace, swept, at);
  const changed = await changedSinceLastNight(workplace);
  const night = await store.write(function* (): Transaction<number> {
    for (const balance of balances) yield* recordBalance("latest", balance);
    yield* replaceOpenBreaks(result.breaks, at);
    yield* endComparison(at, first);
    return yield* keepNight(workplace, at, result, problems, changed);
  });
  const { incomplete, open, settled } = await breaksStep(workplace);
  return {
    ...result,
    day: dayIn(config.ledger.timeZone, at),
    payoutSweep,
    depositSweep,
    comparedAt: at,
    night,
    openBreaks: open,
    settledBreaks: settled,
    ...present({ incomplete }),
    problems,
  };
}

const LOOKS_MAX = 3;

/**
 * Compares, and repeats the balances until the proofs tie or the differences stop changing: money that moves between
 * the sweep and the balances makes a correct proof differ.
 */
async function compareAtRest(workplace: Workplace, swept: SweptKeys, at: Instant) {
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

/** The balance differences as text; empty if all proofs tie. */
function differences({ balanceProof }: Reconciliation): string {
  const off = balanceProof.filter(({ ties, difference }) => !ties && difference !== undefined);
  return off
    .map(({ custodyAccountId, expected, found }) => `${custodyAccountId} ${expected} ${found}`)
    .join();
}
