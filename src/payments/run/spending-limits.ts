/**
 * The configured limits per payment and per day. Separate from sending, because the overview shows how much of them
 * is left.
 */
import type { Config } from "../../config/index.ts";
import { dayIn } from "../../model/index.ts";
import type { SpendingLimits } from "../sending/index.ts";

/** The limits per payment and per day, and which day it is. */
export function spendingLimitsOf({ limits, ledger }: Pick<Config, "limits" | "ledger">): SpendingLimits {
  return {
    limitPerRow: limits.perRow,
    limitPerDay: limits.perDay,
    limitPerDestination: limits.perDestination,
    dayOf: (instant) => dayIn(ledger.timeZone, instant),
  };
}
