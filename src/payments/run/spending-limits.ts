/** The configured limits of a payment and of its day, without what sending takes: the overview shows what is left. */
import type { Config } from "../../config/index.ts";
import { dayIn } from "../../model/index.ts";
import type { SpendingLimits } from "../sending/index.ts";

/** How much may be sent at once and on a day, and which day it is. */
export function spendingLimitsOf({ limits, ledger }: Pick<Config, "limits" | "ledger">): SpendingLimits {
  return {
    limitPerRow: limits.perRow,
    limitPerDay: limits.perDay,
    limitPerDestination: limits.perDestination,
    dayOf: (instant) => dayIn(ledger.timeZone, instant),
  };
}
