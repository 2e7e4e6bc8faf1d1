/**
 * Screening: compares well-formed payments with the allow list, the chart of accounts, the day's limits, and
 * earlier payments, their payees and destinations, in the file and in history. It queries history through the
 * policy.
 */
import type { Config } from "../../../config/index.ts";
import { type Problem, problem } from "../../../faults/index.ts";
import { applying } from "../../../model/applying.ts";
import { chunks } from "../../../model/chunks.ts";
import type { ColumnName } from "../../../model/columns.ts";
import {
  type Day,
  destinationField,
  type InstructionFields,
  isOfDestination,
  markedDifference,
} from "../../../model/index.ts";
import { type Amount, addAmounts, type Decimal, formatAmount } from "../../../money/index.ts";
import { overLimit } from "../limits.ts";
import {
  type AllowList,
  type Compared,
  ComparedPayees,
  countNames,
  FirstTimeDestinations,
  type LookAlike,
  LookAlikes,
  type NeverApprovedAt,
  type NeverPaidAt,
  type NewDestinations,
  namesPayees,
  type PaidLookAlikes,
} from "./destinations.ts";
import {
  type PaidDestinations,
  type Payment,
  paymentOf,
  placeText,
  type ScreenedDraft,
  type SeenDestination,
  SeenDestinations,
} from "./screened-payment.ts";

/** A finding about one row. */
export interface Finding {
  readonly row: number;
  readonly column: ColumnName;
  readonly what: Problem;
  /** Whether the row must not be paid; otherwise it is a warning. */
  readonly isRefusal: boolean;
  /** For a finding that an approver must accept: the earlier payment, or the two addresses that look alike. */
  readonly about?: string;
  /** For such a finding: the other address, or the other payments in words. */
  readonly against?: Omit<Compared, "what">;
}

export interface ScreeningPolicy {
  readonly today: Day;
  /** The day itself, or the next working day after a day off. */
  readonly workingDayFrom: (day: Day) => Day;
  /** `perRow` only for stored payments; for a file the row rules check it. */
  readonly limits: Pick<Config["limits"], "perDay" | "perDestination"> & Partial<Config["limits"]>;
  readonly allow: Config["destinations"]["allow"];
  readonly allowList?: AllowList | undefined;
  /** Whether a destination is one of our own custody accounts, which is never a first-time destination. */
  isOwn(destination: string): boolean;
  readonly neverPaidAt: NeverPaidAt;
  /** Which of the destinations (in comparable form) were paid before. */
  paidBefore(destinations: readonly string[]): Promise<ReadonlySet<string>>;
  readonly paidLookAlikes: PaidLookAlikes;
  readonly neverApprovedAt: NeverApprovedAt;
  /** By reference, the day and place of an earlier equal payment. */
  madeBefore(payments: readonly Payment[]): Promise<ReadonlyMap<string, MadeBefore>>;
  /** Why the books cannot take a payment: its fields are not in the chart, or do not fit a file for an ERP. */
  ledgerFindings(fields: InstructionFields): readonly Pick<Finding, "column" | "what">[];
  readonly onUnmapped: Config["ledger"]["onUnmapped"];
}

export interface MadeBefore {
  readonly day: Day;
  /** "batch B-000003, row 4" */
  readonly payment: string;
  /** The payment, with its outcome. */
  readonly earlier: string;
}

export interface ScreeningReport {
  readonly newDestinations: NewDestinations;
  /** Rows that repeat a payment of this file or of history. */
  readonly repeatedRows: readonly number[];
  /** Rows whose destination looks like another one, or does not belong to the payee's name as before. */
  readonly lookAlikeRows: readonly number[];
}

export interface Screened {
  /** In file order. */
  readonly findings: readonly Finding[];
  readonly report: ScreeningReport;
}

