/** The nightly comparison: everything the service shows against everything we asked for, in both directions. */
import type { Problem } from "../faults/index.ts";
import { dayIn } from "../model/index.ts";
import type { Sweep } from "../observation/index.ts";
import type { Reconciliation } from "../reconciliation/index.ts";
import { keepBalance } from "../store/balances.ts";
import { listOpenBreaks, replaceOpenBreaks, type StoredBreak } from "../store/breaks.ts";
import type { Transaction } from "../store/sql.ts";
import { compareAll } from "./reconcile/compare-all.ts";
import { sweepKeys } from "./workplace/sweep-keys.ts";
import type { Workplace } from "./workplace/workplace.ts";

export interface ReconciliationReport extends Reconciliation {
  /** The day of the comparison in the company's time zone. */
  readonly day: string;
  readonly payoutSweep: Sweep;
  readonly depositSweep: Sweep;
  readonly openBreaks: readonly StoredBreak[];
  readonly problems: readonly Problem[];
}

/** Sweeps all pages, compares, and keeps the breaks. Throws a SERVICE_ fault when the service cannot be asked. */
export async function reconcileStep(workplace: Workplace): Promise<ReconciliationReport> {
  const { store, config, context } = workplace;
  const swept = await sweepKeys(workplace);
  const { payoutSweep, depositSweep, balances } = swept;
  const at = context.clock.now();
  const result = await compareAll(store, swept, {
    now: at,
    stuckAfterMinutes: config.reconciliation.stuckAfterMinutes,
    correlation: config.service.correlation,
    depositFee: config.ledger.depositFee,
  });
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
