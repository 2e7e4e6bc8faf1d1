/** The ledger's policy by the configuration, and the day through which the books are closed. */
import type { Day, Instant } from "../model/index.ts";
import { lastClosedMonth } from "../store/periods.ts";
import type { Transaction } from "../store/sql.ts";
import { custodyAccountsOf } from "../workplace/custody-accounts.ts";
import type { Workplace } from "../workplace/workplace.ts";
import type { Chart } from "./chart/look-up.ts";
import { targetNames } from "./chart/target-names.ts";
import { namedTables, unfittingIn } from "./formats/named-tables.ts";
import { closedThroughOf } from "./rules/periods.ts";
import type { LedgerPolicy } from "./rules/policy.ts";

/** By the configuration or by closed months, whichever is later; undefined while everything is open. */
export function* closedThroughNow({ ledger }: Workplace["config"]): Transaction<Day | undefined> {
  return closedThroughOf(ledger.closedThrough, yield* lastClosedMonth());
}

/**
 * `chart`: for the names of accounts; undefined without one. The caller must add `closedThrough` by
 * `closedThroughNow`; here only the configuration's closed days count. `now` is never earlier than the last
 * posting, so that a clock set back does not make posted entries look unsettled.
 */
export function ledgerPolicy(
  { config, context, scales }: Workplace,
  chart: Chart | undefined,
  postedAt: Instant = "",
): LedgerPolicy {
  const { chart: _chart, exports, ...rules } = config.ledger;
  const now = context.clock.now();
  const format = { ...rules, scales };
  const tables = namedTables(exports, targetNames(config.ledger.chart, chart?.rows ?? []), format);
  return {
    ...rules,
    now: now > postedAt ? now : postedAt,
    scales,
    custodyAccounts: custodyAccountsOf(config),
    isInstructed: () => false,
    unfitting: unfittingIn(tables, format),
  };
}