/** Screens the payments of a whole file, in file order. */
export async function screenPayments(
  drafts: Iterable<ScreenedDraft>,
  policy: ScreeningPolicy,
): Promise<Screened> {
  const screening = new Screening(policy, async () => namesPayees(countNames(drafts)));
  const findings: Finding[] = [];
  for (const some of chunks(drafts, SCREENED_TOGETHER)) findings.push(...(await screening.next(some)));
  return { findings, report: screening.report() };
}

/** Small enough that memory for one part is free before the next one. */
const SCREENED_TOGETHER = 2_000;

/**
 * Screens the payments of a file or batch part by part, in file order. The parts do not change the findings. From a
 * part it stores only what later payments are compared with, as texts and places. A refused payment does not count
 * for later rows.
 */
export class Screening {
  private readonly policy: ScreeningPolicy;
  private readonly names: ReadonlyMap<string, string>;
  private readonly alike: LookAlikes;
  private readonly payees: ComparedPayees;
  private readonly firstTime = new FirstTimeDestinations();
  /** The destinations so far. */
  private readonly seen = new SeenDestinations();
  /** By day and currency, and also by destination. */
  private readonly sums = new Map<string, Amount>();
  /** The findings that an approver must accept. */
  private readonly asked: AskedRow[] = [];

  /** `hasPayees`: whether the file or batch as a whole names payees; asked once at most. */
  constructor(policy: ScreeningPolicy, hasPayees: () => Promise<boolean>) {
    this.policy = policy;
    this.names = policy.allowList?.names ?? new Map<string, string>();
    this.alike = new LookAlikes(this.names.keys(), policy.paidLookAlikes);
    this.payees = new ComparedPayees(this.names, policy.neverApprovedAt, hasPayees);
  }

  /** The findings about the next part, in file order. */
  async next(drafts: readonly ScreenedDraft[]): Promise<readonly Finding[]> {
    const payments = drafts.map((draft) => paymentOf(draft, this.seen));
    const paidAlike = await this.askWhetherPaid(payments);
    const findings: Finding[] = [];
    const payable = payments.filter((payment) => {
      const found = findingsAlone(payment, this.seen, this.policy);
      findings.push(...found);
      return found.every(({ isRefusal }) => !isRefusal);
    });
    findings.push(...(await this.findingsAmong(payable, paidAlike)));
    findings.sort((one, other) => one.row - other.row);
    for (const { row, what, about } of findings)
      if (about !== undefined) this.asked.push({ row, code: what.code });
    return findings;
  }

  /** The report on all parts so far. */
  report(): ScreeningReport {
    return { newDestinations: this.firstTime.listed(this.names), ...askedRows(this.asked) };
  }

  /**
   * Asks about each destination once. Returns the payments whose payee was paid there before. In most files these
   * are nearly all, and no further question is needed about them.
   */
  private async askWhetherPaid(payments: readonly Payment[]): Promise<ReadonlySet<Payment>> {
    const named = this.payees.fresh(payments);
    const never = new Set(await this.policy.neverPaidAt(named));
    const paidAlike = new Set<Payment>();
    for (const pair of named) {
      if (never.has(pair)) continue;
      paidAlike.add(pair.payment);
      pair.payment.seen.isPaid = true;
    }
    const fresh = new Map<string, SeenDestination>();
    for (const { destination, seen } of payments) if (seen.isPaid === undefined) fresh.set(destination, seen);
    const paid = await this.policy.paidBefore([...fresh.keys()]);
    for (const [destination, seen] of fresh) seen.isPaid = paid.has(destination);
    return paidAlike;
  }

