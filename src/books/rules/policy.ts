/** The settings that postings depend on: the rules, and the books' calendar, which gives an entry its day. */
import type { Config } from "../../config/index.ts";
import { fault, type Problem } from "../../faults/index.ts";
import {
  type CustodyAccountId,
  DAY_MS,
  type Day,
  dayAfter,
  dayIn,
  type Instant,
  type JournalEntry,
  type PayoutId,
  shifted,
} from "../../model/index.ts";
import { type Amount, type CurrencyScales, formatAmount } from "../../money/index.ts";

export interface LedgerPolicy extends Omit<Config["ledger"], "chart" | "exports" | "onUnmapped"> {
  /** Not earlier than any posting. */
  readonly now: Instant;
  readonly scales: CurrencyScales;
  /** Our own accounts: a payout to one of them is a transfer, a payout to any other has an external payee. */
  readonly custodyAccounts: readonly {
    readonly id: CustodyAccountId;
    readonly name: string;
    readonly currency: string;
  }[];
  /** Whether the payout belongs to one of our instructions. */
  isInstructed(payoutId: PayoutId): boolean;
  /** The payee in the approved file; undefined without one. */
  payeeOf?(payoutId: PayoutId): string | undefined;
  /**
   * Why a configured file cannot hold the entry. Checked before it is posted, because then the chart can still be
   * changed.
   */
  unfitting(entry: JournalEntry): Problem | undefined;
}

/** Digits after the point of the functional currency; 2 if it is not configured. */
export function functionalScale({
  functionalCurrency,
  scales,
}: Pick<LedgerPolicy, "functionalCurrency" | "scales">): number {
  return scales.scaleOf(functionalCurrency) ?? 2;
}

/**
 * Why an amount cannot be booked on a custody account: it is not in the account's currency, the only one that the
 * account's balance has. Undefined if it can, and for an account that is not configured.
 */
export function foreignTo(
  id: CustodyAccountId,
  amount: Amount,
  { custodyAccounts }: Pick<LedgerPolicy, "custodyAccounts">,
): string | undefined {
  const account = custodyAccounts.find((own) => own.id === id);
  if (account === undefined || account.currency === amount.currency) return undefined;
  return `${formatAmount(amount)} moved on custody account ${account.name}, which is in ${account.currency}`;
}

type Calendar = Pick<LedgerPolicy, "timeZone" | "closedThrough">;

/**
 * The day on which an instant is booked: the company's calendar day, or the first open day after a closed period.
 */
export function bookDays(instant: Instant, policy: Calendar): { bookDay: Day; documentDay: Day } {
  const documentDay = dayIn(policy.timeZone, instant);
  return { documentDay, bookDay: firstOpenDay(documentDay, policy) };
}

/** Some close a month a few days before it ends, but never the next month as well. */
const CLOSED_AHEAD_DAYS_MAX = 31;

/**
 * Throws CONFIG_KEY_INVALID if the closed period ends in the distant future, as with a mistyped year: its entries
 * would be exported, and exported entries never change.
 */
export function refuseClosedAhead({ timeZone, closedThrough = "" }: Calendar, now: Instant): void {
  if (closedThrough <= dayIn(timeZone, shifted(now, CLOSED_AHEAD_DAYS_MAX * DAY_MS))) return;
  const path = "ledger.closedThrough";
  const reason =
    `\`${path}\` is ${closedThrough}, more than ${CLOSED_AHEAD_DAYS_MAX} days from now: everything that ` +
    `settles until then would be booked on the day after it`;
  throw fault("CONFIG_KEY_INVALID", { path, reason, hint: "" }, { key: path });
}

/** Returns `day` itself if its period is open. */
export function firstOpenDay(day: Day, { closedThrough }: Pick<Calendar, "closedThrough">): Day {
  return closedThrough === undefined || day > closedThrough ? day : dayAfter(closedThrough);
}
