/** When a movement on the chain is settled, and may be booked. The states of its payout or deposit are not judged here. */
import type { Instant, ObservedFunds } from "../model/index.ts";
import type { LedgerPolicy } from "./policy.ts";

export type Settlement = { readonly settledAt: Instant } | { readonly waitsFor: string };

/** Settled: confirmedDate is present, the state is not UNCONFIRMED, and there are confirmations enough. */
export function settlementOf(
  funds: ObservedFunds,
  { confirmationsMin }: Pick<LedgerPolicy, "confirmationsMin">,
): Settlement {
  if (funds.confirmedAt === undefined) return { waitsFor: "it has no confirmedDate" };
  if (funds.state === "UNCONFIRMED") return { waitsFor: "it is UNCONFIRMED" };
  const confirmations = funds.confirmations ?? 0;
  if (confirmations < confirmationsMin) {
    return { waitsFor: `it has ${confirmations} of ${confirmationsMin} confirmations` };
  }
  return { settledAt: funds.confirmedAt };
}
