/**
 * The facts of one deposit: a receipt for each settled row of receivedFunds, and an apply once it is COMPLETED.
 * Rows that another fact already books (an own transfer, the original of a duplicate) are left out and reported.
 */
import { isProblem, type Problem, problem } from "../../faults/index.ts";
import {
  type ApplyFact,
  depositStateMeaning,
  type ExpectedParty,
  type JournalEntry,
  type ListedDeposit,
  type ObservedDeposit,
  type ObservedFunds,
  type OrderedPart,
  type ReceiptClaim,
  type ReceiptClaims,
  type ReceiptFact,
  replacedByConfirmed,
} from "../../model/index.ts";
import { Decimal, formatAmount } from "../../money/index.ts";
import { contentHash, rateAlone } from "./content-hash.ts";
import { type Derived, type NotBooked, notBookedRow, nothingDerived, unclear, whereOf } from "./derived.ts";
import type { OwnTransfers } from "./own-transfers.ts";
import { foreignTo, type LedgerPolicy } from "./policy.ts";
import { bookedReceipt, keysAsBooked, receiptKeys } from "./receipt-keys.ts";
import { settlementOf } from "./settled.ts";

export interface DepositContext {
  readonly transfers: OwnTransfers;
  /** The ids of own transfers with an entry in force. */
  readonly bookedTransfers: ReadonlySet<string>;
  readonly claims: ReceiptClaims;
  /** By depositId, the party that its receipts belong to. Deposits without an expectation are left out. */
  readonly parties: ReadonlyMap<string, ExpectedParty>;
  /** Whether a controller has decided that what is held for this reason will never be booked. */
  readonly isSettled: (problem: Problem) => boolean;
}

/** `booked`: its entries in force. */
export function deriveDeposit(
  seen: ObservedDeposit,
  context: DepositContext,
  booked: readonly JournalEntry[],
  policy: LedgerPolicy,
): Derived {
  const party = context.parties.get(seen.depositId);
  // The expectation names the customer; the service may not show it.
  const deposit = party?.customerId === undefined ? seen : { ...seen, customerId: party.customerId };
  const { receipts, held, ...others } = receiptsOf(deposit, context, booked, policy);
  const derived = { ...nothingDerived, ...others, held };
  if (receipts.length === 0) return derived;
  if (new Set(receipts.map(({ part }) => part.quantity.currency)).size > 1)
    return { ...derived, held: [...held, unclear(deposit, "its receipts are in several currencies")] };
  const facts = receiptFacts(deposit, receipts);
  if (deposit.state === "COMPLETED") {
    const applies = held.every(context.isSettled);
    return applies
      ? { ...derived, facts: [...facts, applyFact(deposit, receipts, receipts)] }
      : { ...derived, facts };
  }
  const early = matchedSoFar(party, receipts);
  const isUnapplied =
    depositStateMeaning(deposit.state) === "closed" && early.receipts.length < receipts.length;
  return {
    ...derived,
    held: isUnapplied ? [...held, unapplied(deposit, receipts)] : held,
    ...(early.receipts.length > 0
      ? { facts: [...facts, applyFact(deposit, receipts, early.receipts, early.soFar)] }
      : { facts, takenBack: appliedEarly(deposit, booked) }),
  };
}

/** Its settled receipts in order, and what is said of its other rows. */
function receiptsOf(
  deposit: ObservedDeposit,
  context: DepositContext,
  booked: readonly JournalEntry[],
  policy: LedgerPolicy,
) {
  const receipts: SettledReceipt[] = [];
  const held: Problem[] = [];
  const notBooked: NotBooked[] = [];
  const bookedTwice: string[] = [];
  const keys = keysOf(deposit, booked);
  const claims = context.claims.claimsOf(deposit.depositId);
  const bookedFacts = new Set(booked.map(({ factId }) => factId));
  const replaced = deposit.state === "COMPLETED" ? replacedByConfirmed(deposit.receivedFunds) : [];
  for (const [index, funds] of deposit.receivedFunds.entries()) {
    const factId = receiptId(deposit, keys[index]);
    const isBooked = bookedFacts.has(factId);
    const ofTransfer = receivedByTransfer(deposit, funds, context);
    const elsewhere = bookedElsewhere(deposit, claims[index], context);
    const isTransferBooked = ofTransfer !== undefined && context.bookedTransfers.has(ofTransfer.payoutId);
    if (isBooked && isTransferBooked && !isProblem(ofTransfer.row)) bookedTwice.push(factId);
    // Keep the receipt's entry until the transfer is booked. Otherwise the money would be in no account.
    const stays = isBooked && ofTransfer !== undefined && !isTransferBooked;
    const row =
      notBookedBy(ofTransfer?.row, elsewhere, stays) ??
      (!isBooked && replaced.includes(funds) ? notBookedRow(deposit, REPLACED) : undefined) ??
      settledReceipt(deposit, funds, keys[index], policy);
    if (isProblem(row)) held.push(row);
    else if ("reason" in row) notBooked.push(row);
    else receipts.push(row);
  }
  receipts.sort((a, b) => (sortKeyOf(a) < sortKeyOf(b) ? -1 : 1));
  return { receipts, held, notBooked, bookedTwice };
}

