/** What postings are made of: lines, system accounts, and the problems that prevent or accompany them. */
import { type Problem, problem } from "../../faults/index.ts";
import type { ApplyFact, EntryKind, EntryRate, Fact, JournalLine, ReceiptFact } from "../../model/index.ts";
import type { Amount, Decimal } from "../../money/index.ts";
import { type Chart, type ChartRole, lookUpRole } from "../chart/chart.ts";
import { unclear, whereOf } from "./derived.ts";
import type { LedgerPolicy } from "./policy.ts";
import type { NoValue } from "./receipt-valuation.ts";

/** How one fact is booked, before it has an id and a day. */
export interface Posting {
  readonly kind: EntryKind;
  readonly narration: string;
  readonly rateUsed?: EntryRate | undefined;
  readonly lines: readonly JournalLine[];
  /** Problems that a person should know of, although the fact is booked. */
  readonly problems: readonly Problem[];
}

/** A line without its side. The value is in the functional currency; neither value nor quantity is negative. */
export interface LineContent extends Omit<JournalLine, "debit" | "credit"> {
  readonly value: Decimal;
}

export function debit({ value, ...content }: LineContent): JournalLine {
  return { ...content, debit: value };
}

export function credit({ value, quantity, ...content }: LineContent): JournalLine {
  const signed = quantity && { ...quantity, value: quantity.value.negated() };
  return { ...content, quantity: signed, credit: value };
}

/** Undefined for the functional currency, whose amount is the line's value already. */
export function quantityOf(amount: Amount, policy: LedgerPolicy): Amount | undefined {
  return amount.currency === policy.functionalCurrency ? undefined : amount;
}

export type SystemRole = Exclude<ChartRole, "gl" | "suspense">;

/** Looks up the system accounts for one fact, and collects a problem for each that falls back to suspense. */
export function systemAccounts(fact: Fact, currency: string, chart: Chart, policy: LedgerPolicy) {
  const problems: Problem[] = [];
  const accountFor = (role: SystemRole, custodyAccountId: string = fact.custodyAccountId) => {
    const name = policy.custodyAccounts.find((own) => own.id === custodyAccountId)?.name;
    const customerId = role === "receivable" && fact.kind !== "payout" ? fact.customerId : undefined;
    const keys = [customerId, custodyAccountId, name, currency].filter((key) => key !== undefined);
    const account = lookUpRole(chart, role, keys);
    if (account === undefined) problems.push(unmapped(`${role} of ${name ?? custodyAccountId}`, fact));
    const whose = role === "treasury" ? custodyAccountId : customerId;
    const accountKey = whose === undefined ? role : `${role}:${whose}`;
    return account === undefined
      ? { accountKey: "suspense", account: chart.suspense }
      : { accountKey, account };
  };
  return { accountFor, problems };
}

export function unmapped(what: string, fact: Fact): Problem {
  return problem("LEDGER_UNMAPPED", { what }, whereOf(fact));
}

/** `from`: the currency that cannot be valued. */
export function rateMissing(fact: Fact, from: string, policy: LedgerPolicy): Problem {
  return problem("LEDGER_RATE_MISSING", { from, currency: policy.functionalCurrency }, whereOf(fact));
}

export function noValue(fact: ReceiptFact | ApplyFact, why: NoValue, policy: LedgerPolicy): Problem {
  if ("noRateFrom" in why) return rateMissing(fact, why.noRateFrom, policy);
  return unclear(fact, why.unclear);
}

export function depositName({ reference, depositId }: ReceiptFact | ApplyFact): string {
  return reference ?? depositId;
}
