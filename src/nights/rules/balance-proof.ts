/**
 * Rolls each custody account forward from its opening snapshot by every movement the service shows, and compares
 * the result with the service's balance. Finds that figures differ, not why.
 */
import {
  arrivedBy,
  type BalanceProofRow,
  type CustodyAccountId,
  compareText,
  custodyAccountId,
  isConfirmed,
  type ListedDeposit,
  movedAfter,
  type ObservedBalance,
  type ObservedDeposit,
  type ObservedFunds,
  type ObservedPayout,
  type OpeningBalance,
  type PayoutId,
  replacedReceipts,
  transactionsOf,
} from "../../model/index.ts";
import { type Amount, Decimal } from "../../money/index.ts";
import type { ComparedDeposit, ComparisonInput, ReconciliationPolicy } from "./reconciliation.ts";
import { countedFunds, replacedFunds, type SentFigures, sentFigures } from "./sent-funds.ts";
import { type AccountShare, FIGURES, type Figure, ShareNotes, type ShareOf, zeros } from "./shares.ts";

/**
 * Add payouts before deposits, because the receiving side of an own transfer may list the same movement again.
 * `kept`: the sums of elements that are not added. Elements that share a transaction must all be added, or all be
 * kept.
 */
export function balanceProofOf(
  { openings, balances, isSharedTransaction = () => true, sentClaims }: ComparisonInput,
  { batchFee, depositFee, custodyAccounts }: ReconciliationPolicy,
  kept: readonly AccountShare[] = [],
) {
  const tallies = openTallies(openings, balances, custodyAccounts);
  for (const account of kept) addKept(tallies, account);
  const notes = new ShareNotes();
  const feeDeducted = depositFee === "deducted";
  /** Whether the fee shown by payouts of one transaction is the whole transaction's. */
  const feeIsWhole = batchFee === "wholeTransaction";
  const shownFees = new Map<string, ShownFee>();
  return { addPayout, addDeposit, rows, figures, moved, countedAgain };

  function add(tally: Tally, figure: Figure, by: Decimal): void {
    if (by.isZero()) return;
    tally[figure] = tally[figure].plus(by);
    notes.note(tally, figure, by);
  }

  function addUncounted(tally: Tally, count: number): void {
    if (count === 0) return;
    tally.uncountedMovements += count;
    notes.noteUncounted(tally, count);
  }

  /**
   * Credits own transfers to the destination with the amount that arrived. `ignored`: before the baseline. Returns
   * the amounts added, by account.
   */
  function addPayout(payout: ObservedPayout, ignored: boolean): readonly AccountShare[] {
    const destination = payout.destinationAccountId && tallies.get(payout.destinationAccountId);
    if (destination) addTransferIn(destination, payout, ignored);
    addSent(payout, ignored);
    return notes.taken();
  }

  function addSent(payout: ObservedPayout, ignored: boolean): void {
    const tally = tallies.get(payout.custodyAccountId);
    if (tally === undefined) return;
    const funds = sinceOpening(countedFunds(payout), tally, ignored);
    const figures = sentFigures(payout, funds);
    if (figures === undefined) return;
    if (payout.requestedAmount.currency !== tally.currency) {
      addUncounted(tally, 1);
      return;
    }
    const { net, fee } = figures;
    const replaced = sinceOpening(replacedFunds(payout), tally, ignored);
    add(tally, "replacedOut", sumIn(tally.currency, replaced.map(debitedBy)));
    add(tally, "sent", net);
    add(tally, "fees", fee);
    addUncounted(tally, figures.uncounted);
    const isWholeConfirmed = funds.every(isConfirmed);
    if (!isWholeConfirmed) add(tally, "unconfirmedOut", net.plus(fee));
    if (!ignored) noteAgain(payout, tally, outOf);
    const [txHash] = funds.flatMap((movement) => movement.txHash ?? []);
    if (txHash === undefined || ignored || payout.subtractFee || !isSharedTransaction(txHash)) return;
    shareFee({ txHash, payoutId: payout.payoutId, fee, tally, isConfirmed: isWholeConfirmed });
  }

  /** Notes the sums of what another payout lists too, in the figures of this account. */
  function noteAgain(payout: ObservedPayout, tally: Tally, figuresOf: typeof outOf | typeof inOf): void {
    const again = sentClaims?.countedElsewhere(payout.payoutId) ?? [];
    const sums = sentFigures(payout, again);
    if (sums === undefined) return;
    const { custodyAccountId, currency } = tally;
    const figures = figuresOf(sums, payout);
    tally.again.push({ id: payout.payoutId, custodyAccountId, currency, figures, uncountedMovements: 0 });
  }

  /** `shareFee` already counts the fee of a whole transaction once. */
  function outOf({ net, fee }: SentFigures, { subtractFee }: ObservedPayout) {
    return feeIsWhole && !subtractFee ? { sent: net } : { sent: net, fees: fee };
  }

  function inOf({ net }: SentFigures) {
    return { transferredIn: net };
  }

  /** The lowest id among the payouts of a transaction that show a fee carries it, in any order of adding. */
  function shareFee(shown: ShownFee): void {
    if (shown.fee.isZero()) return;
    const bearer = shownFees.get(shown.txHash);
    const isLowest = bearer === undefined || shown.payoutId < bearer.payoutId;
    if (isLowest) shownFees.set(shown.txHash, shown);
    const other = isLowest ? bearer : shown;
    if (other === undefined) return;
    const { tally, fee, isConfirmed } = other;
    add(tally, "sharedFees", fee);
    if (!feeIsWhole) return;
    add(tally, "fees", fee.negated());
    if (!isConfirmed) add(tally, "unconfirmedOut", fee.negated());
  }

  /**
   * A receipt that several deposits list counts once. `ignored`: before the baseline. Returns the amounts added, by
   * account.
   */
  function addDeposit(deposit: ComparedDeposit, ignored: boolean): readonly AccountShare[] {
    const tally = tallies.get(deposit.custodyAccountId) ?? unconfigured(deposit, ignored);
    if (tally !== undefined) addReceived(deposit, tally, ignored);
    return notes.taken();
  }

  function addReceived(deposit: ComparedDeposit, tally: Tally, ignored: boolean): void {
    const replaced = replacedReceipts(deposit.receivedFunds);
    const counted = countedReceipts(deposit, tally, ignored);
    const left = counted.filter((funds) => replaced.includes(funds));
    add(tally, "replacedIn", sumIn(tally.currency, left.map(creditedBy)));
    for (const funds of counted) {
      if (replaced.includes(funds)) continue;
      if (isTransferIn(tally, funds)) continue;
      if (funds.amount?.currency !== tally.currency) {
        addUncounted(tally, 1);
        continue;
      }
      add(tally, "received", funds.amount.value);
      if (!isConfirmed(funds)) add(tally, "unconfirmedIn", funds.amount.value);
      if (funds.fee?.currency !== tally.currency) continue;
      add(tally, "depositFees", funds.fee.value);
      if (feeDeducted) add(tally, "fees", funds.fee.value);
    }
  }

  /** The amounts of a receipt as the account receives them. */
  function creditedBy({ amount, fee }: ObservedFunds): readonly Amount[] {
    const taken = feeDeducted && fee !== undefined ? { ...fee, value: fee.value.negated() } : undefined;
    return [amount ?? [], taken ?? []].flat();
  }

  function addTransferIn(destination: Tally, payout: ObservedPayout, ignored: boolean): void {
    const funds = sinceOpening(countedFunds(payout), destination, ignored);
    const figures = sentFigures(payout, funds);
    if (figures === undefined) return;
    const net: Amount = { currency: payout.requestedAmount.currency, value: figures.net };
    if (net.currency !== destination.currency) {
      addUncounted(destination, 1);
      return;
    }
    add(destination, "transferredIn", net.value);
    if (!funds.every(isConfirmed)) add(destination, "unconfirmedIn", net.value);
    noteTransfersIn(destination, payout, funds);
    if (!ignored) noteAgain(payout, destination, inOf);
  }

  /** The custody account of a deposit that received money on an account that is not configured. */
  function unconfigured(deposit: ObservedDeposit, ignored: boolean): Tally | undefined {
    const { custodyAccountId, receivedFunds } = deposit;
    const currency = receivedFunds.find(({ amount }) => amount !== undefined)?.amount?.currency;
    if (ignored || currency === undefined || custodyAccounts?.has(custodyAccountId) !== false)
      return undefined;
    const tally = emptyTally(custodyAccountId, currency);
    tallies.set(custodyAccountId, tally);
    return tally;
  }

  function inOrder(): Tally[] {
    const byId = (left: Tally, right: Tally) => compareText(left.custodyAccountId, right.custodyAccountId);
    return [...tallies.values()].sort(byId);
  }

  function figures(): AccountShare[] {
    return inOrder().map(({ custodyAccountId, currency, uncountedMovements, ...tally }) => {
      const sums = Object.fromEntries(FIGURES.map((figure) => [figure, tally[figure]]));
      return { custodyAccountId, currency, uncountedMovements, figures: sums };
    });
  }

  /** The counted movements of each custody account that has an opening, without those that seem to be replaced. */
  function moved(): AccountShare[] {
    return [...tallies.values()]
      .filter(({ opening }) => opening !== undefined)
      .map(({ custodyAccountId, currency, uncountedMovements, ...figures }) => {
        return { custodyAccountId, currency, uncountedMovements, figures };
      });
  }

  /** The counted movements that did not happen by the balances, because another payout lists them too. */
  function countedAgain(proof: readonly BalanceProofRow[]): readonly ShareOf[] {
    const once = proof.filter(({ countsOnce }) => countsOnce);
    return once.flatMap(({ custodyAccountId }) => tallies.get(custodyAccountId)?.again ?? []);
  }

  /** One row per custody account that is configured or has an opening, a balance or money, ordered by id. */
  function rows(): BalanceProofRow[] {
    return inOrder().map(rowOf);
  }
}

