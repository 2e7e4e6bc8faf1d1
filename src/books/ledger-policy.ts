/** The ledger's policy as this workplace is configured. */

import type { Instant } from "../model/index.ts";
import { custodyAccountsOf } from "../pipeline/workplace/custody-accounts.ts";
import type { Workplace } from "../pipeline/workplace/workplace.ts";
import { unfittingIn } from "./formats/unfitting.ts";
import type { LedgerPolicy } from "./rules/policy.ts";

/** Never earlier than the last posting, so that a clock set back does not make posted entries look unsettled. */
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
