/** Deposits that received too much, too little, too late, in another currency, or after their end. */
import {
  depositDifferences,
  depositStateMeaning,
  type Instant,
  inCryptoAt,
  type ObservedDeposit,
  secondsBetween,
} from "../../../model/index.ts";
import { type Amount, currencyScales, Decimal } from "../../../money/index.ts";
import type { ComparedDeposit, ReconciliationPolicy } from "../reconciliation.ts";
import { amountText, describeDeposit, printable, sumText, tooMuchOrLittle } from "../wording.ts";
import { type BreakRule, inDeposits, sumOf } from "./break-rule.ts";

export const DEPOSIT_RULES: readonly BreakRule[] = [
  /** Money is on a deposit that is void or was never created. */
  {
    kind: "deposit-after-void",
    severity: "warning",
    find: inDeposits((deposit) => {
      const { state, receivedFunds } = deposit;
      if (!expectsNoMoney(deposit) || receivedFunds.length === 0) return [];
      const sum = sumText(receivedFunds);
      const sentence = `${describeDeposit(deposit)} is ${state}, yet it received ${sum}.`;
      return [{ field: "depositState", found: `${state} with ${sum}`, sentence }];
    }),
  },
  /**
   * Money arrived (by the funds' createdDate) after the deposit's fixed rate had expired. The rate no longer binds.
   */
  {
    kind: "deposit-late",
    severity: "warning",
    find: inDeposits((deposit) => {
      const { expiresAt: expected, receivedFunds } = deposit;
      if (expected === undefined || expectsNoMoney(deposit)) return [];
      const late = receivedFunds.filter(({ createdAt = "" }) => createdAt > expected);
      const last = late
        .flatMap(({ createdAt }) => createdAt ?? [])
        .sort()
        .at(-1);
      if (last === undefined) return [];
      const sum = sumText(late);
      const sentence =
        `${describeDeposit(deposit)} received ${sum} ${late.length === 1 ? "at" : "until"} ${last}, ` +
        `after its rate expired at ${expected}.`;
      const found = `${sum} at ${last}`;
      return [{ field: "receivedFunds.createdDate", expected, found, amount: sumOf(late), sentence }];
    }),
  },
  /** The requested amounts in crypto and in fiat do not agree at the rate shown with them. */
  {
    kind: "deposit-rate",
    severity: "warning",
    find: inDeposits((deposit, { policy }) => {
      const { requestedInCrypto: shown, requestedInFiat, fixedRate } = deposit;
      const byRate = requestedAtRate({ ...deposit, receivedFunds: [] }, policy);
      if (byRate === undefined || shown === undefined || requestedInFiat === undefined) return [];
      if (shown.currency !== byRate.requested.currency || isAskedForOtherwise(deposit)) return [];
      const value = shown.value.minus(byRate.requested.value).absolute();
      // A difference below the smallest unit in fiat comes from the service's rounding.
      if (byRate.inFiat(value).value.isZero()) return [];
      const [expected, found] = [amountText(byRate.requested), amountText(shown)];
      const sentence =
        `${describeDeposit(deposit)} asks for ${found}, but ${amountText(requestedInFiat)} at its ` +
        `fixed rate of ${fixedRate?.rate.normalized()} are ${expected}.`;
      const amount = { currency: shown.currency, value };
      return [{ field: "requestedAmountInCryptoAtFixedRate", expected, found, amount, sentence }];
    }),
  },
  {
    kind: "currency",
    severity: "alarm",
    find: inDeposits((deposit, { policy }) => {
      const custody = policy.custodyAccounts?.get(deposit.custodyAccountId);
      const expected = deposit.requestedInCrypto?.currency ?? custody?.currency;
      const others = deposit.receivedFunds.filter(({ amount }) => amount && amount.currency !== expected);
      if (expected === undefined || others.length === 0) return [];
      const found = sumText(others);
      const sentence = `${describeDeposit(deposit)} received ${found}, but expects ${printable(expected)}.`;
      return [{ field: "receivedFunds.currency", expected, found, amount: sumOf(others), sentence }];
    }),
  },
  /** Counts only confirmed receipts: an unconfirmed one may be replaced by a confirmed one, or never arrive. */
  {
    kind: "deposit-over",
    severity: "warning",
    find: inDeposits((deposit, { policy }) => {
      const confirmed = deposit.receivedFunds.filter(({ state }) => state !== "UNCONFIRMED");
      const figures = receivedFigures({ ...deposit, receivedFunds: confirmed, movedAway: [] }, policy);
      if (figures === undefined || figures.difference.isZero() || figures.difference.isNegative()) return [];
      const { requested, received, difference } = figures;
      const sentence =
        `${describeDeposit(deposit)} received ${amountText(received)}, but ${amountText(requested)} ` +
        `were requested: ${tooMuchOrLittle(difference, requested.currency)}${inFiat(figures)}.`;
      return [{ ...valuesOf(figures), sentence }];
    }),
  },
  /** Too little arrived, and the deposit is closed, its rate has expired, or it has waited for too long. */
  {
    kind: "deposit-under",
    severity: "warning",
    find: inDeposits((deposit, { policy }) => {
      const figures = receivedFigures(deposit, policy);
      if (figures === undefined || !figures.difference.isNegative()) return [];
      const { requested, received, difference } = figures;
      if (mayStillFill(deposit, received.value, policy)) return [];
      const missing = amountText({ currency: requested.currency, value: difference.absolute() });
      const sentence =
        `${describeDeposit(deposit)} is ${deposit.state} with ${amountText(received)} of ` +
        `${amountText(requested)}: ${missing}${inFiat(figures)} are missing.`;
      return [{ ...valuesOf(figures), sentence }];
    }),
  },
];

