/**
 * Elements that a baseline sets aside are not booked. If one has moved money since, the balance proof counts that,
 * and a person must know that the books do not.
 */
import {
  type CustodyAccountId,
  type Instant,
  movedAfter,
  type ObservedDeposit,
  type ObservedPayout,
} from "../../model/index.ts";
import { formatAmount } from "../../money/index.ts";
import { type NotBooked, notBookedRow } from "./derived.ts";

/** A row for each element of `setAside` with a movement since its custody account's opening balance was taken. */
export function movedSinceBaseline(
  setAside: readonly (ObservedPayout | ObservedDeposit)[],
  openedAt: ReadonlyMap<CustodyAccountId, Instant>,
): NotBooked[] {
  return setAside.flatMap((resource) => {
    const funds = "depositId" in resource ? resource.receivedFunds : resource.sentFunds;
    const opened = openedAt.get(resource.custodyAccountId);
    const moved = opened === undefined ? [] : movedAfter(funds, opened);
    if (moved.length === 0) return [];
    const amounts = moved.map(({ amount }) =>
      amount ? formatAmount(amount) : "an amount that is not shown",
    );
    const reason = `it was there before the baseline, and ${amounts.join(" and ")} moved since: book that in the ERP`;
    return [notBookedRow(resource, reason)];
  });
}