  /** Findings from comparing payments with others, of the file and of history. */
  private async findingsAmong(
    payable: readonly Payment[],
    paidAlike: ReadonlySet<Payment>,
  ): Promise<readonly Finding[]> {
    const others = payable.filter(({ destination }) => !this.policy.isOwn(destination));
    const strangers = others.filter(({ seen }) => seen.isPaid !== true);
    for (const payment of strangers) this.firstTime.add(payment);
    await this.alike.compare(strangers.filter(({ destination }) => !this.names.has(destination)));
    const ofPayees = await this.payees.compare(others, this.seen, paidAlike);
    const earlier = this.earlierInFile(payable);
    const before = await this.policy.madeBefore(payable.filter((payment) => !earlier.has(payment)));
    return payable.flatMap((payment) => {
      const { destination, draft } = payment;
      const made = before.get(draft.fields.reference);
      const alike = this.alike.of(destination);
      const found = toAccept(payment, alike, ofPayees.get(payment), earlier.get(payment), made);
      const ofSums = sumFindings(payment, this.sums, this.policy);
      if (found.length === 0) return ofSums;
      return [
        ...found.map(([{ what, ...against }, about]) => ({ ...warning(payment, what), about, against })),
        ...ofSums,
      ];
    });
  }

  /** For payments that repeat an earlier one of the file: the place of the earlier one. */
  private earlierInFile(payments: readonly Payment[]): ReadonlyMap<Payment, string> {
    const earlier = new Map<Payment, string>();
    for (const payment of payments) {
      const first = payment.seen.firstAlike(payment);
      if (first !== undefined) earlier.set(payment, placeText(first));
    }
    return earlier;
  }
}

/** A row that an approver must accept, and the code of the finding about it. */
interface AskedRow {
  readonly row: number;
  readonly code: string;
}

/** The rows that an approver must accept: because they repeat a payment, or because of their destination. */
export function askedRows(
  asked: readonly AskedRow[],
): Pick<ScreeningReport, "repeatedRows" | "lookAlikeRows"> {
  const rowsOf = (isWanted: boolean) => {
    const wanted = asked.filter(({ code }) => isOfDestination(code) === isWanted);
    return [...new Set(wanted.map(({ row }) => row))];
  };
  return { repeatedRows: rowsOf(false), lookAlikeRows: rowsOf(true) };
}

/** Findings about a payment by itself, refusals included. */
function findingsAlone(
  payment: Payment,
  paid: PaidDestinations,
  policy: ScreeningPolicy,
): readonly Finding[] {
  const { row, fields } = payment.draft;
  const notAllowed = whyNotAllowed(payment, paid, policy);
  const tooLarge = whyTooLarge(payment, policy);
  const ofLedger = policy.ledgerFindings(fields);
  // True for nearly every payment.
  if (notAllowed === undefined && tooLarge.length + ofLedger.length === 0) return NOTHING_FOUND;
  const refusesUnmapped = policy.onUnmapped === "refuse";
  return [
    ...applying(notAllowed).map((what) => ({ ...warning(payment, what), isRefusal: true })),
    ...tooLarge.map((what) => ({ ...warning(payment, what, "amount"), isRefusal: true })),
    // A key that the ERP's program refuses would stop the whole import. So it is reported here, or by the
    // accountants.
    ...ofLedger.map((found) => ({
      ...found,
      row,
      isRefusal:
        found.what.code === "LEDGER_CELL_REFUSED" ||
        (refusesUnmapped && found.what.code !== "LEDGER_FIELDS_RESPELT"),
    })),
  ];
}

const NOTHING_FOUND: readonly never[] = [];

function whyNotAllowed(
  { destination, shown }: Payment,
  paid: PaidDestinations,
  { allow, allowList, isOwn }: ScreeningPolicy,
): Problem | undefined {
  if (allow === "any" || isOwn(destination) || allowList?.names.has(destination) === true) return undefined;
  if (allow === "listed")
    return problem("DESTINATION_NOT_LISTED", { destination: shown, list: allowList?.file ?? "it" });
  return paid.has(destination) ? undefined : problem("DESTINATION_NEVER_PAID", { destination: shown });
}

