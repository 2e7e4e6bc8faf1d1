/**
 * Screening: compares well-formed payments with the allow list, the chart of accounts, the day's limits, and the same
 * payment earlier in the file or in history. Queries go through the policy; only what later rows need is kept.
 */
import type { Config } from "../../config/index.ts";
import { type Problem, problem } from "../../faults/index.ts";
import { applying } from "../../model/applying.ts";
import type { ColumnName } from "../../model/columns.ts";
import { type Day, destinationField, type InstructionFields, markedDifference } from "../../model/index.ts";
import { type Amount, addAmounts, type Decimal, formatAmount } from "../../money/index.ts";
import { FirstRows } from "../first-rows.ts";
import type { Finding } from "../policy.ts";
import { overLimit } from "../row-rules.ts";
import type { AllowList } from "./allow-list.ts";
import { type LookAlike, lookAlikeFinder, type PaidLookAlikes } from "./look-alikes.ts";
import { NewDestinationList, type NewDestinations } from "./new-destinations.ts";
import { type NeverPaidAt, payeeComparison } from "./payees.ts";
import { type Payment, paymentOf, placeOf, placeText, type ScreenedDraft } from "./screened-payment.ts";

export interface ScreeningPolicy {
  readonly today: Day;
  /** `perRow` only for stored payments: of a file the row rules check it. */
  readonly limits: Pick<Config["limits"], "perDay" | "perDestination"> & Partial<Config["limits"]>;
  readonly allow: Config["destinations"]["allow"];
  readonly allowList?: AllowList | undefined;
  /** Whether a destination is one of our own custody accounts, which is never a first-time destination. */
  isOwn(destination: string): boolean;
  /** Which of the destinations (in comparable form) were paid before. */
  paidBefore(destinations: readonly string[]): Promise<ReadonlySet<string>>;
  readonly paidLookAlikes: PaidLookAlikes;
  readonly neverPaidAt: NeverPaidAt;
  /** By reference, when and where the same payment was made before. */
  madeBefore(payments: readonly Payment[]): Promise<ReadonlyMap<string, MadeBefore>>;
  /** Why the books cannot take a payment as it is: its fields are not in the chart, or a file for an ERP cannot hold it. */
  ledgerFindings(fields: InstructionFields): readonly Pick<Finding, "column" | "what">[];
  readonly onUnmapped: Config["ledger"]["onUnmapped"];
}

export interface MadeBefore {
  readonly day: Day;
  /** "batch B-000003, row 4" */
  readonly payment: string;
  /** The same with what became of it. */
  readonly earlier: string;
}

export interface ScreeningReport {
  readonly newDestinations: NewDestinations;
  /** Rows that repeat a payment of this file or of history. */
  readonly repeatedRows: readonly number[];
  /** Rows whose destination looks like another one, or does not belong to the payee's name as before. */
  readonly lookAlikeRows: readonly number[];
}

export class Screening {
  private readonly policy: ScreeningPolicy;
  private readonly newDestinations = new NewDestinationList();
  private readonly repeatedRows: number[] = [];
  private readonly lookAlikeRows: number[] = [];
  private readonly lookAlikes: ReturnType<typeof lookAlikeFinder>;
  private readonly comparePayees: ReturnType<typeof payeeComparison>;
  /** The first row of each distinct payment of the file. */
  private readonly firstRows = new FirstRows();
  /** Sums by day and currency, and by day, currency and destination. */
  private readonly sums = new Map<string, Amount>();

  constructor(policy: ScreeningPolicy) {
    this.policy = policy;
    this.lookAlikes = lookAlikeFinder(policy.paidLookAlikes, policy.allowList?.names.keys() ?? []);
    this.comparePayees = payeeComparison(policy.neverPaidAt, policy.allowList?.names);
  }

  /** Screens some hundreds of payments, in file order. A refused payment does not count for later rows. */
  async screen(drafts: readonly ScreenedDraft[]): Promise<Finding[]> {
    const payments = drafts.map(paymentOf);
    const paid = await this.policy.paidBefore(payments.map(({ destination }) => destination));
    const findings: Finding[] = [];
    const payable = payments.filter((payment) => {
      const found = [
        ...this.checkAllowed(payment, paid),
        ...this.checkSize(payment),
        ...this.checkMapped(payment),
      ];
      findings.push(...found);
      return found.every(({ isRefusal }) => !isRefusal);
    });
    if (payable.length === 0) return findings;
    const earlierPlaces = payable.map((payment) => this.earlierPlace(payment));
    // Repeats within the file were already looked up at their first row: of thousands of equal payments only one is
    // looked up.
    const firsts = payable.filter((_, index) => earlierPlaces[index] === undefined);
    const madeBefore = await this.policy.madeBefore(firsts);
    const isNew = ({ destination }: Payment) => !paid.has(destination) && !this.policy.isOwn(destination);
    const names = this.policy.allowList?.names;
    const lookAlikes = await this.lookAlikes.find(
      payable.filter((payment) => isNew(payment) && names?.has(payment.destination) !== true),
    );
    const payees = await this.comparePayees(
      payable.filter(({ destination }) => !this.policy.isOwn(destination)),
    );
    for (const [index, payment] of payable.entries()) {
      if (isNew(payment)) this.newDestinations.add(payment, names?.get(payment.destination));
      const before = madeBefore.get(payment.draft.fields.reference);
      findings.push(
        ...this.checkDestination(payment, lookAlikes.get(payment.destination), payees.get(payment) ?? []),
        ...this.checkSums(payment),
        ...this.checkRepeats(payment, earlierPlaces[index], before),
      );
    }
    return findings;
  }