/** Whether its amount differs from the requested one, which is a separate break. */
function isAskedForOtherwise(deposit: ComparedDeposit): boolean {
  const { requested } = deposit;
  return (
    requested !== undefined && depositDifferences(requested, deposit).some(({ kind }) => kind === "amount")
  );
}

/**
 * Whether the missing amount may still arrive. A deposit that expired unpaid is no break: nothing was owed to it.
 */
function mayStillFill(deposit: ObservedDeposit, received: Decimal, policy: ReconciliationPolicy): boolean {
  switch (depositStateMeaning(deposit.state)) {
    case "done":
      return false;
    case "closed":
      return received.isZero();
    default:
      return received.isZero() || !(hasExpired(deposit, policy) || isOverdue(lastMoved(deposit), policy));
  }
}

/** Whether the promised rate no longer applies to the missing amount. */
function hasExpired({ expiresAt }: ObservedDeposit, { now }: ReconciliationPolicy): boolean {
  return expiresAt !== undefined && expiresAt <= now;
}

function isOverdue(since: Instant, { now, stuckAfterMinutes }: ReconciliationPolicy): boolean {
  return secondsBetween(since, now) / 60 > stuckAfterMinutes;
}

/** Each part that arrives restarts the payer's time. */
function lastMoved({ receivedFunds, stateSeenAt }: ObservedDeposit): Instant {
  return [stateSeenAt, ...receivedFunds.flatMap(({ createdAt }) => createdAt ?? [])].reduce((left, right) =>
    left > right ? left : right,
  );
}

interface ReceivedFigures {
  readonly requested: Amount;
  readonly received: Amount;
  /** received - requested: negative if too little arrived. */
  readonly difference: Decimal;
  /** Its size at the fixed rate, if the request is only in fiat. */
  readonly fiat?: Amount;
}

/**
 * In the requested currency. Includes receipts that moved to another deposit, because that is a separate break.
 * Undefined if no amount is requested, or if another rule reports whatever it received.
 */
function receivedFigures(
  deposit: ComparedDeposit,
  policy: ReconciliationPolicy,
): ReceivedFigures | undefined {
  if (expectsNoMoney(deposit)) return undefined;
  const funds = [...deposit.receivedFunds, ...(deposit.movedAway ?? [])];
  const requested = deposit.requestedInCrypto;
  const byRate = requested === undefined ? requestedAtRate(deposit, policy) : undefined;
  const amount = requested ?? byRate?.requested;
  if (amount === undefined) return undefined;
  const { currency } = amount;
  const value = Decimal.sum(
    funds.flatMap(({ amount: came }) => (came?.currency === currency ? [came.value] : [])),
  );
  const figures = { requested: amount, received: { currency, value }, difference: value.minus(amount.value) };
  if (byRate === undefined) return figures;
  const fiat = byRate.inFiat(figures.difference.absolute());
  // A difference below the smallest unit in fiat counts as paid.
  return fiat.value.isZero() ? { ...figures, difference: Decimal.zero } : { ...figures, fiat };
}

/**
 * A fiat request in crypto at its fixed rate, to the smallest unit. Undefined without one, and if money came after
 * the rate had expired, which is a separate break.
 */
function requestedAtRate(
  { requestedInFiat, fixedRate, expiresAt, receivedFunds }: ObservedDeposit,
  { scales = currencyScales() }: ReconciliationPolicy,
) {
  if (requestedInFiat === undefined || fixedRate === undefined) return undefined;
  if (expiresAt !== undefined && receivedFunds.some(({ createdAt = "" }) => createdAt > expiresAt))
    return undefined;
  const requested = inCryptoAt(fixedRate, requestedInFiat, scales);
  if (requested === undefined) return undefined;
  const { currency: fiat } = requestedInFiat;
  const { rate, to } = fixedRate;
  const fiatScale = scales.scaleOf(fiat) ?? 2;
  const inFiat = (size: Decimal): Amount => ({
    currency: fiat,
    value: to === fiat ? size.times(rate).rounded(fiatScale) : size.dividedBy(rate, fiatScale),
  });
  return { requested, inFiat };
}

/** " (900 EUR at its fixed rate)" */
function inFiat({ fiat }: ReceivedFigures): string {
  return fiat === undefined ? "" : ` (${amountText(fiat)} at its fixed rate)`;
}

function valuesOf({ requested, received, difference }: ReceivedFigures) {
  const text = ({ value }: Amount) => value.normalized().toString();
  const amount = { currency: requested.currency, value: difference.absolute() };
  return { field: "receivedFunds", expected: text(requested), found: text(received), amount };
}

function expectsNoMoney({ state }: ObservedDeposit): boolean {
  return state === "VOID" || state === "CREATE_FAILED";
}
