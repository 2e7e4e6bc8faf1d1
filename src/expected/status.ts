/**
 * The present state of expectations: what is due, what was received, and to which expectations other receipts may
 * belong.
 */
import type { Problem } from "../faults/index.ts";
import { counted } from "../model/counted.ts";
import {
  compareText,
  DAY_MS,
  type ExpectationRow,
  type ExpectedFile,
  type MatchDecision,
  type ObservedDeposit,
  shifted,
} from "../model/index.ts";
import { Decimal, formatAmount } from "../money/index.ts";
import {
  listDepositsSeenSince,
  listExpectations,
  listExpectedFiles,
  listMatches,
} from "../store/expected.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { type Arrived, arrivedAt } from "./receipts.ts";
import { type AddressPolicy, addressOf } from "./rules/address.ts";
import { type OpenReceipt, openReceipts } from "./rules/candidates.ts";
import { type ExpectedState, type MatchedExpectation, type MatchingPolicy, match } from "./rules/matching.ts";
import { amountToPay, paymentUri } from "./rules/payment-uri.ts";

/** An expectation as people see it. */
export interface ShownExpectation extends MatchedExpectation {
  /** The address that the customer may pay to: verified by a look-up of its deposit by id, and unchanged since. */
  readonly address?: string | undefined;
  /** Why no address is shown, or no deposit is made. */
  readonly trouble?: Problem | undefined;
  readonly deposit?: ObservedDeposit | undefined;
  /** For a customer's wallet: the address in the account's own coin, with an amount only while it applies. */
  readonly paymentUri?: string | undefined;
}

export interface ExpectedNow {
  readonly standings: readonly ShownExpectation[];
  readonly files: readonly ExpectedFile[];
  readonly decisions: readonly MatchDecision[];
  /** Recent receipts with a part that counts for no expectation yet. */
  readonly open: readonly OpenReceipt[];
}

/** How long an unexpected receipt is listed. */
const LISTED_DAYS = 120;
/** Receipts from so long before the first file are listed too, because money may come before its expectation. */
const DAYS_BEFORE_FIRST = 7;

export async function expectedNow(workplace: Workplace): Promise<ExpectedNow> {
  const { store, context } = workplace;
  const { expectations, files, decisions, recent } = await store.read(function* () {
    const kept = {
      expectations: yield* listExpectations(),
      files: yield* listExpectedFiles(),
      decisions: yield* listMatches(),
    };
    // Before the first expectation, no receipt is unexpected.
    const [first] = kept.expectations.length === 0 ? [] : kept.files.slice(-1);
    if (first === undefined) return { ...kept, recent: [] };
    const earliest = shifted(first.takenAt, -DAYS_BEFORE_FIRST * DAY_MS);
    const since = shifted(context.clock.now(), -LISTED_DAYS * DAY_MS);
    return { ...kept, recent: yield* listDepositsSeenSince(since > earliest ? since : earliest) };
  });
  const arrived = await arrivedAt(workplace, [...depositsOf(expectations, decisions), ...recent]);
  const policy = matchingPolicy(workplace, files);
  const matched = match(expectations, arrived.receipts, decisions, policy);
  const isRecent = new Set<string>(recent);
  const listed = arrived.receipts.filter(({ depositId }) => isRecent.has(depositId));
  return {
    standings: shownOf(workplace, matched.standings, arrived),
    ...{ files, decisions },
    open: openReceipts(listed, matched, policy),
  };
}

function depositsOf(expectations: readonly ExpectationRow[], decisions: readonly MatchDecision[]): string[] {
  return [
    ...expectations.flatMap(({ depositId }) => depositId ?? []),
    ...decisions.map(({ depositId }) => depositId),
  ];
}

/** Whether the file must still be approved before it counts. */
export function isWaiting({ config }: Workplace, { verdict, approvedAt }: ExpectedFile): boolean {
  return verdict === "accepted" && config.expected.approval && approvedAt === undefined;
}

export function waitingNumbers(workplace: Workplace, files: readonly ExpectedFile[]): ReadonlySet<number> {
  return new Set(files.filter((file) => isWaiting(workplace, file)).map(({ number }) => number));
}

function matchingPolicy(workplace: Workplace, files: readonly ExpectedFile[]): MatchingPolicy {
  const { config, context, scales } = workplace;
  const waiting = waitingNumbers(workplace, files);
  return {
    timeZone: config.ledger.timeZone,
    now: context.clock.now(),
    tolerance: config.expected.tolerance,
    scaleOf: scales.scaleOf,
    waits: ({ file }) => waiting.has(file),
  };
}

/** The state of these expectations, without candidates for other receipts. */
export async function standingsOf(
  workplace: Workplace,
  expectations: readonly ExpectationRow[],
  files: readonly ExpectedFile[],
): Promise<readonly ShownExpectation[]> {
  const ids = new Set(expectations.map(({ id }) => id));
  const deposits = new Set<string>(expectations.flatMap(({ depositId }) => depositId ?? []));
  const all = await workplace.store.read(() => listMatches());
  const decisions = all.filter(
    ({ expectation, depositId }) => ids.has(expectation) || deposits.has(depositId),
  );
  const arrived = await arrivedAt(workplace, depositsOf(expectations, decisions));
  const { standings } = match(expectations, arrived.receipts, decisions, matchingPolicy(workplace, files));
  return shownOf(workplace, standings, arrived);
}

