/**
 * A completed deposit, booked from deposits clearing to the receivable. An overpayment is owed to the customer; a
 * shortfall stays open or is written off, by policy, and is reported.
 */
import { type Problem, problem } from "../../faults/index.ts";
import { applying } from "../../model/applying.ts";
import type { ApplyFact } from "../../model/index.ts";
import { type Amount, Decimal, formatAmount } from "../../money/index.ts";
import type { Chart } from "../chart/look-up.ts";
import { whereOf } from "./derived.ts";
import type { LedgerPolicy } from "./policy.ts";
import { credit, debit, depositName, noValue, type Posting, quantityOf, systemAccounts } from "./posting.ts";
import { type ReceiptValue, type Requested, receiptValuation, requestOf } from "./receipt-valuation.ts";

export function postApply(fact: ApplyFact, chart: Chart, policy: LedgerPolicy): Posting | Problem {
  const currency = fact.parts[0]?.quantity.currency ?? policy.functionalCurrency;
  const request = requestOf(fact.terms, currency, policy);
  if (!("kind" in request)) return noValue(fact, request, policy);
  const values: ReceiptValue[] = [];
  const valuation = receiptValuation(request, fact.terms, policy);
  for (const [index, part] of fact.parts.entries()) {
    for (const other of fact.others ?? []) if (other.after === index) valuation.pass(other.part);
    const value = valuation.next(part);
    if (!("booked" in value)) return noValue(fact, value, policy);
    values.push(value);
  }
  const received = { currency, value: Decimal.sum(fact.parts.map((part) => part.quantity.value)) };
  const { accountFor, problems } = systemAccounts(fact, currency, chart, policy);
  const { booked, settled, over, short: lacking, difference } = settle(fact, values, request);
  const short = fact.soFar === "partial" ? Decimal.zero : lacking;
  // More than the claimed quantity is no surplus as long as its value falls short of the request.
  const overQuantity = lacking.isZero() ? quantityBeyond(received, request) : undefined;
  const memo = `Deposit ${depositName(fact)} ${SO_FAR[fact.soFar ?? "whole"]}`;
  const quantity = quantityOf(received, policy);
  const writesOff = !short.isZero() && policy.depositShort === "write-off";
  const isOver = !over.isZero() || overQuantity !== undefined;
  const beyond = overQuantity && quantityOf(overQuantity, policy);
  const differenceSide = difference.isNegative() ? debit : credit;
  const lines = applying(
    debit({ ...accountFor("deposits-clearing"), value: booked, quantity, memo }),
    writesOff && debit({ ...accountFor("write-off"), value: short, memo: `short of ${memo}` }),
    credit({ ...accountFor("receivable"), value: writesOff ? settled.plus(short) : settled, memo }),
    isOver &&
      credit({ ...accountFor("overpayments"), value: over, quantity: beyond, memo: `excess of ${memo}` }),
    !difference.isZero() &&
      differenceSide({ ...accountFor("valuation-difference"), value: difference.absolute(), memo }),
  );
  const isAnyLate = values.some(({ isLate }) => isLate);
  const shortage = shortageOf(fact, request, { received, short, isAnyLate, writesOff });
  if (shortage !== undefined) problems.push(shortage);
  return { kind: "deposit-apply", narration: memo, lines, problems };
}

const SO_FAR = { whole: "completed", partial: "received so far", short: "settled short" } as const;

interface Settlement {
  readonly booked: Decimal;
  /** Credited to the receivable. */
  readonly settled: Decimal;
  /** Credited to the customer's overpayments. */
  readonly over: Decimal;
  readonly short: Decimal;
  /** Booked minus counted; positive when receipts were worth more than they counted for. */
  readonly difference: Decimal;
}

/** Takes from clearing what the receipts' entries put there: other settings may have held when they were booked. */
function settle({ cleared }: ApplyFact, values: readonly ReceiptValue[], request: Requested): Settlement {
  const booked = cleared ?? Decimal.sum(values.map((value) => value.booked));
  const counted = Decimal.sum(values.map((value) => value.counted));
  const difference = booked.minus(counted);
  if (request.kind === "crypto" || request.kind === "none") {
    const over = Decimal.sum(values.map((value) => value.excess));
    return { booked, settled: counted.minus(over), over, short: Decimal.zero, difference };
  }
  const isShort = counted.compare(request.value) < 0;
  return {
    booked,
    settled: isShort ? counted : request.value,
    over: isShort ? Decimal.zero : counted.minus(request.value),
    short: isShort ? request.value.minus(counted) : Decimal.zero,
    difference,
  };
}

function quantityBeyond({ currency, value }: Amount, request: Requested): Amount | undefined {
  if (!("quantity" in request)) return undefined;
  const beyond = value.minus(request.quantity.value);
  return beyond.compare(Decimal.zero) > 0 ? { currency, value: beyond } : undefined;
}

interface Shortage {
  readonly received: Amount;
  readonly short: Decimal;
  readonly isAnyLate: boolean;
  readonly writesOff: boolean;
}

function shortageOf(
  fact: ApplyFact,
  request: Requested,
  { received, short, isAnyLate, writesOff }: Shortage,
): Problem | undefined {
  if (fact.soFar === "partial") return undefined;
  const claimed = "quantity" in request ? request.quantity : undefined;
  const missing = claimed?.value.minus(received.value) ?? Decimal.zero;
  const isMissing = missing.compare(Decimal.zero) > 0;
  const isShort = request.kind === "crypto" ? isMissing : !short.isZero();
  if (!isShort) return undefined;
  const booking = writesOff ? "was written off" : "stays open on the receivable";
  const fiat = fact.terms.requestedInFiat;
  const shortInWords =
    request.kind === "crypto"
      ? formatAmount({ currency: received.currency, value: missing })
      : `${short} ${fiat?.currency ?? ""}`;
  const requested = [claimed && formatAmount(claimed), fiat && formatAmount(fiat)]
    .filter(Boolean)
    .join(" = ");
  const why =
    isAnyLate && !isMissing
      ? "money arrived after the fixed rate had expired and is valued at the market rate"
      : `${fact.soFar === "short" ? "it was settled short" : "the deposit is complete"}, but only ` +
        `${formatAmount(received)} was received`;
  return problem("LEDGER_SHORT", { why, short: shortInWords, requested, booking }, whereOf(fact));
}
