/**
 * A payout's lines: the payee's amount and the network fee against the treasury. Each component is rounded to the
 * cent and the treasury line is their sum, so that entries always balance. Gain and loss on holdings are not
 * booked.
 */
import { type Problem, problem } from "../../faults/index.ts";
import { applying } from "../../model/applying.ts";
import type { JournalLine, PayoutFact, SentPart } from "../../model/index.ts";
import { type Amount, addAmounts, type Decimal, formatAmount } from "../../money/index.ts";
import { comparableKey, generalLedgerInWords } from "../chart/chart.ts";
import { type Chart, lookUpGeneralLedger } from "../chart/look-up.ts";
import { weightsOf } from "../chart/share.ts";
import { allocate } from "./allocate.ts";
import { whereOf } from "./derived.ts";
import { functionalValue } from "./functional-value.ts";
import { isOwn } from "./own-transfers.ts";
import { functionalScale, type LedgerPolicy } from "./policy.ts";
import {
  attributesOf,
  credit,
  debit,
  type Posting,
  quantityOf,
  rateMissing,
  systemAccounts,
  unmapped,
} from "./posting.ts";

/** The posting of a payout to a payee, to an own custody account, or, if it has no instruction, to suspense. */
export function postPayout(fact: PayoutFact, chart: Chart, policy: LedgerPolicy): Posting | Problem {
  const isTransfer = isOwn(fact.destinationAccountId, policy);
  const paid = componentsOf(fact, isTransfer, policy);
  if (paid === undefined) return withoutRate(fact, policy);
  const { accountFor, problems } = systemAccounts(fact, fact.net.currency, chart, policy);
  const name = fact.reference ?? fact.payoutId;
  const treasury = { ...accountFor("treasury"), memo: narrationOf(fact, isTransfer, policy) };
  const feeLine = paid.fee && { ...accountFor("network-fees"), ...paid.fee, memo: `network fee of ${name}` };
  const debits = isTransfer
    ? [debit({ ...accountFor("treasury", fact.destinationAccountId), ...paid.main, memo: treasury.memo })]
    : payeeLines(fact, paid.main, chart, policy, problems);
  if (!policy.isInstructed(fact.payoutId)) problems.push(unexpected(fact, isTransfer));
  return {
    kind: isTransfer ? "transfer" : "payout-settle",
    narration: treasury.memo,
    rateUsed: fact.rate && { ...fact.rate, origin: "funds" },
    lines: applying(
      ...debits,
      feeLine && debit(feeLine),
      ...treasuryComponents(paid).map((part) => credit({ ...treasury, ...part })),
    ),
    problems,
  };
}

interface Component {
  readonly value: Decimal;
  readonly quantity?: Amount | undefined;
}

interface Components {
  readonly main: Component;
  readonly fee?: Component | undefined;
}

/** Undefined if a rate is missing. A fee that the payee bore is ours only if the payee is our own account. */
function componentsOf(fact: PayoutFact, isTransfer: boolean, policy: LedgerPolicy): Components | undefined {
  const feeIsMemo = fact.subtractFee && !isTransfer && policy.subtractFee === "memo";
  const parts = (fact.parts ?? [fact]).map((part) => partComponents(part, feeIsMemo, policy));
  const [first, ...others] = parts;
  return others.reduce((sum, part) => sum && part && addComponents(sum, part), first);
}

function partComponents(part: SentPart, feeIsMemo: boolean, policy: LedgerPolicy): Components | undefined {
  const { net, fee } = part;
  const main = component(feeIsMemo && fee !== undefined ? addAmounts(net, fee) : net, part, policy);
  if (main === undefined || fee === undefined || feeIsMemo) return main && { main };
  const feePart = component(fee, part, policy);
  return feePart && { main, fee: feePart };
}

function addComponents(left: Components, right: Components): Components {
  const fee = left.fee && right.fee ? addComponent(left.fee, right.fee) : (left.fee ?? right.fee);
  return { main: addComponent(left.main, right.main), fee };
}

function addComponent(left: Component, right: Component): Component {
  const quantity = left.quantity && right.quantity && addAmounts(left.quantity, right.quantity);
  return { value: left.value.plus(right.value), quantity };
}

