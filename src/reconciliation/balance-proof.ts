/**
 * Rolls each custody account forward from its opening snapshot by every movement the service shows, and compares the end
 * with the balance the service gives. It tells that figures differ, not why.
 */
import {
  type BalanceProofRow,
  type CustodyAccountId,
  type Instant,
  type ObservedBalance,
  type ObservedDeposit,
  type ObservedFunds,
  type ObservedPayout,
  type OpeningBalance,
  payoutsWithoutOwnFee,
} from "../model/index.ts";
import { type Amount, Decimal } from "../money/index.ts";
import type { ReconciliationInput, ReconciliationPolicy } from "./reconciliation.ts";
import { countedFunds, hasTransaction, sentFigures } from "./sent-funds.ts";

/** The input, with payouts and deposits that can be read more than once. */
export type BalanceProofInput = ReconciliationInput & {
  readonly payouts: readonly ObservedPayout[];
  readonly deposits: readonly ObservedDeposit[];
};

/**
 * One row per custody account that has an opening or a balance, in the order of their ids.
 * Own transfers (destinationAccountId is one of these accounts) credit the destination with what arrived.
 */
export function proveBalances(input: BalanceProofInput, policy: ReconciliationPolicy): BalanceProofRow[] {
  const tallies = openTallies(input.openings, input.balances);
  const ours = input.payouts.filter(({ payoutId }) => !input.ignoredPayoutIds.has(payoutId));
  const sharing = payoutsWithoutOwnFee(ours, "wholeTransaction");
  for (const payout of input.payouts) {
    const ignored = input.ignoredPayoutIds.has(payout.payoutId);
    const sharesFee = sharing.has(payout.payoutId);
    addPayout(tallies, payout, { ignored, sharesFee, ownFee: policy.batchFee !== "wholeTransaction" });
  }
  const depositsById = new Map(input.deposits.map((deposit) => [deposit.depositId, deposit]));
  for (const deposit of input.deposits) {
    const original = deposit.duplicatedFromDepositId && depositsById.get(deposit.duplicatedFromDepositId);
    const ignored = input.ignoredDepositIds.has(deposit.depositId);
    addDeposit(tallies, { deposit, original, ignored, feeDeducted: policy.depositFee === "deducted" });
  }
  return [...tallies.values()].map(rowOf);
}

interface Tally {
  readonly custodyAccountId: CustodyAccountId;
  readonly currency: string;
  readonly opening: OpeningBalance | undefined;
  readonly balance: ObservedBalance | undefined;
  received: Decimal;
  transferredIn: Decimal;
  sent: Decimal;
  fees: Decimal;
  sharedFees: Decimal;
  depositFees: Decimal;
  unconfirmedIn: Decimal;
  unconfirmedOut: Decimal;
  uncounted: number;
  /** Own transfers in, by `movementKey`: the receiving side may list the same movement as a deposit's funds. */
  readonly transfersIn: Map<string, number>;
}

type Tallies = ReadonlyMap<CustodyAccountId, Tally>;

function openTallies(openings: readonly OpeningBalance[], balances: readonly ObservedBalance[]): Tallies {
  const openingOf = new Map(openings.map((opening) => [opening.custodyAccountId, opening]));
  const balanceOf = new Map(balances.map((balance) => [balance.custodyAccountId, balance]));
  const tallies = new Map<CustodyAccountId, Tally>();
  for (const { custodyAccountId, total } of [...balances, ...openings].sort(byCustodyAccount))
    tallies.set(custodyAccountId, {
      custodyAccountId,
      currency: total.currency,
      opening: openingOf.get(custodyAccountId),
      balance: balanceOf.get(custodyAccountId),
      received: Decimal.zero,
      transferredIn: Decimal.zero,
      sent: Decimal.zero,
      fees: Decimal.zero,
      sharedFees: Decimal.zero,
      depositFees: Decimal.zero,
      unconfirmedIn: Decimal.zero,
      unconfirmedOut: Decimal.zero,
      uncounted: 0,
      transfersIn: new Map(),
    });
  return tallies;
}

function byCustodyAccount(
  left: { custodyAccountId: CustodyAccountId },
  right: { custodyAccountId: CustodyAccountId },
): number {
  return left.custodyAccountId < right.custodyAccountId ? -1 : 1;
}

/** `sharesFee`: the fee of its transaction is shown by another payout too, and is its own as well only where `ownFee` says so. */
function addPayout(
  tallies: Tallies,
  payout: ObservedPayout,
  { ignored, sharesFee, ownFee }: { ignored: boolean; sharesFee: boolean; ownFee: boolean },
): void {
  const source = tallies.get(payout.custodyAccountId);
  if (source !== undefined) {
    const funds = sinceOpening(countedFunds(payout), source, ignored);
    const figures = sentFigures(payout, funds);
    if (figures !== undefined && payout.requestedAmount.currency !== source.currency) source.uncounted += 1;
    else if (figures !== undefined) {
      source.sent = source.sent.plus(figures.net);
      const fee = sharesFee && !ownFee ? Decimal.zero : figures.fee;
      source.fees = source.fees.plus(fee);
      if (sharesFee) source.sharedFees = source.sharedFees.plus(figures.fee);
      source.uncounted += figures.uncounted;
      if (!funds.every(isConfirmed))
        source.unconfirmedOut = source.unconfirmedOut.plus(figures.net).plus(fee);
    }
  }
  const destination = payout.destinationAccountId && tallies.get(payout.destinationAccountId);
  if (destination) addTransferIn(destination, payout, ignored);
}

