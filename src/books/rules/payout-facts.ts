/**
 * The fact of one payout: the amount that left the treasury, once confirmed. A failed payout gives a report row
 * instead.
 */
import { type Problem, problem } from "../../faults/index.ts";
import {
  compareText,
  generalLedgerOf,
  type Instant,
  type ObservedFunds,
  type ObservedPayout,
  type PayoutFact,
  payoutStateMeaning,
  type SentPart,
} from "../../model/index.ts";
import { present } from "../../model/present.ts";
import { type Amount, Decimal, formatAmount } from "../../money/index.ts";
import { contentHash, rateAlone } from "./content-hash.ts";
import { type Derived, notBookedRow, nothingDerived, unclear, whereOf } from "./derived.ts";
import { foreignTo, type LedgerPolicy } from "./policy.ts";
import { sentAmounts } from "./sent-amounts.ts";
import { settlementOf } from "./settled.ts";

/** `feeElsewhere`: another payout of the same transaction books the fee. */
export function derivePayout(payout: ObservedPayout, policy: LedgerPolicy, feeElsewhere: boolean): Derived {
  if (payout.state === "SENT" || payout.state === "COMPLETED") {
    return deriveSent(payout, policy, feeElsewhere);
  }
  const evidence = movementShown(payout);
  switch (payoutStateMeaning(payout.state)) {
    case "failed":
      return evidence === undefined ? failedRow(payout) : held(movedNevertheless(payout, evidence));
    case "unknown":
      return held(unclear(payout, `${payout.state} leaves open whether it was made`));
    case undefined:
      return evidence === undefined
        ? nothingDerived
        : held(unclear(payout, `the interface does not list its state ${payout.state}`));
    default:
      return evidence === undefined
        ? nothingDerived
        : held(
            problem(
              "LEDGER_NOT_SETTLED",
              { reason: `it is ${payout.state}, and shows ${evidence}` },
              whereOf(payout),
            ),
          );
  }
}

function deriveSent(payout: ObservedPayout, policy: LedgerPolicy, feeElsewhere: boolean): Derived {
  const settled = payout.sentFunds.flatMap((funds): Settled[] => {
    const settlement = settlementOf(funds, policy);
    return "settledAt" in settlement ? [{ funds, settledAt: settlement.settledAt }] : [];
  });
  const [sent] = settled;
  if (sent === undefined) return held(notSettled(payout, policy));
  const moved =
    settled.length > 1 ? inParts(payout, settled, feeElsewhere) : atOnce(payout, sent, feeElsewhere);
  if (typeof moved === "string")
    return held(waitsForOthers(payout, settled) ? partNotSettled(payout) : unclear(payout, moved));
  const [foreign] = [payout.custodyAccountId, payout.destinationAccountId].flatMap(
    (id) => (id && foreignTo(id, moved.net, policy)) ?? [],
  );
  if (foreign !== undefined) return held(unclear(payout, foreign));
  const content = {
    custodyAccountId: payout.custodyAccountId,
    reference: payout.reference,
    orderId: payout.debitOrderId,
    settledAt: moved.settledAt,
    txHash: moved.txHash,
    subtractFee: payout.subtractFee ?? false,
    net: moved.net,
    fee: moved.fee,
    rate: moved.rate,
    ...present({ parts: moved.parts }),
    destinationAddress: payout.destinationAddress,
    destinationAccountId: payout.destinationAccountId,
    ...generalLedgerOf(payout),
  };
  const fact: PayoutFact = {
    kind: "payout",
    factId: `payout:${payout.payoutId}:settle`,
    contentHash: contentHash(content),
    payoutId: payout.payoutId,
    sourceState: payout.state,
    ...content,
  };
  return { ...nothingDerived, facts: [fact] };
}

interface Settled {
  readonly funds: ObservedFunds;
  readonly settledAt: Instant;
}

type Moved = Pick<PayoutFact, "net" | "fee" | "rate" | "txHash" | "settledAt" | "parts">;

/** Returns a sentence if it cannot be booked. */
function atOnce(
  payout: ObservedPayout,
  { funds, settledAt }: Settled,
  feeElsewhere: boolean,
): Moved | string {
  const amounts = sentAmounts(payout, funds);
  if (typeof amounts === "string") return amounts;
  const fee = feeElsewhere ? undefined : amounts.fee;
  return { settledAt, txHash: funds.txHash, net: amounts.net, fee, rate: rateAlone(funds.rate) };
}

