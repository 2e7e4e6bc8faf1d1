/**
 * The expectations that a receipt may belong to if its deposit was made for none. Each candidate has its evidence as
 * text, not a score, and counts only after a person has decided.
 */
import { counted as countedText } from "../../model/counted.ts";
import { compareText, dayIn, daysBetween, type ExpectationRow, NEVER } from "../../model/index.ts";
import { Decimal, formatAmount } from "../../money/index.ts";
import {
  isWithin,
  type Matched,
  type MatchedExpectation,
  type MatchingPolicy,
  type Receipt,
  receiptId,
  toleranceFor,
  worthOf,
} from "./matching.ts";

/** The part of a receipt that may belong to an expectation. */
export interface CandidatePart {
  readonly expectation: ExpectationRow;
  /** In the receipt's currency. */
  readonly quantity: Decimal;
}

export interface Candidate {
  /** Several parts only if they belong to one customer. */
  readonly parts: readonly CandidatePart[];
  /** "amount exact", "two days late", "customer known" */
  readonly evidence: readonly string[];
}

/** A receipt with a part that counts for no expectation yet. */
export interface OpenReceipt {
  readonly receipt: Receipt;
  /** The part that counts for no expectation yet, in the receipt's currency. */
  readonly free: Decimal;
  readonly candidates: readonly Candidate[];
  /** Customers who owe the same amount, so that the amount does not show who paid; or references, without customer. */
  readonly owedAlikeBy: readonly string[];
  /** An expectation of the same customer and amount that was already received: it seems to have been paid twice. */
  readonly repeats?: ExpectationRow;
}

/** The settled and arriving receipts with a part that belongs to no expectation yet, newest first. */
export function openReceipts(
  receipts: readonly Receipt[],
  { standings, free }: Matched,
  policy: MatchingPolicy,
): OpenReceipt[] {
  const open = standings.filter(({ open: rest, state }) => !rest.isZero() && state !== "waits");
  const byAccount = Map.groupBy(open, ({ expectation }) => expectation.custodyAccountId);
  const surplus = surplusOf(standings);
  const found: OpenReceipt[] = [];
  for (const receipt of receipts) {
    const rest = free.get(receiptId(receipt)) ?? Decimal.zero;
    const over = surplus.get(receiptId(receipt));
    const amount = rest.isZero() ? over?.quantity : rest;
    if (amount === undefined || amount.isZero()) continue;
    const owing = (byAccount.get(receipt.custodyAccountId) ?? []).filter(
      ({ expectation }) => expectation.id !== over?.expectation.id,
    );
    const customerId = over?.expectation.customerId ?? receipt.customerId;
    const owned = { ...receipt, customerId };
    const { candidates, owedAlikeBy } = candidatesFor(owned, amount, owing, policy, over !== undefined);
    if (over !== undefined && candidates.length === 0) continue;
    const repeats = candidates.length === 0 ? repeatedBy(owned, standings, policy) : undefined;
    found.push({ receipt, free: amount, candidates, owedAlikeBy, ...(repeats && { repeats }) });
  }
  return found.toSorted((a, b) => (a.receipt.at < b.receipt.at ? 1 : -1));
}

interface Surplus {
  readonly expectation: ExpectationRow;
  readonly quantity: Decimal;
}

/** By receipt, the surplus that the last receipt of a deposit brings, in its own currency. */
function surplusOf(standings: readonly MatchedExpectation[]): ReadonlyMap<string, Surplus> {
  const found = new Map<string, Surplus>();
  for (const { expectation, shares, over, state } of standings) {
    const last = shares.findLast(({ decision }) => decision === undefined);
    if (state !== "received over" || last?.receipt.amount.currency !== expectation.amount.currency) continue;
    const quantity = over.compare(last.quantity) < 0 ? over : last.quantity;
    found.set(receiptId(last.receipt), { expectation, quantity });
  }
  return found;
}

interface Owing {
  readonly standing: MatchedExpectation;
  /** The free part of the receipt in the expectation's currency; undefined without a rate. */
  readonly worth: Decimal | undefined;
  readonly isExact: boolean;
  /** The receipt has the expectation's customer. */
  readonly isCustomer: boolean;
  /** The receipt has the expectation's reference. */
  readonly isNamed: boolean;
}

/** `needsCustomer`: the surplus of an expectation may only belong to the same customer. */
function candidatesFor(
  receipt: Receipt,
  free: Decimal,
  open: readonly MatchedExpectation[],
  policy: MatchingPolicy,
  needsCustomer: boolean,
): { readonly candidates: readonly Candidate[]; readonly owedAlikeBy: readonly string[] } {
  const owing = open
    .map((standing) => owingOf(receipt, free, standing, policy))
    .filter((each) => each.isCustomer || (!needsCustomer && (each.isNamed || !isAnothers(receipt, each))));
  const byAmount = owing.filter(({ isExact, isCustomer, isNamed }) => isExact && !isCustomer && !isNamed);
  const owners = new Set(byAmount.map(({ standing: { expectation } }) => ownerOf(expectation)));
  const isAlike = owners.size > 1;
  const single = owing
    .filter(({ isExact, isCustomer, isNamed }) => isNamed || isCustomer || (isExact && !isAlike))
    .map((each) => ({ each, candidate: singleCandidate(receipt, free, each, policy) }))
    .toSorted((a, b) => compareOwing(a.each, b.each))
    .map(({ candidate }) => candidate);
  const together = togetherCandidate(receipt, free, owing, policy);
  const hasFirm = owing.some(({ isExact, isCustomer, isNamed }) => isExact && (isCustomer || isNamed));
  return {
    candidates: together === undefined ? single : hasFirm ? [...single, together] : [together, ...single],
    owedAlikeBy: isAlike && single.length === 0 ? [...owners].sort() : [],
  };
}