  report(): ScreeningReport {
    const { repeatedRows, lookAlikeRows } = this;
    return { newDestinations: this.newDestinations.report(), repeatedRows, lookAlikeRows };
  }

  private checkAllowed(payment: Payment, paid: ReadonlySet<string>): Finding[] {
    const { allow, allowList, isOwn } = this.policy;
    const { destination, shown } = payment;
    if (allow === "any" || isOwn(destination) || allowList?.names.has(destination) === true) return [];
    if (allow === "known" && paid.has(destination)) return [];
    const what =
      allow === "listed"
        ? problem("DESTINATION_NOT_LISTED", { destination: shown, list: allowList?.file ?? "it" })
        : problem("DESTINATION_NEVER_PAID", { destination: shown });
    return [refusal(payment, what)];
  }

  /** Refuses a payment above a limit, which could never be sent. */
  private checkSize(payment: Payment): Finding[] {
    const { perDay, perDestination, perRow } = this.policy.limits;
    const { amount } = payment.draft.fields;
    const { currency } = amount;
    const problems =
      perDay[currency] === undefined || (perRow !== undefined && perRow[currency] === undefined)
        ? [problem("CURRENCY_WITHOUT_LIMIT", { currency })]
        : applying(
            overLimit(amount, perRow?.[currency], "perRow"),
            overLimit(amount, perDay[currency], "perDay"),
            overLimit(amount, perDestination[currency], "perDestination"),
          );
    return problems.map((what) => refusal(payment, what, "amount"));
  }

  private checkMapped(payment: Payment): Finding[] {
    const { row, fields } = payment.draft;
    const isRefusal = this.policy.onUnmapped === "refuse";
    return this.policy.ledgerFindings(fields).map((found) => ({ ...found, row, isRefusal }));
  }

  /** Reports a day's sum once, at the row that takes it over its limit. */
  private checkSums(payment: Payment): Finding[] {
    const { limits, today } = this.policy;
    const { destination, shown } = payment;
    const { amount, payOn = today } = payment.draft.fields;
    const key = `${payOn < today ? today : payOn} ${amount.currency}`;
    const ofDay = this.addTo(key, amount, limits.perDay[amount.currency]);
    const limit = limits.perDestination[amount.currency];
    const ofDestination = limit && this.addTo(`${key} ${destination}`, amount, limit);
    const problems = applying(
      ofDay && problem("FILE_OVER_DAY_LIMIT", ofDay),
      ofDestination && problem("DESTINATION_OVER_LIMIT", { ...ofDestination, destination: shown }),
    );
    return problems.map((what) => warning(payment, what, "amount"));
  }

  /** The sum and the limit in words if this amount is the one that exceeds it. */
  private addTo(
    key: string,
    amount: Amount,
    value: Decimal | undefined,
  ): { amount: string; limit: string } | undefined {
    if (value === undefined) return undefined;
    const before = this.sums.get(key);
    const after = before === undefined ? amount : addAmounts(before, amount);
    this.sums.set(key, after);
    if (after.value.compare(value) <= 0) return undefined;
    if (before !== undefined && before.value.compare(value) > 0) return undefined;
    return { amount: formatAmount(after), limit: formatAmount({ currency: amount.currency, value }) };
  }

  private checkDestination(
    payment: Payment,
    other: LookAlike | undefined,
    ofPayee: readonly Problem[],
  ): Finding[] {
    if (other === undefined && ofPayee.length === 0) return [];
    const { destination, draft } = payment;
    this.lookAlikeRows.push(draft.row);
    const about = `${destination} for ${draft.fields.customerId}`;
    const findings = ofPayee.map((what) => ({ ...warning(payment, what), about }));
    if (other === undefined) return findings;
    const [marked, otherMarked] = markedDifference(destination, other.destination);
    const params = { destination: marked, other: otherMarked, where: other.where };
    const what = problem("DESTINATION_LOOKS_ALIKE", params);
    return [{ ...warning(payment, what), about: `${destination} and ${other.destination}` }, ...findings];
  }

  /** Where the file has the same payment first, in words; undefined if that is this one. */
  private earlierPlace({ draft, destination, amount }: Payment): string | undefined {
    const payment = `${destination} ${amount} ${draft.fields.amount.currency}`;
    const place = this.firstRows.earlierRow(payment, placeOf(draft));
    return place === undefined ? undefined : placeText(draft, place);
  }

  private checkRepeats(
    payment: Payment,
    earlier: string | undefined,
    before: MadeBefore | undefined,
  ): Finding[] {
    const { draft, shown } = payment;
    if (earlier === undefined && before === undefined) return [];
    this.repeatedRows.push(draft.row);
    const parameters = { amount: formatAmount(draft.fields.amount), destination: shown };
    const inFile = (at: string) => problem("PAYMENT_IN_FILE_TWICE", { ...parameters, earlier: at });
    return applying(
      earlier !== undefined && { ...warning(payment, inFile(earlier)), about: earlier },
      before && {
        ...warning(payment, problem("PAYMENT_MADE_BEFORE", { ...parameters, ...before })),
        about: before.payment,
      },
    );
  }
}

function refusal(payment: Payment, what: Problem, column?: ColumnName): Finding {
  return { ...warning(payment, what, column), isRefusal: true };
}

/** About its destination, if no column is given. */
function warning(
  { draft: { row, fields } }: Payment,
  what: Problem,
  column: ColumnName = destinationField(fields),
): Finding {
  return { row, column, what, isRefusal: false };
}