function shownOf(
  { config, context }: Workplace,
  standings: readonly MatchedExpectation[],
  { deposits }: Arrived,
): ShownExpectation[] {
  const policy = addressPolicy(config);
  const at = context.clock.now();
  return standings.map((standing) => {
    const { expectation } = standing;
    const { depositId = "", address: verified, ended } = expectation;
    const deposit = deposits.get(depositId);
    if (ended !== undefined) return { ...standing, deposit };
    const found = addressOf(expectation, deposit, policy);
    const stored = expectation.refused ?? expectation.trouble;
    const now = "trouble" in found ? found.trouble : undefined;
    const trouble = stored === undefined ? now : problemFromJson(stored);
    const isRight = "address" in found && found.address === verified;
    if (!isRight || trouble !== undefined) return { ...standing, deposit, trouble };
    const coin = policy.currencyOf(expectation.custodyAccountId) ?? "";
    const amount = amountToPay(standing, coin, deposit, at);
    return { ...standing, deposit, address: verified, paymentUri: paymentUri(coin, verified, amount) };
  });
}

export function addressPolicy({ service, custodyAccounts }: Workplace["config"]): AddressPolicy {
  const currencies = new Map(custodyAccounts.map(({ id, currency }) => [id, currency]));
  return { network: service.network, currencyOf: (id) => currencies.get(id) };
}

export const STATE_WORDS: Readonly<Record<ExpectedState, string>> = {
  waits: "waiting for approval",
  due: "due",
  overdue: "overdue",
  "partly received": "received in part",
  received: "received",
  "received over": "received, and more",
  "settled short": "settled short",
  withdrawn: "withdrawn",
};

/** Notes about an expectation for people, as text. */
export function notesOf(shown: ShownExpectation): string[] {
  const { expectation, open, over, lateDays, isDuplicated, isUnvalued, isOverdue, arriving, state, trouble } =
    shown;
  const { amount, creates, depositId, ended, endedReason } = expectation;
  const text = (value: Decimal) => formatAmount({ currency: amount.currency, value: value.normalized() });
  const isUnmade = creates && ended === undefined && trouble === undefined && state !== "waits";
  return [
    ...(trouble === undefined ? [] : [`${trouble.message} - ${trouble.fix}`]),
    ...(isUnmade && depositId === undefined ? ["no deposit is made yet"] : []),
    ...(isUnmade && depositId !== undefined && shown.address === undefined
      ? ["the address is looked up"]
      : []),
    ...(state === "partly received" ? [`${text(open)} are still to come`] : []),
    ...(isOverdue && expectation.dueDay !== undefined ? [`it was due on ${expectation.dueDay}`] : []),
    ...(over.isZero()
      ? []
      : [`${text(over)} too much${isDuplicated ? ": it seems to have been paid twice" : ""}`]),
    ...(lateDays > 0 ? [`${counted(lateDays, "day")} late`] : []),
    ...(arriving.isZero() ? [] : [`${text(arriving)} arriving, not confirmed yet`]),
    ...(isUnvalued ? ["a receipt has no rate by which it could be counted"] : []),
    ...(endedReason === undefined ? [] : [endedReason]),
  ];
}

export function problemFromJson(json: string): Problem {
  return JSON.parse(json) as Problem;
}

/** Whether a person can decide about it: it may belong to a customer, or seems to be a second payment. */
export function isToDecide({ candidates, owedAlikeBy, repeats, receipt }: OpenReceipt): boolean {
  return receipt.isSettled && (candidates.length > 0 || owedAlikeBy.length > 0 || repeats !== undefined);
}

export interface CustomerSums {
  /** Empty for expectations without a customer. */
  readonly customer: string;
  readonly currency: string;
  readonly count: number;
  readonly expected: Decimal;
  readonly received: Decimal;
  readonly open: Decimal;
  readonly overdue: Decimal;
}

/** By customer and currency; withdrawn expectations are left out. */
export function sumsByCustomer(standings: readonly MatchedExpectation[]): CustomerSums[] {
  const counting = standings.filter(({ state }) => state !== "withdrawn");
  const groups = Map.groupBy(counting, ({ expectation: { customerId = "", amount } }) =>
    JSON.stringify([customerId, amount.currency]),
  );
  return [...groups]
    .map(([key, some]) => {
      const [customer, currency] = JSON.parse(key) as [string, string];
      const overdue = some.filter(({ isOverdue }) => isOverdue);
      return {
        ...{ customer, currency, count: some.length },
        expected: Decimal.sum(some.map(({ expectation }) => expectation.amount.value)),
        received: Decimal.sum(some.map((each) => each.received)),
        open: Decimal.sum(some.map((each) => each.open)),
        overdue: Decimal.sum(overdue.map((each) => each.open)),
      };
    })
    .toSorted((a, b) => compareText(a.customer + a.currency, b.customer + b.currency));
}

/** "of Ada", or "of no named customer". */
export function customerWords({ customerId }: Pick<ExpectationRow, "customerId">): string {
  return customerId === undefined ? "of no named customer" : `of ${customerId}`;
}