/** Whether receipt and expectation have different customers. */
function isAnothers({ customerId }: Receipt, { standing: { expectation } }: Owing): boolean {
  const owner = expectation.customerId;
  return customerId !== undefined && owner !== undefined && customerId !== owner;
}

function ownerOf({ customerId, reference }: ExpectationRow): string {
  return customerId ?? reference;
}

function owingOf(
  receipt: Receipt,
  free: Decimal,
  standing: MatchedExpectation,
  policy: MatchingPolicy,
): Owing {
  const { expectation, open } = standing;
  const { currency } = expectation.amount;
  const worth = worthOf(receipt, free, currency, policy);
  return {
    ...{ standing, worth },
    isExact: worth !== undefined && isWithin(worth.minus(open), toleranceFor(policy, currency)),
    isCustomer: receipt.customerId !== undefined && receipt.customerId === expectation.customerId,
    isNamed: receipt.reference !== undefined && receipt.reference === expectation.reference,
  };
}

/** First an expectation that the receipt names, then those with an exact amount, then by due day. */
function compareOwing(a: Owing, b: Owing): number {
  const rank = ({ isNamed, isExact }: Owing) => (isNamed ? 0 : 1) + (isExact ? 0 : 2);
  return rank(a) - rank(b) || compareDueDays(a, b);
}

function compareDueDays(a: Owing, b: Owing): number {
  const due = ({ standing }: Owing) => standing.expectation.dueDay ?? NEVER;
  return compareText(due(a), due(b));
}

function singleCandidate(receipt: Receipt, free: Decimal, owing: Owing, policy: MatchingPolicy): Candidate {
  const { standing, worth, isExact, isCustomer, isNamed } = owing;
  const { expectation, open } = standing;
  const isMore = worth !== undefined && !isExact && worth.compare(open) > 0;
  const isSameCurrency = receipt.amount.currency === expectation.amount.currency;
  return {
    parts: [{ expectation, quantity: isMore && isSameCurrency ? open : free }],
    evidence: [
      ...(isNamed ? ["reference the same"] : []),
      amountEvidence(receipt, owing),
      timing(receipt, expectation, policy),
      isCustomer ? "customer known" : "customer not known",
    ],
  };
}

function amountEvidence({ amount }: Receipt, { standing, worth, isExact }: Owing): string {
  const { open, expectation } = standing;
  const { currency } = expectation.amount;
  if (worth === undefined) return `amount not comparable: no rate from ${amount.currency} to ${currency}`;
  if (worth.equals(open)) return "amount exact";
  const differs = formatAmount({ currency, value: worth.minus(open).absolute().normalized() });
  if (isExact) return `amount within the tolerance (differs by ${differs})`;
  return worth.compare(open) > 0 ? `more than is open, by ${differs}` : `a part: ${differs} stay open`;
}

/** "two days late" */
function timing(receipt: Receipt, { dueDay }: ExpectationRow, { timeZone }: MatchingPolicy): string {
  if (dueDay === undefined) return "no due day";
  const days = daysBetween(dueDay, dayIn(timeZone, receipt.at));
  if (days === 0) return "on the due day";
  return `${daysText(Math.abs(days))} ${days > 0 ? "late" : "early"}`;
}

const NUMBERS = ["", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

function daysText(days: number): string {
  return `${NUMBERS[days] ?? days} ${days === 1 ? "day" : "days"}`;
}

/** Several expectations of a known customer that add up to the amount: all, or the first by due day. */
function togetherCandidate(
  receipt: Receipt,
  free: Decimal,
  owing: readonly Owing[],
  policy: MatchingPolicy,
): Candidate | undefined {
  const { currency } = receipt.amount;
  const own = owing
    .filter(
      ({ isCustomer, standing: { expectation } }) => isCustomer && expectation.amount.currency === currency,
    )
    .toSorted(compareDueDays);
  let sum = Decimal.zero;
  for (const [at, { standing }] of own.entries()) {
    sum = sum.plus(standing.open);
    if (at === 0 || !isWithin(sum.minus(free), toleranceFor(policy, currency))) continue;
    const parts = own.slice(0, at + 1);
    // A difference within the tolerance falls on the last one.
    const before = Decimal.sum(parts.slice(0, -1).map((each) => each.standing.open));
    const references = parts.map((each) => each.standing.expectation.reference).join(", ");
    const exact = sum.equals(free) ? "exactly" : "within the tolerance";
    return {
      parts: parts.map((each, place) => ({
        expectation: each.standing.expectation,
        quantity: place === parts.length - 1 ? free.minus(before) : each.standing.open,
      })),
      evidence: [
        `${countedText(parts.length, "expectation")} of one customer (${references}) come to the amount ${exact}`,
        "customer known",
      ],
    };
  }
  return undefined;
}

function repeatedBy(
  receipt: Receipt,
  standings: readonly MatchedExpectation[],
  policy: MatchingPolicy,
): ExpectationRow | undefined {
  if (receipt.customerId === undefined) return undefined;
  return standings.find(({ expectation, state }) => {
    const { amount, customerId, custodyAccountId } = expectation;
    if (customerId !== receipt.customerId || custodyAccountId !== receipt.custodyAccountId) return false;
    if (state !== "received" && state !== "received over") return false;
    const worth = worthOf(receipt, receipt.amount.value, amount.currency, policy);
    return worth !== undefined && isWithin(worth.minus(amount.value), toleranceFor(policy, amount.currency));
  })?.expectation;
}
