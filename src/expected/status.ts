/**
 * The present state of expectations: what is due, what has been received, and which expectations unexpected
 * receipts may belong to.
 */
import type { Problem } from "../faults/index.ts";
import type { EXPECTED_ANSWER_COLUMNS } from "../model/answer-columns.ts";
import { counted } from "../model/counted.ts";
import {
  compareText,
  controlTotals,
  DAY_MS,
  type ExpectationRow,
  type ExpectedFile,
  localMinuteText,
  type MatchDecision,
  type ObservedDeposit,
  shifted,
} from "../model/index.ts";
import { Decimal, formatAmount } from "../money/index.ts";
import {
  listDepositsSeenSince,
  listExpectations,
  listExpectationsOf,
  listExpectedFiles,
  listMatches,
} from "../store/expected.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { type Arrived, arrivedAt } from "./receipts.ts";
import { type AddressPolicy, addressOf } from "./rules/address.ts";
import { type OpenReceipt, openReceipts } from "./rules/candidates.ts";
import { type ExpectedState, type MatchingPolicy, match, type Standing } from "./rules/matching.ts";
import { amountToPay, paymentUri } from "./rules/payment-uri.ts";

/** An expectation as people see it. */
export interface Shown extends Standing {
  /**
   * The address that the customer may pay to. It was looked up by its deposit's id and verified, and has neither
   * changed nor ended since.
   */
  readonly address?: string | undefined;
  /** Why no address is shown, or no deposit is made. */
  readonly trouble?: Problem | undefined;
  readonly deposit?: ObservedDeposit | undefined;
  /** For a customer's wallet: the address in the account's own coin, with an amount only while it applies. */
  readonly paymentUri?: string | undefined;
}

export interface ExpectedNow {
  readonly standings: readonly Shown[];
  readonly files: readonly ExpectedFile[];
  readonly decisions: readonly MatchDecision[];
  /** Receipts of the last days with a part that counts for no expectation yet. */
  readonly open: readonly OpenReceipt[];
}

/** How long an unexpected receipt raises a question. */
const ASKED_DAYS = 120;
/** Before the first file came: money may come before its expectation. */
const DAYS_BEFORE_FIRST = 7;

const FILES_MAX = 100_000;

export async function expectedNow(workplace: Workplace): Promise<ExpectedNow> {
  const { store, context } = workplace;
  const { expectations, files, decisions, recent } = await store.read(function* () {
    const kept = {
      expectations: yield* listExpectations(),
      files: yield* listExpectedFiles(FILES_MAX),
      decisions: yield* listMatches(),
    };
    // Before the first expectation, no receipt is unexpected.
    const [first] = kept.expectations.length === 0 ? [] : kept.files.slice(-1);
    if (first === undefined) return { ...kept, recent: [] };
    const earliest = shifted(first.takenAt, -DAYS_BEFORE_FIRST * DAY_MS);
    const since = shifted(context.clock.now(), -ASKED_DAYS * DAY_MS);
    return { ...kept, recent: yield* listDepositsSeenSince(since > earliest ? since : earliest) };
  });
  const arrived = await arrivedAt(workplace, [...depositsOf(expectations, decisions), ...recent]);
  const policy = matchingPolicy(workplace, files);
  const matched = match(expectations, arrived.receipts, decisions, policy);
  const isRecent = new Set<string>(recent);
  const asked = arrived.receipts.filter(({ depositId }) => isRecent.has(depositId));
  return {
    standings: shownOf(workplace, matched.standings, arrived),
    ...{ files, decisions },
    open: openReceipts(asked, matched, policy),
  };
}

function depositsOf(expectations: readonly ExpectationRow[], decisions: readonly MatchDecision[]): string[] {
  return [
    ...expectations.flatMap(({ depositId }) => depositId ?? []),
    ...decisions.map(({ depositId }) => depositId),
  ];
}

export function matchingPolicy(
  { config, context, scales }: Workplace,
  files: readonly ExpectedFile[],
): MatchingPolicy {
  const waiting = files.filter(({ approvedAt }) => config.expected.approval && approvedAt === undefined);
  const numbers = new Set(waiting.map(({ number }) => number));
  return {
    timeZone: config.ledger.timeZone,
    now: context.clock.now(),
    tolerance: config.expected.tolerance,
    scaleOf: scales.scaleOf,
    waits: ({ file }) => numbers.has(file),
  };
}