const REPLACED =
  "it is unconfirmed, and a confirmed transaction of the same amount seems to have replaced it";

/** The receipts that count for an expectation before the deposit is COMPLETED, which may never happen. */
function matchedSoFar(party: ExpectedParty | undefined, receipts: readonly SettledReceipt[]) {
  const matched = receipts.filter(({ key }) => party?.isOwn || party?.receipts.has(key));
  const soFar: ApplyFact["soFar"] = party?.isOwn && party.isSettledShort ? "short" : "partial";
  return { receipts: matched, soFar };
}

/** The apply of a deposit that was not COMPLETED: it rested only on a person's decision. */
function appliedEarly({ depositId }: ObservedDeposit, booked: readonly JournalEntry[]): string[] {
  const applied = booked.find(({ factId }) => factId === applyId(depositId));
  return applied === undefined || applied.sourceState === "COMPLETED" ? [] : [applied.factId];
}

function applyId(depositId: string): string {
  return `deposit:${depositId}:apply`;
}

function keysOf({ receivedFunds }: ObservedDeposit, booked: readonly JournalEntry[]) {
  const receipts = booked.flatMap((entry) => bookedReceipt(entry) ?? []);
  return keysAsBooked(receivedFunds, receiptKeys(receivedFunds), receipts);
}

interface SettledReceipt {
  readonly key: string;
  readonly part: ReceiptFact["part"];
}

function sortKeyOf({ key, part }: SettledReceipt): string {
  return `${part.confirmedAt} ${key}`;
}

function settledReceipt(
  deposit: ObservedDeposit,
  funds: ObservedFunds,
  key: string | undefined,
  policy: LedgerPolicy,
): SettledReceipt | Problem {
  const settlement = settlementOf(funds, policy);
  if ("waitsFor" in settlement) {
    return problem("LEDGER_NOT_SETTLED", { reason: settlement.waitsFor }, whereOf(deposit));
  }
  if ("unclear" in settlement) return unclear(deposit, settlement.unclear);
  const { amount: quantity, fee, createdAt, rate, txHash } = funds;
  if (quantity === undefined || quantity.value.compare(Decimal.zero) <= 0) {
    return unclear(deposit, "a receipt has no amount above zero");
  }
  const foreign = foreignTo(deposit.custodyAccountId, quantity, policy);
  if (foreign !== undefined) return unclear(deposit, foreign);
  if (key === undefined) {
    return unclear(deposit, `a receipt of ${formatAmount(quantity)} cannot be told apart from another`);
  }
  const part = { quantity, fee, createdAt, confirmedAt: settlement.settledAt, rate: rateAlone(rate), txHash };
  return { key, part };
}

/**
 * Chooses between two reasons not to book a row. A certain one (another fact books it) comes before a possible one;
 * of two certain ones, the own transfer comes first. `stays`: the row keeps its entry until the transfer is booked,
 * so the transfer is no reason yet. Beside a certain other reason it is one, so that the same rows give the same
 * result after posting.
 */
function notBookedBy(
  ofTransfer: NotBooked | Problem | undefined,
  elsewhere: NotBooked | Problem | undefined,
  stays: boolean,
): NotBooked | Problem | undefined {
  const isCertain = (reason: typeof elsewhere) => reason !== undefined && !isProblem(reason);
  if (stays && !isCertain(elsewhere)) return elsewhere;
  return [ofTransfer, elsewhere].find(isCertain) ?? ofTransfer ?? elsewhere;
}

function receivedByTransfer(deposit: ObservedDeposit, funds: ObservedFunds, { transfers }: DepositContext) {
  const side = transfers(deposit, funds);
  if (side === undefined) return undefined;
  const { payoutId, unclear: why } = side;
  const row =
    why === undefined
      ? notBookedRow(deposit, `it is the receiving side of own transfer ${payoutId}`)
      : unclear(deposit, why);
  return { payoutId, row };
}

