/** Receipts of a deposit whose transactions seem to be replaced by others of the same amount. */
import { compareText } from "./compare-text.ts";
import { haveSameAmount, type ObservedFunds } from "./observation.ts";

/** The unconfirmed receipts in whose place one of the same amount is confirmed: a sender may replace one repeatedly. */
export function replacedByConfirmed(receipts: readonly ObservedFunds[]): readonly ObservedFunds[] {
  const confirmed = receipts.filter(isConfirmed);
  if (confirmed.length === 0 || confirmed.length === receipts.length) return [];
  return unconfirmedIn(receipts).filter((funds) => confirmed.some((other) => haveSameAmount(funds, other)));
}

/** Also those that a later unconfirmed one of the same amount may replace. */
export function replacedReceipts(receipts: readonly ObservedFunds[]): readonly ObservedFunds[] {
  const replaced = replacedByConfirmed(receipts);
  const left = unconfirmedIn(receipts).filter((funds) => !replaced.includes(funds));
  const later = (index: number) => left.slice(index + 1);
  return [
    ...replaced,
    ...left.filter((funds, index) => later(index).some((other) => haveSameAmount(funds, other))),
  ];
}

export function isConfirmed({ confirmedAt, state }: ObservedFunds): boolean {
  return confirmedAt !== undefined && state !== "UNCONFIRMED";
}

function unconfirmedIn(receipts: readonly ObservedFunds[]): readonly ObservedFunds[] {
  return receipts
    .filter(({ state }) => state === "UNCONFIRMED")
    .sort((left, right) => compareText(left.createdAt ?? "", right.createdAt ?? ""));
}