/** Several transactions that add up to the request, booked on the day of the last one, each at its own rate. */
function inParts(payout: ObservedPayout, settled: readonly Settled[], feeElsewhere: boolean): Moved | string {
  const several = `${settled.length} confirmed movements are shown for one payout`;
  if (feeElsewhere) return `${several}, and another payout shares a transaction with it`;
  const ordered = settled.toSorted((a, b) => compareText(placeOf(a), placeOf(b)));
  const [amount, fee] = [sumOf(ordered, "amount"), sumOf(ordered, "fee")];
  if (amount === "unclear" || fee === "unclear")
    return `${several}, in several currencies or without an amount`;
  const amounts = sentAmounts(payout, present({ amount, fee }));
  if (typeof amounts === "string") return `${several}: ${amounts}`;
  const figures = ordered.flatMap(({ funds }) => [funds.amount ?? [], funds.fee ?? []].flat());
  const negative = figures.find(({ value }) => value.isNegative());
  if (negative !== undefined) return `${several}, one with ${formatAmount(negative)}`;
  const withFee = amount !== undefined && !amount.value.equals(amounts.net.value);
  const parts = ordered.map(({ funds }): SentPart => {
    const { amount: sent = amounts.net, fee: own, txHash } = funds;
    const net = withFee && own !== undefined ? { ...sent, value: sent.value.minus(own.value) } : sent;
    return { net, fee: own?.value.isZero() ? undefined : own, rate: rateAlone(funds.rate), txHash };
  });
  const [first] = parts;
  const rates = new Set(parts.map(({ rate }) => contentHash({ rate })));
  const last = ordered.at(-1)?.settledAt ?? "";
  const rate = rates.size === 1 ? first?.rate : undefined;
  return { ...amounts, settledAt: last, txHash: first?.txHash, rate, parts };
}

/** A sort key, because the service may list them in any order. */
function placeOf({ settledAt, funds: { txHash, transactionId, amount } }: Settled): string {
  return [settledAt, txHash, transactionId, amount?.value].join(" ");
}

/** Undefined if no fee is shown. */
function sumOf(settled: readonly Settled[], figure: "amount" | "fee"): Amount | undefined | "unclear" {
  const shown = settled.flatMap(({ funds }) => funds[figure] ?? []);
  const [first] = shown;
  if (first === undefined) return figure === "fee" ? undefined : "unclear";
  const isMixed = shown.some(({ currency }) => currency !== first.currency);
  if (isMixed || (figure === "amount" && shown.length < settled.length)) return "unclear";
  return { currency: first.currency, value: Decimal.sum(shown.map(({ value }) => value)) };
}

/** Whether the request is reached only with the movements that are not settled yet. */
function waitsForOthers(payout: ObservedPayout, settled: readonly Settled[]): boolean {
  if (settled.length === payout.sentFunds.length) return false;
  const all = payout.sentFunds.map((funds) => ({ funds, settledAt: "" }));
  return typeof inParts(payout, all, false) !== "string";
}

function partNotSettled(payout: ObservedPayout): Problem {
  const reason = "it took several transactions, and not all of them are confirmed yet";
  return problem("LEDGER_NOT_SETTLED", { reason }, whereOf(payout));
}

function movementShown(payout: ObservedPayout): string | undefined {
  for (const { txHash, transactionId, fee } of payout.sentFunds) {
    const transaction = txHash ?? transactionId;
    if (transaction !== undefined) return `the transaction ${transaction}`;
    if (fee !== undefined && !fee.value.isZero()) return `a fee of ${fee.value} ${fee.currency}`;
  }
  return undefined;
}

function notSettled(payout: ObservedPayout, policy: LedgerPolicy): Problem {
  const [funds] = payout.sentFunds;
  const settlement = funds === undefined ? undefined : settlementOf(funds, policy);
  if (settlement !== undefined && "unclear" in settlement) return unclear(payout, settlement.unclear);
  const waitsFor = settlement !== undefined && "waitsFor" in settlement ? settlement.waitsFor : undefined;
  const reason = waitsFor ?? `it is ${payout.state}, but shows no sentFunds`;
  return problem("LEDGER_NOT_SETTLED", { reason }, whereOf(payout));
}

function movedNevertheless(payout: ObservedPayout, evidence: string): Problem {
  return problem("LEDGER_FAILED_BUT_MOVED", { state: payout.state, evidence }, whereOf(payout));
}

function failedRow(payout: ObservedPayout): Derived {
  const row = notBookedRow(payout, "it failed, and shows nothing that left the treasury");
  return { ...nothingDerived, notBooked: [row] };
}

function held(reason: Problem): Derived {
  return { ...nothingDerived, held: [reason] };
}
