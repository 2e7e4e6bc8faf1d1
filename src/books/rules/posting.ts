/** The parts of postings: lines, system accounts, and the problems that prevent or accompany them. */
import { type Problem, problem } from "../../faults/index.ts";
import type { ApplyFact, EntryKind, EntryRate, Fact, JournalLine, ReceiptFact } from "../../model/index.ts";
import type { Amount, Decimal } from "../../money/index.ts";
import type { ChartRole, ChartRow } from "../chart/chart.ts";
import { type Chart, lookUpRole } from "../chart/look-up.ts";
import { unclear, whereOf } from "./derived.ts";
import type { LedgerPolicy } from "./policy.ts";
import type { NoValue } from "./receipt-valuation.ts";

/** The booking of one fact, before it has an id and a day. */
export interface Posting {
  readonly kind: EntryKind;
  readonly narration: string;
  readonly rateUsed?: EntryRate | undefined;
  readonly lines: readonly JournalLine[];
  /** Problems to report although the fact is booked. */
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

/** Undefined for the functional currency, because the line's value is the amount. */
export function quantityOf(amount: Amount, policy: LedgerPolicy): Amount | undefined {
  return amount.currency === policy.functionalCurrency ? undefined : amount;
}

export type SystemRole = Exclude<ChartRole, "gl" | "suspense">;

/** Looks up the system accounts for one fact, and collects a problem for each that falls back to suspense. */
export function systemAccounts(fact: Fact, currency: string, chart: Chart, policy: LedgerPolicy) {
  const problems: Problem[] = [];
  const { customer, reference } =
    fact.kind === "payout" ? {} : { customer: fact.customerId, reference: fact.reference };
  const accountFor = (role: SystemRole, custodyAccountId: string = fact.custodyAccountId) => {
    const name = policy.custodyAccounts.find((own) => own.id === custodyAccountId)?.name;
    const customerId = role === "receivable" ? customer : undefined;
    const keys = [customerId, custodyAccountId, name, currency].filter((key) => key !== undefined);
    const row = lookUpRole(chart, role, { keys, customer, reference });
    if (row === undefined) {
      problems.push(unmapped(`${role} of ${name ?? custodyAccountId}`, fact));
      return { accountKey: "suspense", account: chart.suspense };
    }
    const whose = role === "treasury" ? custodyAccountId : customerId;
    const accountKey = whose === undefined ? role : `${role}:${whose}`;
    return { accountKey, account: row.account, ...attributesOf(row, { customer }) };
  };
  return { accountFor, problems };
}

/** The chart's attributes for a line besides its account. A missing attribute has no member. */
export function attributesOf(
  { dimensions, party }: ChartRow,
  { customer, payee }: { readonly customer?: string | undefined; readonly payee?: string | undefined },
): Pick<JournalLine, "dimensions" | "party"> {
  const id = party?.id === "{customer}" ? customer : party?.id === "{payee}" ? payee : party?.id;
  return {
    ...(Object.keys(dimensions).length > 0 && { dimensions }),
    ...(party !== undefined && id !== undefined && { party: { type: party.type, id } }),
  };
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