/** The state of these expectations, without candidates for other receipts. */
export async function standingsOf(
  workplace: Workplace,
  expectations: readonly ExpectationRow[],
  files: readonly ExpectedFile[],
): Promise<readonly Shown[]> {
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
  standings: readonly Standing[],
  { deposits }: Arrived,
): Shown[] {
  const policy = addressPolicy(config);
  const at = context.clock.now();
  return standings.map((standing) => {
    const { expectation } = standing;
    const { depositId = "", address, ended, refused, trouble: kept } = expectation;
    const deposit = deposits.get(depositId);
    const known = [refused, kept].find((each) => each !== undefined);
    const found = deposit === undefined ? undefined : addressOf(expectation, deposit, policy);
    const now = found !== undefined && "trouble" in found ? found.trouble : undefined;
    const trouble = known === undefined ? now : keptProblem(known);
    const isRight = found !== undefined && "address" in found && found.address === address;
    const shown = isRight && trouble === undefined && ended === undefined ? address : undefined;
    const coin = policy.currencyOf(expectation.custodyAccountId) ?? "";
    const amount = amountToPay(standing, coin, deposit, at);
    return {
      ...{ ...standing, deposit, address: shown },
      trouble: ended === undefined ? trouble : undefined,
      paymentUri: shown === undefined ? undefined : paymentUri(coin, shown, amount),
    };
  });
}

export function addressPolicy({ service, custodyAccounts }: Workplace["config"]): AddressPolicy {
  const currencies = new Map(custodyAccounts.map(({ id, currency }) => [id, currency]));
  return { network: service.network, currencyOf: (id) => currencies.get(id) };
}

export type AnswerTexts = Readonly<Partial<Record<keyof typeof EXPECTED_ANSWER_COLUMNS, string>>>;

export interface ExpectedFileNow {
  /** The state of the file, in one sentence. */
  readonly sentence: string;
  readonly facts: readonly (readonly [label: string, value: string])[];
  readonly rows: readonly { readonly line: number; readonly said: AnswerTexts }[];
}

/** The present content of a file's answer. */
export async function fileNow(workplace: Workplace, file: ExpectedFile): Promise<ExpectedFileNow> {
  const expectations = await workplace.store.read(() => listExpectationsOf(file.number));
  const standings = await standingsOf(workplace, expectations, [file]);
  const { timeZone } = workplace.config.ledger;
  const counts = [...Map.groupBy(standings, ({ state }) => state)].map(
    ([state, some]) => `${some.length} ${STATE_WORDS[state]}`,
  );
  const totals = controlTotals(standings.map(({ expectation }) => expectation.amount));
  const waits = standings.some(({ state }) => state === "waits");
  const next = waits ? " It waits for approval." : "";
  return {
    sentence:
      `${file.name}: ${counted(standings.length, "receipt is", "receipts are")} expected ` +
      `(${counts.join(", ")}).${next}`,
    facts: [
      ["File", String(file.number)],
      ...totals.map(
        ({ currency, count, amount }) =>
          [`Total ${currency}`, `${amount.normalized()} in ${counted(count, "row")}`] as const,
      ),
      ["SHA-256 of the file", file.sha256],
    ],
    rows: standings.map((standing) => ({
      line: standing.expectation.line,
      said: answerTexts(standing, timeZone),
    })),
  };
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

function answerTexts(shown: Shown, timeZone: string): AnswerTexts {
  const { expectation, state, received, address } = shown;
  const { amount, depositId, rateAsked } = expectation;
  return {
    standing: STATE_WORDS[state],
    ...(depositId !== undefined && { depositId }),
    ...(address !== undefined && { address }),
    ...(rateAsked !== undefined &&
      depositId !== undefined && { rateUntil: localMinuteText(timeZone, rateAsked) }),
    ...(!received.isZero() && { received: formatAmount({ ...amount, value: received.normalized() }) }),
    note: notesOf(shown).join("; "),
  };
}

/** Notes about an expectation for people, as text. */
export function notesOf(shown: Shown): string[] {
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

export function keptProblem(kept: string): Problem {
  return JSON.parse(kept) as Problem;
}

export function keep(what: Problem): string {
  return JSON.stringify(what);
}

/** Whether a person can decide about it: it may belong to a customer, or seems to have been paid twice. */
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
export function sumsByCustomer(standings: readonly Standing[]): CustomerSums[] {
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