interface Tally extends Record<Figure, Decimal> {
  readonly custodyAccountId: CustodyAccountId;
  readonly currency: string;
  readonly opening: OpeningBalance | undefined;
  readonly balance: ObservedBalance | undefined;
  uncountedMovements: number;
  /** What other payouts list too: the service's total shows whether it counts. */
  readonly again: ShareOf[];
  /** Own transfers in, by `movementKey`: the receiving side may list the same movement as a deposit's funds. */
  readonly transfersIn: Map<string, TransferIn[]>;
}

/** Movements of one own transfer that the receiving side may list as one receipt. */
type TransferIn = readonly { isListed: boolean }[];

type Tallies = Map<CustodyAccountId, Tally>;

/** One for every configured custody account, in its own currency, even if the service does not show it. */
function openTallies(
  openings: readonly OpeningBalance[],
  balances: readonly ObservedBalance[],
  configured: ReconciliationPolicy["custodyAccounts"] = new Map(),
): Tallies {
  const openingOf = new Map(openings.map((opening) => [opening.custodyAccountId, opening]));
  const balanceOf = new Map(balances.map((balance) => [balance.custodyAccountId, balance]));
  const currencies = new Map([
    ...[...balances, ...openings].map(({ custodyAccountId: id, total }) => [id, total.currency] as const),
    ...[...configured].map(([id, { currency }]) => [custodyAccountId(id), currency] as const),
  ]);
  return new Map(
    [...currencies].map(([id, currency]) => [
      id,
      emptyTally(id, currency, openingOf.get(id), balanceOf.get(id)),
    ]),
  );
}

