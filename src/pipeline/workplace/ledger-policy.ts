/** The ledger's policy as this workplace is configured. */
import { unfittingIn } from "../../exports/ledger-table.ts";
import type { LedgerPolicy } from "../../ledger/index.ts";
import type { Instant } from "../../model/index.ts";
import { custodyAccountsOf } from "./custody-accounts.ts";
import type { Workplace } from "./workplace.ts";

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
