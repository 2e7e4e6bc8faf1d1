/**
 * Matches receipts to expectations. A receipt on the deposit that was made for an expectation belongs to it; any
 * other receipt counts only while a person's decision says so.
 */
import {
  type CustodyAccountId,
  compareText,
  type DepositId,
  dayIn,
  daysBetween,
  type ExpectationRow,
  type Instant,
  type MatchDecision,
} from "../../model/index.ts";
import { type Amount, Decimal } from "../../money/index.ts";

/** One movement to one of our accounts. */
export interface Receipt {
  readonly depositId: DepositId;
  /** The same on every look. */
  readonly key: string;
  readonly custodyAccountId: CustodyAccountId;
  readonly amount: Amount;
  /** When the network confirmed it; before that, when it was first shown. */
  readonly at: Instant;
  readonly isSettled: boolean;
  /** The deposit's customer. */
  readonly customerId?: string | undefined;
  readonly reference?: string | undefined;
  readonly txHash?: string | undefined;
  /** Its value in other currencies, by its deposit's fixed rate while that applied, otherwise by its own rate. */
  readonly worth: ReadonlyMap<string, Decimal>;
  /** Another deposit lists the same movement, and it counts there. */
  readonly isListedTwice?: boolean;
}

/** The part of a receipt that counts for an expectation. */
export interface Share {
  readonly receipt: Receipt;
  /** In the receipt's currency. */
  readonly quantity: Decimal;
  /** In the expectation's currency; undefined without a rate. */
  readonly counted: Decimal | undefined;
  /** Absent for the receipts of its own deposit. */
  readonly decision?: MatchDecision | undefined;
}

export type ExpectedState =
  | "waits"
  | "due"
  | "overdue"
  | "partly received"
  | "received"
  | "received over"
  | "settled short"
  | "withdrawn";

/** An expectation with its receipts. Amounts are in its currency and never negative. */
export interface MatchedExpectation {
  readonly expectation: ExpectationRow;
  readonly state: ExpectedState;
  readonly shares: readonly Share[];
  readonly received: Decimal;
  /** Arrived, but not confirmed yet. */
  readonly arriving: Decimal;
  /** The amount still to come; zero once it has ended. */
  readonly open: Decimal;
  readonly over: Decimal;
  /** The due day has passed, and not everything has come. */
  readonly isOverdue: boolean;
  /** By how many days the completing receipt came after the due day. */
  readonly lateDays: number;
  /** Two receipts each have the full amount: it seems to have been paid twice. */
  readonly isDuplicated: boolean;
  /** Whether a part of the receipts could not be valued. */
  readonly isUnvalued: boolean;
}

export interface MatchingPolicy {
  readonly timeZone: string;
  readonly now: Instant;
  /** By currency, by how much a receipt may differ from the full amount. */
  readonly tolerance: Readonly<Record<string, Decimal>>;
  readonly scaleOf: (currency: string) => number | undefined;
  /** Whether the expectation's file still waits for its approval. */
  readonly waits: (expectation: ExpectationRow) => boolean;
}

export interface Matched {
  readonly standings: readonly MatchedExpectation[];
  /** By receipt (`receiptId`), the amount that counts for no expectation yet. */
  readonly free: ReadonlyMap<string, Decimal>;
}

export function receiptId({ depositId, key }: Pick<Receipt, "depositId" | "key">): string {
  return `${depositId} ${key}`;
}

/** `decisions`: those that were not taken back. Pass each receipt once. */
export function match(
  expectations: readonly ExpectationRow[],
  receipts: readonly Receipt[],
  decisions: readonly MatchDecision[],
  policy: MatchingPolicy,
): Matched {
  const byId = new Map(receipts.map((receipt) => [receiptId(receipt), receipt]));
  const byDeposit = Map.groupBy(receipts, ({ depositId }) => depositId);
  const decidedReceipt = receiptsDecided(decisions, receipts);
  const decidedOf = Map.groupBy(decisions, decidedReceipt);
  const byExpectation = Map.groupBy(decisions, ({ expectation }) => expectation);
  const free = new Map<string, Decimal>();
  for (const [id, { amount }] of byId) {
    const decided = Decimal.sum((decidedOf.get(id) ?? []).map((each) => each.amount.value));
    free.set(id, amount.value.minus(decided));
  }
  const standings = expectations.map((expectation) => {
    const shares = [...ownShares(expectation), ...decidedShares(expectation)]
      .filter(({ quantity }) => !quantity.isZero())
      .toSorted((a, b) => compareText(a.receipt.at, b.receipt.at));
    return standingOf(expectation, shares, policy);
  });
  for (const { shares } of standings)
    for (const { receipt, decision } of shares)
      if (decision === undefined) free.set(receiptId(receipt), Decimal.zero);
  for (const [id, { isListedTwice }] of byId) if (isListedTwice === true) free.set(id, Decimal.zero);
  return { standings, free };

  /** What is free of the receipts of its deposit. Those of a withdrawn expectation wait for a person's decision. */
  function ownShares(expectation: ExpectationRow): Share[] {
    const { depositId, ended } = expectation;
    const own = depositId === undefined || ended === "withdrawn" ? [] : (byDeposit.get(depositId) ?? []);
    return own
      .filter(({ isListedTwice }) => isListedTwice !== true)
      .map((receipt) => shareOf(receipt, free.get(receiptId(receipt)) ?? Decimal.zero, expectation, policy));
  }

  function decidedShares(expectation: ExpectationRow): Share[] {
    return (byExpectation.get(expectation.id) ?? []).flatMap((decision) => {
      const receipt = byId.get(decidedReceipt(decision));
      if (receipt === undefined) return [];
      return [{ ...shareOf(receipt, decision.amount.value, expectation, policy), decision }];
    });
  }
}