function addKept(
  tallies: Tallies,
  { custodyAccountId, currency, figures, uncountedMovements }: AccountShare,
) {
  const tally = tallies.get(custodyAccountId) ?? emptyTally(custodyAccountId, currency);
  tallies.set(custodyAccountId, tally);
  for (const figure of FIGURES) tally[figure] = tally[figure].plus(figures[figure] ?? Decimal.zero);
  tally.uncountedMovements += uncountedMovements;
}

function emptyTally(
  custodyAccountId: CustodyAccountId,
  currency: string,
  opening?: OpeningBalance,
  balance?: ObservedBalance,
): Tally {
  const nothing = { ...zeros(), uncountedMovements: 0, again: [], transfersIn: new Map() };
  return { custodyAccountId, currency, opening, balance, ...nothing };
}

/** A transaction fee shown by a payout, as counted. */
interface ShownFee {
  readonly txHash: string;
  readonly payoutId: PayoutId;
  readonly fee: Decimal;
  readonly tally: Tally;
  readonly isConfirmed: boolean;
}

/** Each movement of the transfer alone, and those of one transaction together. */
function noteTransfersIn(tally: Tally, payout: ObservedPayout, funds: readonly ObservedFunds[]): void {
  const parts = arrivedBy(payout, funds) ?? funds.map(({ amount }) => amount);
  const movements = funds.flatMap((movement, index) => {
    const amount = parts[index];
    const listed = { isListed: false };
    return amount === undefined ? [] : transactionsOf(movement).map((id) => ({ id, amount, listed }));
  });
  const note = (id: string, amount: Amount, transfer: TransferIn) => {
    const key = movementKey(id, amount);
    const others = tally.transfersIn.get(key) ?? [];
    others.push(transfer);
    tally.transfersIn.set(key, others);
  };
  for (const [id, together] of Map.groupBy(movements, (each) => each.id)) {
    for (const { amount, listed } of together) note(id, amount, [listed]);
    const [first, second] = together;
    if (first === undefined || second === undefined) continue;
    const value = Decimal.sum(together.map(({ amount }) => amount.value));
    const all = together.map(({ listed }) => listed);
    note(id, { ...first.amount, value }, all);
  }
}

