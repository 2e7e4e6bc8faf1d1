/** The fact of one payout: what left the treasury, once confirmed. A failed payout gives a report row instead. */
import { type Problem, problem } from "../../faults/index.ts";
import {
  generalLedgerOf,
  type ObservedPayout,
  type PayoutFact,
  payoutStateMeaning,
} from "../../model/index.ts";
import { contentHash, rateAlone } from "./content-hash.ts";
import { type Derived, notBookedRow, nothingDerived, unclear, whereOf } from "./derived.ts";
import type { LedgerPolicy } from "./policy.ts";
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
      return evidence === undefined ? failedRow(payout) : held(movedAllTheSame(payout, evidence));
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
  const settled = payout.sentFunds.flatMap((funds) => {
    const settlement = settlementOf(funds, policy);
    return "settledAt" in settlement ? [{ funds, settledAt: settlement.settledAt }] : [];
  });
  const [sent, another] = settled;
  if (another !== undefined) {
    return held(unclear(payout, `${settled.length} confirmed movements are shown for one payout`));
  }
  if (sent === undefined) return held(notSettled(payout, policy));
  const amounts = sentAmounts(payout, sent.funds);
  if (typeof amounts === "string") return held(unclear(payout, amounts));
  const content = {
    custodyAccountId: payout.custodyAccountId,
    reference: payout.reference,
    orderId: payout.debitOrderId,
    settledAt: sent.settledAt,
    txHash: sent.funds.txHash,
    subtractFee: payout.subtractFee ?? false,
    net: amounts.net,
    fee: feeElsewhere ? undefined : amounts.fee,
    rate: rateAlone(sent.funds.rate),
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

function movedAllTheSame(payout: ObservedPayout, evidence: string): Problem {
  return problem("LEDGER_FAILED_BUT_MOVED", { state: payout.state, evidence }, whereOf(payout));
}

function failedRow(payout: ObservedPayout): Derived {
  const row = notBookedRow(payout, "it failed, and shows nothing that left the treasury");
  return { ...nothingDerived, notBooked: [row] };
}

function held(reason: Problem): Derived {
  return { ...nothingDerived, held: [reason] };
}
