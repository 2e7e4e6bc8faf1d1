/** The ledger's policy by the configuration, and the day through which the books are closed. */
import { isProblem, type Problem } from "../faults/index.ts";
import type { Day, Instant, InstructionFields } from "../model/index.ts";
import { lastClosedMonth } from "../store/periods.ts";
import type { Transaction } from "../store/sql.ts";
import { custodyAccountsOf } from "../workplace/custody-accounts.ts";
import type { Workplace } from "../workplace/workplace.ts";
import type { Chart } from "./chart/look-up.ts";
import { targetNames } from "./chart/target-names.ts";
import { namedTables, unfittingIn } from "./formats/named-tables.ts";
import { expectedEntry } from "./rules/expected-entry.ts";
import { closedThroughOf } from "./rules/periods.ts";
import type { LedgerPolicy } from "./rules/policy.ts";

/** By the configuration or by closed months, whichever is later; undefined while everything is open. */
export function* closedThroughNow({ ledger }: Workplace["config"]): Transaction<Day | undefined> {
  return closedThroughOf(ledger.closedThrough, yield* lastClosedMonth());
}

/**
 * For posting: with the months closed so far. `postedAt`: the last posting. `now` is not earlier, so that a clock set
 * back does not make posted entries look unsettled.
 */
export async function postingPolicy(
  workplace: Workplace,
  chart: Chart,
  postedAt: Instant = "",
): Promise<LedgerPolicy> {
  const policy = ledgerPolicy(workplace, chart);
  const closedThrough = await workplace.store.read(() => closedThroughNow(workplace.config));
  return { ...policy, closedThrough, now: policy.now > postedAt ? policy.now : postedAt };
}

/** Why a target could not hold the entry of a payment that is not made yet, without changing a letter. */
export function unfittingPayment(
  workplace: Workplace,
  chart: Chart,
): (fields: InstructionFields) => Problem | undefined {
  const policy = { ...ledgerPolicy(workplace, chart), isInstructed: () => true };
  const unfitting = unfittingAnyTarget(workplace, chart, true);
  return (fields) => {
    const entry = expectedEntry(fields, chart, policy);
    return isProblem(entry) ? undefined : unfitting(entry);
  };
}

function ledgerPolicy(workplace: Workplace, chart: Chart): LedgerPolicy {
  const { config, context, scales } = workplace;
  const { chart: _chart, exports: _exports, ...rules } = config.ledger;
  return {
    ...rules,
    now: context.clock.now(),
    scales,
    custodyAccounts: custodyAccountsOf(config),
    isInstructed: () => false,
    unfitting: unfittingAnyTarget(workplace, chart, false),
  };
}

function unfittingAnyTarget({ config, scales }: Workplace, { rows }: Chart, everyLetter: boolean) {
  const { exports, chart: file, functionalCurrency } = config.ledger;
  const format = { functionalCurrency, scales };
  return unfittingIn(namedTables(exports, targetNames(file, rows), format), format, everyLetter);
}