/**
 * The receipt (`receiptId`) of each decision. A receipt's key changes if the service adds an id later; the decision
 * then counts for the only receipt of the deposit that is large enough and that no decision names.
 */
function receiptsDecided(
  decisions: readonly MatchDecision[],
  receipts: readonly Receipt[],
): (decision: MatchDecision) => string {
  const known = new Set(receipts.map(receiptId));
  const named = new Set(decisions.map(({ depositId, receipt }) => `${depositId} ${receipt}`));
  const byDecision = new Map(
    decisions.map((decision) => {
      const { depositId, receipt, amount } = decision;
      const id = `${depositId} ${receipt}`;
      if (known.has(id)) return [decision, id] as const;
      const same = receipts.filter((each) => each.depositId === depositId && !named.has(receiptId(each)));
      const [only, another] = same.filter((each) => each.amount.value.compare(amount.value) >= 0);
      return [decision, only === undefined || another !== undefined ? id : receiptId(only)] as const;
    }),
  );
  return (decision) => byDecision.get(decision) ?? "";
}

function shareOf(
  receipt: Receipt,
  quantity: Decimal,
  { amount }: ExpectationRow,
  policy: Pick<MatchingPolicy, "scaleOf">,
): Share {
  return { receipt, quantity, counted: worthOf(receipt, quantity, amount.currency, policy) };
}

/** The value of a part of a receipt in a currency, rounded half up to its decimals; undefined without a rate. */
export function worthOf(
  { amount, worth }: Receipt,
  quantity: Decimal,
  currency: string,
  { scaleOf }: Pick<MatchingPolicy, "scaleOf">,
): Decimal | undefined {
  if (amount.currency === currency) return quantity;
  const whole = worth.get(currency);
  if (whole === undefined || quantity.equals(amount.value)) return whole;
  return whole.times(quantity).dividedBy(amount.value, scaleOf(currency) ?? 2);
}

export function toleranceFor({ tolerance }: Pick<MatchingPolicy, "tolerance">, currency: string): Decimal {
  return tolerance[currency] ?? Decimal.zero;
}

export function isWithin(difference: Decimal, tolerance: Decimal): boolean {
  return difference.absolute().compare(tolerance) <= 0;
}

function standingOf(
  expectation: ExpectationRow,
  shares: readonly Share[],
  policy: MatchingPolicy,
): MatchedExpectation {
  const { amount, dueDay, ended } = expectation;
  const tolerance = toleranceFor(policy, amount.currency);
  const sumOf = (some: readonly Share[]) => Decimal.sum(some.map(({ counted }) => counted ?? Decimal.zero));
  const settled = shares.filter(({ receipt }) => receipt.isSettled);
  const received = sumOf(settled);
  const arriving = sumOf(shares).minus(received);
  const difference = received.minus(amount.value);
  const isFull = difference.compare(tolerance.negated()) >= 0;
  const isOver = difference.compare(tolerance) > 0;
  const today = dayIn(policy.timeZone, policy.now);
  const isOverdue = ended === undefined && !isFull && dueDay !== undefined && dueDay < today;
  return {
    ...{ expectation, state: state(), shares, received, arriving, isOverdue },
    open: ended !== undefined || isFull ? Decimal.zero : difference.negated(),
    over: isOver ? difference : Decimal.zero,
    lateDays: isFull ? lateDays(expectation, settled, policy) : 0,
    isDuplicated: isOver && settled.filter((share) => isWhole(share, amount, tolerance)).length > 1,
    isUnvalued: shares.some(({ counted }) => counted === undefined),
  };

  function state(): ExpectedState {
    if (ended !== undefined) return ended;
    if (isOver) return "received over";
    if (isFull) return "received";
    if (!received.isZero()) return "partly received";
    if (isOverdue) return "overdue";
    return policy.waits(expectation) ? "waits" : "due";
  }
}

function isWhole({ counted }: Share, { value }: Amount, tolerance: Decimal): boolean {
  return counted !== undefined && isWithin(counted.minus(value), tolerance);
}

/** The days of the receipt that completed the amount. */
function lateDays(
  { amount, dueDay }: ExpectationRow,
  settled: readonly Share[],
  policy: MatchingPolicy,
): number {
  if (dueDay === undefined) return 0;
  const enough = amount.value.minus(toleranceFor(policy, amount.currency));
  let sum = Decimal.zero;
  for (const { counted = Decimal.zero, receipt } of settled) {
    sum = sum.plus(counted);
    if (sum.compare(enough) >= 0) return Math.max(0, daysBetween(dueDay, dayIn(policy.timeZone, receipt.at)));
  }
  return 0;
}