function withoutRate(fact: PayoutFact, policy: LedgerPolicy): Problem {
  const { net, fee, parts = [fact] } = fact;
  const hasValue = parts.every((part) => component(part.net, part, policy) !== undefined);
  if (fee === undefined || fee.currency === net.currency || !hasValue)
    return rateMissing(fact, net.currency, policy);
  const params = { fee: formatAmount(fee), currency: policy.functionalCurrency };
  return problem("LEDGER_FEE_RATE_MISSING", params, whereOf(fact));
}

function component(
  amount: Amount,
  { rate }: Pick<SentPart, "rate">,
  policy: LedgerPolicy,
): Component | undefined {
  const value = functionalValue(amount, rate, policy);
  return value && { value, quantity: quantityOf(amount, policy) };
}

/** One treasury component per currency: a fee in another currency leaves the treasury separately. */
function treasuryComponents({ main, fee }: Components): Component[] {
  if (fee === undefined) return [main];
  if (main.quantity?.currency !== fee.quantity?.currency) return [main, fee];
  const quantity = main.quantity && fee.quantity && addAmounts(main.quantity, fee.quantity);
  return [{ value: main.value.plus(fee.value), quantity }];
}

function payeeLines(
  fact: PayoutFact,
  { value, quantity }: Component,
  chart: Chart,
  policy: LedgerPolicy,
  problems: Problem[],
): JournalLine[] {
  const payee = fact.destinationAddress ?? fact.destinationAccountId;
  const memo = `${fact.reference ?? fact.payoutId}${payee === undefined ? "" : ` to ${payee}`}`;
  const { generalLedgerProject: project, generalLedgerDistribution: distribution } = fact;
  const rows = policy.isInstructed(fact.payoutId) ? lookUpGeneralLedger(chart, fact) : undefined;
  if (rows === undefined || rows.length === 0) {
    if (rows !== undefined) problems.push(unmapped(generalLedgerInWords(fact), fact));
    const suspense = { accountKey: "suspense", account: chart.suspense };
    return [debit({ ...suspense, value, quantity, memo, project, distribution })];
  }
  const shares = weightsOf(rows.map((row) => row.share));
  const values = allocate(value, shares, functionalScale(policy));
  const quantities = quantity && allocate(quantity.value, shares, quantityScale(quantity, policy));
  return rows.map((row, index) => {
    const part = quantities?.[index];
    return debit({
      accountKey: fact.generalLedgerName ?? "gl",
      account: row.account,
      value: values[index] ?? value,
      quantity: part && quantity && { currency: quantity.currency, value: part },
      memo,
      project: row.bookProject || spelt(row.project, project),
      distribution: row.bookDistribution || spelt(row.distribution, distribution),
      ...attributesOf(row, { payee: policy.payeeOf?.(fact.payoutId) }),
    });
  });
}

/** The chart's spelling, if the payout's differs in case: an ERP would not recognise it. */
function spelt(inChart: string, value: string | undefined): string | undefined {
  return inChart === "" || value === undefined || comparableKey(value) === inChart ? value : inChart;
}

function quantityScale({ currency, value }: Amount, policy: LedgerPolicy): number {
  return Math.max(value.scale, policy.scales.scaleOf(currency) ?? 0);
}

function narrationOf(fact: PayoutFact, isTransfer: boolean, policy: LedgerPolicy): string {
  const name = fact.reference ?? fact.payoutId;
  if (isTransfer) {
    const nameOf = (id: string | undefined) =>
      policy.custodyAccounts.find((own) => own.id === id)?.name ?? id;
    return `Transfer ${name} from ${nameOf(fact.custodyAccountId)} to ${nameOf(fact.destinationAccountId)}`;
  }
  const foreign = policy.isInstructed(fact.payoutId) ? "" : " (not instructed by us)";
  const borne =
    fact.subtractFee && fact.fee !== undefined
      ? ` (payee got ${formatAmount(fact.net)} and bore the fee of ${formatAmount(fact.fee)})`
      : "";
  return `Payout ${name}${foreign}${borne}`;
}

function unexpected(fact: PayoutFact, isTransfer: boolean): Problem {
  const booking = isTransfer
    ? "it was booked as a transfer between own accounts"
    : "it was booked to suspense";
  return problem("LEDGER_UNEXPECTED_PAYOUT", { booking }, whereOf(fact));
}