function addTransferIn(destination: Tally, payout: ObservedPayout, ignored: boolean): void {
  const funds = sinceOpening(countedFunds(payout), destination, ignored);
  const figures = sentFigures(payout, funds);
  if (figures === undefined) return;
  const net: Amount = { currency: payout.requestedAmount.currency, value: figures.net };
  if (net.currency !== destination.currency) {
    destination.uncounted += 1;
    return;
  }
  destination.transferredIn = destination.transferredIn.plus(net.value);
  if (!funds.every(isConfirmed)) destination.unconfirmedIn = destination.unconfirmedIn.plus(net.value);
  const key = movementKey(funds[0]?.txHash, net);
  if (key !== undefined) destination.transfersIn.set(key, (destination.transfersIn.get(key) ?? 0) + 1);
}

function addDeposit(
  tallies: Tallies,
  {
    deposit,
    original,
    ignored,
    feeDeducted,
  }: {
    deposit: ObservedDeposit;
    original: ObservedDeposit | undefined;
    ignored: boolean;
    feeDeducted: boolean;
  },
): void {
  const tally = tallies.get(deposit.custodyAccountId);
  if (tally === undefined) return;
  const listedTwice = new Set((original?.receivedFunds ?? []).filter(hasTransaction).map(fundsKey));
  for (const funds of sinceOpening(deposit.receivedFunds, tally, ignored)) {
    if (listedTwice.has(fundsKey(funds)) || isTransferIn(tally, funds)) continue;
    if (funds.amount?.currency !== tally.currency) {
      tally.uncounted += 1;
      continue;
    }
    tally.received = tally.received.plus(funds.amount.value);
    if (!isConfirmed(funds)) tally.unconfirmedIn = tally.unconfirmedIn.plus(funds.amount.value);
    if (funds.fee?.currency !== tally.currency) continue;
    tally.depositFees = tally.depositFees.plus(funds.fee.value);
    if (feeDeducted) tally.fees = tally.fees.plus(funds.fee.value);
  }
}

function isConfirmed({ confirmedAt, state }: ObservedFunds): boolean {
  return confirmedAt !== undefined && state !== "UNCONFIRMED";
}

/** Whether these funds are the other side of an own transfer; each transfer explains one movement only. */
function isTransferIn(tally: Tally, funds: ObservedFunds): boolean {
  const key = funds.amount && movementKey(funds.txHash, funds.amount);
  const left = key === undefined ? 0 : (tally.transfersIn.get(key) ?? 0);
  if (key === undefined || left === 0) return false;
  tally.transfersIn.set(key, left - 1);
  return true;
}

function movementKey(txHash: string | undefined, { value, currency }: Amount): string | undefined {
  return txHash && `${txHash} ${value.normalized()} ${currency}`;
}

function fundsKey({ txHash, transactionId, amount }: ObservedFunds): string {
  return JSON.stringify([txHash, transactionId, amount?.value.normalized().toString(), amount?.currency]);
}

/**
 * What existed before the baseline counts only for movements after the snapshot. What did not exist then always counts:
 * comparing its times with the snapshot's would make the proof depend on how well two clocks agree.
 */
function sinceOpening(
  funds: readonly ObservedFunds[],
  { opening }: Tally,
  ignored: boolean,
): readonly ObservedFunds[] {
  if (!ignored) return funds;
  const openedAt: Instant | undefined = opening?.observedAt;
  return funds.filter(({ createdAt, confirmedAt }) => {
    const movedAt = createdAt ?? confirmedAt;
    return openedAt !== undefined && movedAt !== undefined && movedAt > openedAt;
  });
}

function rowOf(tally: Tally): BalanceProofRow {
  const { custodyAccountId, currency, received, transferredIn, sent, fees } = tally;
  const { sharedFees, depositFees, unconfirmedIn, unconfirmedOut } = tally;
  const opening = valueIn(currency, tally.opening?.total);
  const found = valueIn(currency, tally.balance?.total);
  const expected = opening?.plus(received).plus(transferredIn).minus(sent).minus(fees);
  const difference = expected && found?.minus(expected);
  return {
    custodyAccountId,
    currency,
    opening,
    openedAt: tally.opening?.observedAt,
    received,
    transferredIn,
    sent,
    fees,
    sharedFees,
    depositFees,
    unconfirmedIn,
    unconfirmedOut,
    expected,
    found,
    foundAt: tally.balance?.observedAt,
    difference,
    uncountedMovements: tally.uncounted,
    ties: difference?.isZero() === true,
  };
}

function valueIn(currency: string, amount: Amount | undefined): Decimal | undefined {
  return amount?.currency === currency ? amount.value : undefined;
}