function bookedElsewhere(
  deposit: ObservedDeposit,
  claim: ReceiptClaim | undefined,
  { claims, isSettled }: DepositContext,
): NotBooked | Problem | undefined {
  const { depositId, duplicatedFromDepositId: originalId } = deposit;
  const original = originalId && claims.depositOf(originalId);
  if (originalId !== undefined && original === undefined)
    return unclear(deposit, `it duplicates deposit ${originalId}, which was not seen`);
  if (original?.duplicatedFromDepositId === depositId)
    return unclear(deposit, `it and deposit ${originalId} are each said to duplicate the other`);
  if (claim === undefined) return undefined;
  const { depositId: otherId } = claim.other.deposit;
  switch (claim.kind) {
    case "duplicate":
      return notBookedRow(deposit, `deposit ${otherId} lists this receipt already`);
    case "left":
      return notBookedRow(deposit, `deposit ${otherId} lists this receipt now`);
    case "twice": {
      const held = listedTwice(deposit, claim);
      const isGivenUp = ({ deposit: other }: ListedDeposit) =>
        claims
          .claimsOf(other.depositId)
          .every((one) => one?.kind !== "twice" || isSettled(listedTwice(other, one)));
      return !isSettled(held) && claim.others?.every(isGivenUp) ? undefined : held;
    }
    case "moved": {
      const setAside = claim.sources?.find(({ isSetAside }) => isSetAside);
      return (
        setAside &&
        notBookedRow(
          deposit,
          `it came from deposit ${setAside.deposit.depositId}, which the baseline sets aside`,
        )
      );
    }
  }
}

function listedTwice(deposit: ObservedDeposit, { other }: ReceiptClaim): Problem {
  return unclear(deposit, `deposit ${other.deposit.depositId} lists the same receipt`);
}

function receiptId({ depositId }: Pick<ObservedDeposit, "depositId">, key: string | undefined): string {
  return `deposit:${depositId}:receipt:${key}`;
}

function receiptFacts(deposit: ObservedDeposit, receipts: readonly SettledReceipt[]): ReceiptFact[] {
  const order = receipts.map(orderedPart);
  const head = headOf(deposit);
  // A hash over all earlier receipts: hashing thousands of them again for each receipt would take quadratic time.
  let earlier = "";
  return receipts.map(({ key, part }, index) => {
    const content = { ...head, settledAt: part.confirmedAt, part };
    const hash = contentHash({ ...content, earlier });
    earlier = contentHash({ ...order[index], earlier });
    return {
      kind: "deposit-receipt",
      factId: receiptId(deposit, key),
      contentHash: hash,
      depositId: deposit.depositId,
      sourceState: deposit.state,
      ...content,
      order,
      index,
    };
  });
}

function orderedPart({ part: { quantity, createdAt, confirmedAt } }: SettledReceipt): OrderedPart {
  return { quantity, createdAt, confirmedAt };
}

/** `all`: the deposit's receipts; those that are not applied cover their part of the request as well. */
function applyFact(
  deposit: ObservedDeposit,
  all: readonly SettledReceipt[],
  applied: readonly SettledReceipt[],
  soFar?: ApplyFact["soFar"],
): ApplyFact {
  const parts = applied.map(({ part }) => part);
  const settledAt = parts.at(-1)?.confirmedAt ?? "";
  const others = all.flatMap((receipt, index) => {
    if (applied.includes(receipt)) return [];
    const after = all.slice(0, index).filter((before) => applied.includes(before)).length;
    return [{ after, part: orderedPart(receipt) }];
  });
  const content = {
    ...headOf(deposit),
    settledAt,
    parts,
    ...(soFar && { soFar }),
    ...(others.length > 0 && { others }),
  };
  return {
    kind: "deposit-apply",
    factId: applyId(deposit.depositId),
    contentHash: contentHash(content),
    depositId: deposit.depositId,
    sourceState: deposit.state,
    receipts: applied.map(({ key }) => receiptId(deposit, key)),
    ...content,
  };
}

function headOf(deposit: ObservedDeposit) {
  const { requestedInFiat, requestedInCrypto, fixedRate, expiresAt } = deposit;
  return {
    custodyAccountId: deposit.custodyAccountId,
    reference: deposit.reference,
    orderId: deposit.creditOrderId,
    customerId: deposit.customerId,
    terms: { requestedInFiat, requestedInCrypto, fixedRate: rateAlone(fixedRate), expiresAt },
  };
}

function unapplied(deposit: ObservedDeposit, receipts: readonly SettledReceipt[]): Problem {
  const received = Decimal.sum(receipts.map(({ part }) => part.quantity.value));
  const currency = receipts[0]?.part.quantity.currency ?? "";
  const params = { state: deposit.state, received: formatAmount({ currency, value: received }) };
  return problem("LEDGER_DEPOSIT_UNAPPLIED", params, whereOf(deposit));
}
