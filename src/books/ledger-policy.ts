/** The ledger's policy as this workplace is configured, and through which day its books are closed. */
import type { Day, Instant } from "../model/index.ts";
import { custodyAccountsOf } from "../pipeline/workplace/custody-accounts.ts";
import type { Workplace } from "../pipeline/workplace/workplace.ts";
import { lastClosedMonth } from "../store/periods.ts";
import type { Transaction } from "../store/sql.ts";
import { unfittingIn } from "./formats/unfitting.ts";
import { closedThroughOf } from "./rules/periods.ts";
import type { LedgerPolicy } from "./rules/policy.ts";

/** By the configuration or by closed months, whichever is later; undefined while everything is open. */
export function* closedThroughNow({ ledger }: Workplace["config"]): Transaction<Day | undefined> {
  return closedThroughOf(ledger.closedThrough, yield* lastClosedMonth());
}

/**
 * Days are those of the configuration alone: what posts adds the closed months. `now` is never earlier than the last posting,
 * so that a clock set back does not make posted entries look unsettled.
 */
export function ledgerPolicy({ config, context, scales }: Workplace, postedAt: Instant = ""): LedgerPolicy {
  const { chart: _chart, exports, ...rules } = config.ledger;
  const now = context.clock.now();
  return {
    ...rules,
    now: now > postedAt ? now : postedAt,
    scales,
    custodyAccounts: custodyAccountsOf(config),
    isInstructed: () => false,
    unfitting: unfittingIn(exports, { ...rules, scales }),
  };
}
