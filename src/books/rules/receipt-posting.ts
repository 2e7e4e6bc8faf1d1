/** One receipt: from deposits clearing to the treasury when it is confirmed, whatever the state of its deposit. */
import { isProblem, type Problem } from "../../faults/index.ts";
import { applying } from "../../model/applying.ts";
import type { EntryRate, ReceiptFact } from "../../model/index.ts";
import { type Amount, type Decimal, formatAmount } from "../../money/index.ts";
import type { Chart } from "../chart/look-up.ts";
import { unclear } from "./derived.ts";
import { functionalValue } from "./functional-value.ts";
import type { LedgerPolicy } from "./policy.ts";
import {
  credit,
  debit,
  depositName,
  noValue,
  type Posting,
  quantityOf,
  rateMissing,
  systemAccounts,
} from "./posting.ts";
import { type ReceiptValue, type Requested, receiptValuation, requestOf } from "./receipt-valuation.ts";

export function postReceipt(fact: ReceiptFact, chart: Chart, policy: LedgerPolicy): Posting | Problem {
  const { part, order, index, terms } = fact;
  const request = requestOf(terms, part.quantity.currency, policy);
  if (!("kind" in request)) return noValue(fact, request, policy);
  const valuation = receiptValuation(request, terms, policy);
  for (const before of order.slice(0, index)) valuation.pass(before);
  const value = valuation.next(part);
  if (!("booked" in value)) return noValue(fact, value, policy);

  const { accountFor, problems } = systemAccounts(fact, part.quantity.currency, chart, policy);
  const late = value.isLate ? " (after the fixed rate had expired)" : "";
  const memo = `Deposit ${depositName(fact)} receipt ${index + 1}${late}`;
  const whole = { value: value.booked, quantity: quantityOf(part.quantity, policy) };
  const clearing = credit({ ...accountFor("deposits-clearing"), ...whole, memo });
  const fee = deductedFee(fact, value, policy);
  if (fee !== undefined && isProblem(fee)) return fee;
  const treasury = fee === undefined ? whole : netOf(fact, value, fee, policy);
  const feeLine = fee && debit({ ...accountFor("network-fees"), ...fee, memo: `fee of ${memo}` });
  return {
    kind: "deposit-receipt",
    narration: memo + feeInWords(fact, fee !== undefined),
    rateUsed: rateUsed(part.rate, request, value),
    lines: applying(debit({ ...accountFor("treasury"), ...treasury, memo }), feeLine, clearing),
    problems,
  };
}

interface FeePart {
  readonly value: Decimal;
  readonly quantity?: Amount | undefined;
  readonly fee: Amount;
}

/** Under `depositFee: deducted` the treasury received less than the customer sent. */
function deductedFee(
  fact: ReceiptFact,
  { booked }: ReceiptValue,
  policy: LedgerPolicy,
): FeePart | Problem | undefined {
  const { fee, quantity, rate } = fact.part;
  if (policy.depositFee === "memo" || fee === undefined || fee.value.isZero()) return undefined;
  const isPart = fee.currency === quantity.currency && fee.value.compare(quantity.value) < 0;
  if (!isPart || fee.value.isNegative())
    return unclear(fact, `a fee of ${formatAmount(fee)} cannot be deducted from ${formatAmount(quantity)}`);
  const value = functionalValue(fee, rate, policy);
  if (value === undefined) return rateMissing(fact, fee.currency, policy);
  if (value.compare(booked) > 0)
    return unclear(fact, `its fee of ${formatAmount(fee)} is worth more than the receipt at the fixed rate`);
  return { value, quantity: quantityOf(fee, policy), fee };
}

function netOf(
  { part }: ReceiptFact,
  { booked }: ReceiptValue,
  { value, fee }: FeePart,
  policy: LedgerPolicy,
) {
  const net = { ...part.quantity, value: part.quantity.value.minus(fee.value) };
  return { value: booked.minus(value), quantity: quantityOf(net, policy) };
}

function feeInWords({ part: { fee } }: ReceiptFact, isBooked: boolean): string {
  return fee === undefined || fee.value.isZero() || isBooked ? "" : ` (fee shown ${formatAmount(fee)})`;
}

function rateUsed(
  own: ReceiptFact["part"]["rate"],
  request: Requested,
  { atFixedRate }: ReceiptValue,
): EntryRate | undefined {
  if (atFixedRate && request.kind === "fixed") return { ...request.rate, origin: "fixed" };
  return own && { ...own, origin: "funds" };
}