/** Whether these funds are the other side of an own transfer; each of its movements explains only one receipt. */
function isTransferIn(tally: Tally, { amount, ...funds }: ObservedFunds): boolean {
  if (amount === undefined) return false;
  const transfer = transactionsOf(funds)
    .flatMap((id) => tally.transfersIn.get(movementKey(id, amount)) ?? [])
    .find((movements) => movements.every(({ isListed }) => !isListed));
  for (const movement of transfer ?? []) movement.isListed = true;
  return transfer !== undefined;
}

function movementKey(id: string, { currency, value }: Amount): string {
  return `${id} ${value.normalized()} ${currency}`;
}

/** The receipts that count for this deposit and for no other. */
function countedReceipts(deposit: ComparedDeposit, tally: Tally, ignored: boolean): readonly ObservedFunds[] {
  return deposit.receivedFunds.flatMap((funds, index) => {
    const claim = deposit.claims?.[index];
    if (claim?.kind === "duplicate" || claim?.kind === "left") return [];
    if (claim?.kind === "twice" && !countsHere(deposit, ignored, claim.other)) return [];
    // The opening balance includes a movement if it covers the deposit that listed it before.
    const isOld = ignored || claim?.sources?.some(({ beforeBaseline }) => beforeBaseline) === true;
    return sinceOpening([funds], tally, isOld);
  });
}

/**
 * If two deposits list the same receipt, it counts at the one that the opening balance covers, otherwise at the
 * lower id.
 */
function countsHere({ depositId }: ComparedDeposit, ignored: boolean, other: ListedDeposit): boolean {
  return ignored === other.beforeBaseline ? depositId < other.deposit.depositId : ignored;
}

/**
 * For elements from before the baseline, only movements after the snapshot count. Later elements always count:
 * comparing their times with the snapshot's would make the proof depend on how well two clocks agree.
 */
function sinceOpening(
  funds: readonly ObservedFunds[],
  { opening }: Tally,
  ignored: boolean,
): readonly ObservedFunds[] {
  if (!ignored) return funds;
  return opening === undefined ? [] : movedAfter(funds, opening.observedAt);
}

/**
 * Includes the replaced movements if the service's total includes them: then they were not replaced. Counts once
 * what several payouts list if only then the total is right.
 */
function rowOf({ opening: openedWith, balance, transfersIn: _, ...counted }: Tally): BalanceProofRow {
  const { replacedIn, replacedOut, again, ...plain } = counted;
  const { currency } = plain;
  const opening = valueIn(currency, openedWith?.total);
  const found = valueIn(currency, balance?.total);
  const expectedBy = ({ received, transferredIn, sent, fees }: typeof plain) =>
    opening?.plus(received).plus(transferredIn).minus(sent).minus(fees);
  const withReplaced = (into: Decimal, out: Decimal) => ({
    ...plain,
    received: plain.received.plus(into),
    unconfirmedIn: plain.unconfirmedIn.plus(into),
    sent: plain.sent.plus(out),
    unconfirmedOut: plain.unconfirmedOut.plus(out),
  });
  const variants = [
    plain,
    withReplaced(replacedIn, Decimal.zero),
    withReplaced(Decimal.zero, replacedOut),
    withReplaced(replacedIn, replacedOut),
  ];
  const sumOf = (figure: Figure) => Decimal.sum(again.flatMap(({ figures }) => figures[figure] ?? []));
  const once = variants.map((figures) => ({
    ...figures,
    transferredIn: figures.transferredIn.minus(sumOf("transferredIn")),
    sent: figures.sent.minus(sumOf("sent")),
    fees: figures.fees.minus(sumOf("fees")),
  }));
  const isTied = (figures: typeof plain) =>
    found !== undefined && expectedBy(figures)?.equals(found) === true;
  const tied = variants.find(isTied);
  const tiedOnce = tied === undefined ? once.find(isTied) : undefined;
  const tally = tied ?? tiedOnce ?? plain;
  const expected = expectedBy(tally);
  const difference = expected && found?.minus(expected);
  return {
    ...tally,
    opening,
    openedAt: openedWith?.observedAt,
    expected,
    found,
    foundAt: balance?.observedAt,
    difference,
    ties: difference?.isZero() === true,
    ...(tiedOnce !== undefined && { countsOnce: true }),
  };
}

/** The amounts of a sent movement: the payer pays its fee too. */
function debitedBy({ amount, fee }: ObservedFunds): readonly Amount[] {
  return [amount ?? [], fee ?? []].flat();
}

/** The sum of the movements' amounts in the currency. */
function sumIn(currency: string, movements: readonly (readonly Amount[])[]): Decimal {
  const amounts = movements.flat().filter((amount) => amount.currency === currency);
  return Decimal.sum(amounts.map(({ value }) => value));
}

function valueIn(currency: string, amount: Amount | undefined): Decimal | undefined {
  return amount?.currency === currency ? amount.value : undefined;
}
