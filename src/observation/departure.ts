/** Whether a payout was ever shown as sent: that counts, whatever the service shows of it later. */
import {
  type Instant,
  minuteText,
  type ObservedPayout,
  type PayoutId,
  payoutStateMeaning,
} from "../model/index.ts";
import { listObservations } from "../store/observed.ts";
import type { Transaction } from "../store/sql.ts";
import { payoutFromStored } from "./from-wire.ts";

/** When a payout was seen to have left: SENT, at its end, or in a transaction. */
export interface Departure {
  readonly state: string;
  /** Where it named one. */
  readonly transaction?: string;
  readonly seenAt: Instant;
}

/** The first answer of all that said that a payout had left; undefined where none did. A later answer does not undo it. */
export function* departureOf(payoutId: PayoutId): Transaction<Departure | undefined> {
  for (const { seenAt, raw } of yield* listObservations("payout", payoutId)) {
    const { state, sentFunds } = payoutFromStored(raw, seenAt);
    const [transaction] = sentFunds.flatMap(({ txHash, transactionId }) => txHash ?? transactionId ?? []);
    if (transaction !== undefined) return { state, transaction, seenAt };
    if (state === "SENT" || payoutStateMeaning(state) === "done") return { state, seenAt };
  }
  return undefined;
}

/** The same of all payouts that are said to have failed. */
export function* departuresOfFailed(
  payouts: readonly ObservedPayout[],
): Transaction<ReadonlyMap<PayoutId, Departure>> {
  const departures = new Map<PayoutId, Departure>();
  for (const { payoutId, state } of payouts) {
    const departure = payoutStateMeaning(state) === "failed" ? yield* departureOf(payoutId) : undefined;
    if (departure !== undefined) departures.set(payoutId, departure);
  }
  return departures;
}

/** "was COMPLETED in 4a5e... when it was seen at 2026-11-21 17:01 UTC" */
export function departureText({ state, transaction, seenAt }: Departure): string {
  const where = transaction === undefined ? "" : ` in ${transaction}`;
  return `was ${state}${where} when it was seen at ${minuteText(seenAt)}`;
}
