/** Reads deposits and their receipts, for matching. */
import { receiptKeys } from "../books/index.ts";
import type { Config } from "../config/index.ts";
import { chunks } from "../model/chunks.ts";
import {
  type DepositId,
  isConfirmed,
  type ObservedDeposit,
  type ObservedFunds,
  type ObservedRate,
} from "../model/index.ts";
import { Decimal } from "../money/index.ts";
import { knownDepositsOf, receiptClaims } from "../observation/index.ts";
import { ITEMS_PER_STATEMENT } from "../store/sql.ts";
import { listNotBooked } from "../store/unposted.ts";
import type { Workplace } from "../workplace/workplace.ts";
import type { Receipt } from "./rules/matching.ts";

export interface Arrived {
  readonly deposits: ReadonlyMap<string, ObservedDeposit>;
  /** Leaves out deposits that a baseline sets aside, or that are never booked. */
  readonly receipts: readonly Receipt[];
}

/** These deposits as last seen, and the receipts of each. */
export async function arrivedAt(workplace: Workplace, depositIds: readonly string[]): Promise<Arrived> {
  const { store } = workplace;
  const claims = await receiptClaims(store);
  const notBooked = await store.read(() => listNotBooked());
  const leftOut = Map.groupBy(notBooked, ({ id }) => id);
  const deposits = new Map<string, ObservedDeposit>();
  const receipts: Receipt[] = [];
  for (const ids of chunks([...new Set(depositIds)], ITEMS_PER_STATEMENT)) {
    const known = await store.read(() => knownDepositsOf(ids as readonly DepositId[]));
    for (const { resource, isSetAside } of known) {
      deposits.set(resource.depositId, resource);
      const { length } = resource.receivedFunds;
      const isLeftOut = length > 0 && leftOut.get(resource.depositId)?.length === length;
      if (isSetAside || isLeftOut) continue;
      const kinds = claims.claimsOf(resource.depositId).map((claim) => claim?.kind);
      receipts.push(...receiptsIn(resource, kinds, workplace));
    }
  }
  return { deposits, receipts };
}

/** `claims`: by receipt, the other deposit that lists it too. */
function receiptsIn(
  deposit: ObservedDeposit,
  claims: readonly (string | undefined)[],
  { config, scales }: Pick<Workplace, "config" | "scales">,
): Receipt[] {
  const { depositId, custodyAccountId, customerId, reference, receivedFunds } = deposit;
  const keys = receiptKeys(receivedFunds);
  return receivedFunds.flatMap((funds, index): Receipt[] => {
    const { amount, confirmedAt, createdAt, txHash } = funds;
    const key = keys[index];
    const at = confirmedAt ?? createdAt ?? deposit.stateSeenAt;
    if (amount === undefined || key === undefined || amount.value.compare(Decimal.zero) <= 0) return [];
    const isSettled = isConfirmed(funds);
    const isListedTwice = ["duplicate", "twice", "left"].includes(claims[index] ?? "");
    const worth = worthOf(deposit, funds, config.ledger.depositLateBy, scales.scaleOf);
    const place = { depositId, key, custodyAccountId };
    return [{ ...place, amount, at, isSettled, customerId, reference, txHash, worth, isListedTwice }];
  });
}

/** In fiat: at the fixed rate of its deposit if it came in time, otherwise at its own rate. */
function worthOf(
  { requestedInFiat, requestedInCrypto, fixedRate, expiresAt }: ObservedDeposit,
  { amount, createdAt, confirmedAt, rate }: ObservedFunds,
  lateBy: Config["ledger"]["depositLateBy"],
  scaleOf: (currency: string) => number | undefined,
): ReadonlyMap<string, Decimal> {
  const arrivedAt = lateBy === "createdDate" ? createdAt : confirmedAt;
  const isInTime = expiresAt === undefined || (arrivedAt !== undefined && arrivedAt <= expiresAt);
  if (amount === undefined) return new Map();
  if (requestedInFiat !== undefined && fixedRate !== undefined && isInTime) {
    const isWhole = requestedInCrypto?.value.equals(amount.value) === true;
    const value = isWhole ? requestedInFiat.value : at(fixedRate, amount.value, scaleOf);
    return new Map([[requestedInFiat.currency, value]]);
  }
  return rate?.from === amount.currency ? new Map([[rate.to, at(rate, amount.value, scaleOf)]]) : new Map();
}

function at(
  { rate, to }: ObservedRate,
  quantity: Decimal,
  scaleOf: (currency: string) => number | undefined,
) {
  return quantity.times(rate).rounded(scaleOf(to) ?? 2);
}