/** A payment above a limit could never be sent. */
function whyTooLarge({ draft }: Payment, { limits }: ScreeningPolicy): readonly Problem[] {
  const { perDay, perDestination, perRow } = limits;
  const { amount } = draft.fields;
  const { currency } = amount;
  if (perDay[currency] === undefined || (perRow !== undefined && perRow[currency] === undefined))
    return [problem("CURRENCY_WITHOUT_LIMIT", { currency })];
  const ofRow = overLimit(amount, perRow?.[currency], "perRow");
  const ofDay = overLimit(amount, perDay[currency], "perDay");
  const ofDestination = overLimit(amount, perDestination[currency], "perDestination");
  return (ofRow ?? ofDay ?? ofDestination) ? applying(ofRow, ofDay, ofDestination) : NOTHING_FOUND;
}

/** Reports a day's sum once, at the row that takes it over its limit. */
function sumFindings(
  payment: Payment,
  sums: Map<string, Amount>,
  { limits, today, workingDayFrom }: ScreeningPolicy,
): readonly Finding[] {
  const { destination, shown, draft } = payment;
  const { amount, payOn = today } = draft.fields;
  const key = `${workingDayFrom(payOn < today ? today : payOn)} ${amount.currency}`;
  const ofDay = addTo(sums, key, amount, limits.perDay[amount.currency]);
  const limit = limits.perDestination[amount.currency];
  const ofDestination = limit && addTo(sums, `${key} ${destination}`, amount, limit);
  if (ofDay === undefined && ofDestination === undefined) return NOTHING_FOUND;
  const problems = applying(
    ofDay && problem("FILE_OVER_DAY_LIMIT", ofDay),
    ofDestination && problem("DESTINATION_OVER_LIMIT", { ...ofDestination, destination: shown }),
  );
  return problems.map((what) => warning(payment, what, "amount"));
}

/** The sum and the limit in words, if this amount is the one that exceeds the limit. */
function addTo(
  sums: Map<string, Amount>,
  key: string,
  amount: Amount,
  limit: Decimal | undefined,
): { amount: string; limit: string } | undefined {
  if (limit === undefined) return undefined;
  const before = sums.get(key);
  const after = before === undefined ? amount : addAmounts(before, amount);
  sums.set(key, after);
  if (after.value.compare(limit) <= 0 || (before?.value.compare(limit) ?? 0) > 0) return undefined;
  return { amount: formatAmount(after), limit: formatAmount({ currency: amount.currency, value: limit }) };
}

/** The findings about a payment that an approver must accept, each with its subject. */
function toAccept(
  { destination, shown, draft: { fields } }: Payment,
  alike: LookAlike | undefined,
  ofPayee: readonly Compared[] = [],
  earlier: string | undefined,
  before: MadeBefore | undefined,
): readonly (readonly [Compared, about: string])[] {
  if (alike === undefined && ofPayee.length === 0 && earlier === undefined && before === undefined)
    return NOTHING_FOUND;
  const found: (readonly [Compared, about: string])[] = [];
  if (alike !== undefined) {
    const [marked, other] = markedDifference(destination, alike.destination);
    const what = problem("DESTINATION_LOOKS_ALIKE", { destination: marked, other, where: alike.where });
    const compared = { what, address: alike.destination, where: alike.where };
    found.push([compared, `${destination} and ${alike.destination}`]);
  }
  for (const each of ofPayee) found.push([each, `${destination} for ${fields.customerId}`]);
  const parameters = { amount: formatAmount(fields.amount), destination: shown };
  if (before !== undefined) {
    const what = problem("PAYMENT_MADE_BEFORE", { ...parameters, ...before });
    found.push([{ what, where: `${before.day}, ${before.earlier}` }, before.payment]);
  } else if (earlier !== undefined) {
    const what = problem("PAYMENT_IN_FILE_TWICE", { ...parameters, earlier });
    found.push([{ what, where: earlier }, earlier]);
  }
  return found;
}

/** A warning; without a column it is about the destination. */
function warning(
  { draft: { row, fields } }: Payment,
  what: Problem,
  column: ColumnName = destinationField(fields),
): Finding {
  return { row, column, what, isRefusal: false };
}
