/**
 * The whole way of one file in one life of a process: the scheduled jobs and the two approvers, one after the other.
 */

import { exportStep, ledgerStep } from "../../../src/books/index.ts";
import { intakeStep } from "../../../src/files/intake-step.ts";
import { type ReconciliationReport, reconcileStep } from "../../../src/nights/index.ts";
import { resolveDoubtStep } from "../../../src/payments/doubt-step.ts";
import { payStep } from "../../../src/payments/pay-step.ts";
import { trackStep } from "../../../src/payments/track-step.ts";
import { listByStanding } from "../../../src/store/instructions.ts";
import type { Workplace } from "../../../src/workplace/workplace.ts";
import { approveAll } from "../people.ts";

/** Long enough for payouts to settle. */
const SETTLING_MS = 10 * 60_000;

/** From the inbox to the ledger files. Returns the last comparison. */
export async function wholeWay(workplace: Workplace): Promise<ReconciliationReport> {
  await intakeStep(workplace);
  await approveAll(workplace);
  await payStep(workplace);
  await workplace.context.clock.sleep(SETTLING_MS);
  await trackStep(workplace);
  const report = await reconcileStep(workplace);
  await ledgerStep(workplace);
  await exportStep(workplace);
  return report;
}

/**
 * A person has looked everywhere, so the doubts are sent once more; those that were found meanwhile are left to the
 * next run.
 */
export async function resendDoubts(workplace: Workplace, arrived: ReadonlySet<string>): Promise<void> {
  for (const { fields } of await workplace.store.read(() => listByStanding("in doubt"))) {
    if (arrived.has(fields.reference)) continue;
    const decision = {
      reference: fields.reference,
      person: "tess",
      reason: "the service's operator has nothing",
    };
    await resolveDoubtStep(workplace, decision, { by: "resend" });
  }
}
