/**
 * When a movement on the chain is settled and may be booked; the states of its payout or deposit are checked
 * elsewhere.
 */
import { type Instant, type ObservedFunds, secondsBetween } from "../../model/index.ts";
import type { LedgerPolicy } from "./policy.ts";

export type Settlement =
  | { readonly settledAt: Instant }
  | { readonly waitsFor: string }
  /** No confirmation can settle it in the form shown. */
  | { readonly unclear: string };

/**
 * No movement was confirmed before Bitcoin's first block. Earlier dates are programs' ways to write "no date"
 * (0001-01-01, 1970-01-01), and ledger files cannot contain some of those years.
 */
const FIRST_BLOCK: Instant = "2009-01-03T00:00:00.000Z";

/** How far the service's clock may be ahead of ours. */
const AHEAD_SECONDS_MAX = 24 * 60 * 60;

/**
 * Settled: confirmedDate is present and plausible, the state is not UNCONFIRMED, and there are enough
 * confirmations. If their number is not shown, it counts as one.
 */
export function settlementOf(
  funds: ObservedFunds,
  { confirmationsMin, now }: Pick<LedgerPolicy, "confirmationsMin" | "now">,
): Settlement {
  if (funds.confirmedAt === undefined) return { waitsFor: "it has no confirmedDate" };
  if (funds.confirmedAt < FIRST_BLOCK)
    return { unclear: `its confirmedDate cannot be true (${funds.confirmedAt})` };
  if (secondsBetween(now, funds.confirmedAt) > AHEAD_SECONDS_MAX)
    return { unclear: `its confirmedDate (${funds.confirmedAt}) is still to come` };
  if (funds.state === "UNCONFIRMED") return { waitsFor: "it is UNCONFIRMED" };
  // The interface makes the number optional; the date alone proves one confirmation.
  const { confirmations = 1 } = funds;
  if (confirmations < confirmationsMin) {
    const unsaid = funds.confirmations === undefined ? ", as far as the service says" : "";
    return { waitsFor: `it has ${confirmations} of ${confirmationsMin} confirmations${unsaid}` };
  }
  return { settledAt: funds.confirmedAt };
}
