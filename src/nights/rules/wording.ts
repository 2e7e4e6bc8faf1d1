/** Phrases shared by the sentences about breaks. Foreign text is quoted, with invisible characters escaped. */
import {
  type Instruction,
  mayBeAccepted,
  type ObservedDeposit,
  type ObservedFunds,
  type ObservedPayout,
  type PayoutId,
  paymentDifferences,
} from "../../model/index.ts";
import { type Amount, Decimal, formatAmount } from "../../money/index.ts";
import type { ReconciliationPolicy } from "./reconciliation.ts";

/**
 * `Payout 1b2c3d4e...09fa (0.015 BTC to ADDRESS, "INV-7")`: the address in full, because look-alikes share its
 * beginning and end.
 */
export function describePayout(payout: ObservedPayout): string {
  const reference = payout.reference === undefined ? "" : `, ${quoted(payout.reference)}`;
  return (
    `Payout ${shortened(payout.payoutId)} (${amountText(payout.requestedAmount)} to ` +
    `${destinationText(payout)}${reference})`
  );
}

/** "Deposit 9a8b7c6d...51f0 ("ORDER-5")", at the beginning of a sentence. */
export function describeDeposit(deposit: ObservedDeposit): string {
  return `D${nameDeposit(deposit).slice(1)}`;
}

/** "deposit 9a8b7c6d...51f0 ("ORDER-5")" */
export function nameDeposit(deposit: ObservedDeposit): string {
  const reference = deposit.reference === undefined ? "" : ` (${quoted(deposit.reference)})`;
  return `deposit ${shortened(deposit.depositId)}${reference}`;
}

/** ""INV-7" (row 3 of B-000042, 0.015 BTC)" */
export function describeInstruction(instruction: Instruction): string {
  const { fields, row, batchId } = instruction;
  return `${quoted(fields.reference)} (row ${row} of ${batchId}, ${amountText(fields.amount)})`;
}

/** The command by which a person accepts a payout for a payment. */
export function acceptCommand(reference: string, id: PayoutId): string {
  return `\`paydrop doubt resolve ${quoted(reference)} --accept ${id} --reason WHY\``;
}

/**
 * How a person accepts a payout that may belong to the payment, or why that is impossible; begins with a space, or
 * is empty.
 */
export function wayIn(instruction: Instruction, payout: ObservedPayout): string {
  if (!mayBeAccepted(instruction.standing)) return "";
  const unlike = paymentDifferences(instruction, payout);
  return unlike.length === 0
    ? ` If it is this payment, ${acceptCommand(instruction.fields.reference, payout.payoutId)} accepts it.`
    : ` It pays something else (${printable(unlike.join(", "))}), so it cannot be accepted as this payment.`;
}

/** A payment that may have been sent in place of another, and the consequence; begins with a space, or is empty. */
export function sentSince([later]: readonly string[] = [], consequence: string): string {
  return later === undefined
    ? ""
    : ` The same amount has since been sent to the same destination as ${quoted(later)}. If that ` +
        `replaces this payment, ${consequence}.`;
}

export function amountText(amount: Amount): string {
  return formatAmount({ currency: printable(amount.currency), value: amount.value.normalized() });
}

/** The quoted value, or text for a missing one. */
export function quoted(text: string | undefined): string {
  return text === undefined ? "(none)" : printable(JSON.stringify(text));
}

export function printable(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}

/** Beginning and end of an id, because ids created one after another begin alike (UUID version 7). */
export function shortened(id: string): string {
  return id.length <= 16 ? printable(id) : `${printable(id.slice(0, 8))}...${printable(id.slice(-4))}`;
}

/** The configured name of a custody account, or its id. */
export function custodyName(id: string, { custodyAccounts }: ReconciliationPolicy): string {
  return printable(custodyAccounts?.get(id)?.name ?? id);
}

/** "0.5 BTC too little" */
export function tooMuchOrLittle(difference: Decimal, currency: string): string {
  const size = amountText({ currency, value: difference.absolute() });
  return `${size} too ${difference.isNegative() ? "little" : "much"}`;
}

function destinationText({ destinationAddress, destinationAccountId }: ObservedPayout): string {
  if (destinationAddress !== undefined) return printable(destinationAddress);
  return destinationAccountId === undefined
    ? "no destination"
    : `custody account ${printable(destinationAccountId)}`;
}

/** The sum of the funds, in any order: a settled break opens again only if more arrives. */
export function sumText(funds: readonly ObservedFunds[]): string {
  const byCurrency = Map.groupBy(
    funds.flatMap(({ amount }) => amount ?? []),
    ({ currency }) => currency,
  );
  const sums = [...byCurrency].map(([currency, amounts]) =>
    amountText({ currency, value: Decimal.sum(amounts.map(({ value }) => value)) }),
  );
  return sums.length === 0 ? "funds" : sums.sort().join(" and ");
}

/** A clause; empty if everything is counted. */
export function uncountedText(count: number): string {
  if (count === 0) return "";
  const figures = count === 1 ? "1 amount or fee is" : `${count} amounts or fees are`;
  return `; ${figures} missing or in another currency, and not counted`;
}
