/** Whether a payout was ever shown as sent. That is conclusive, even if the service shows it differently later. */
import {
  type Instant,
  minuteText,
  type ObservedPayout,
  type PayoutId,
  payoutStateMeaning,
} from "../model/index.ts";
import { listHistory } from "../store/observed.ts";
import type { Transaction } from "../store/sql.ts";
import { payoutFromStored } from "./from-wire.ts";

/** The first sighting of a payout as sent: SENT, completed, or with a transaction. */
export interface Departure {
  readonly state: string;
  /** The txHash or transactionId, if the sighting had one. */
  readonly transaction?: string;
  readonly seenAt: Instant;
}

/** The first sighting in which the payout had left; undefined if there is none. Later sightings do not undo it. */
export function* departureOf(payoutId: PayoutId): Transaction<Departure | undefined> {
  for (const { seenAt, raw } of yield* listHistory("payout", payoutId)) {
    const { state, sentFunds } = payoutFromStored(raw, seenAt);
    const [transaction] = sentFunds.flatMap(({ txHash, transactionId }) => txHash ?? transactionId ?? []);
    if (transaction !== undefined) return { state, transaction, seenAt };
    if (state === "SENT" || payoutStateMeaning(state) === "done") return { state, seenAt };
  }
  return undefined;
}

/** The departures of those of the payouts whose present state is failed. */
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
