/** Deposits that received too much, too little, too late, in another currency, or after their end. */
import {
  depositStateMeaning,
  type Instant,
  type ObservedDeposit,
  secondsBetween,
} from "../../model/index.ts";
import { type Amount, Decimal } from "../../money/index.ts";
import type { ComparedDeposit, ReconciliationPolicy } from "../reconciliation.ts";
import { amountText, describeDeposit, printable, sumText, tooMuchOrLittle } from "../wording.ts";
import { type BreakRule, inDeposits } from "./break-rule.ts";

export const DEPOSIT_RULES: readonly BreakRule[] = [
  /** Money lies on a deposit that is void or was never created. */
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
  /** Money arrived (by the funds' createdDate) after the deposit's fixed rate had expired, which no longer binds. */
  {
    kind: "deposit-late",
    severity: "warning",
    find: inDeposits((deposit) => {
      const { expiresAt: expected, receivedFunds } = deposit;
      if (expected === undefined || expectsNoMoney(deposit)) return [];
      const late = receivedFunds.filter(({ createdAt = "" }) => createdAt > expected);
      const [last] = late
        .flatMap(({ createdAt }) => createdAt ?? [])
        .sort()
        .slice(-1);
      if (last === undefined) return [];
      const sum = sumText(late);
      const sentence = `${describeDeposit(deposit)} received ${sum} ${late.length === 1 ? "at" : "until"} ${last}, after its rate expired at ${expected}.`;
      return [{ field: "receivedFunds.createdDate", expected, found: `${sum} at ${last}`, sentence }];
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
      return [{ field: "receivedFunds.currency", expected, found, sentence }];
    }),
  },
  {
    kind: "deposit-over",
    severity: "warning",
    find: inDeposits((deposit) => {
      const figures = receivedFigures(deposit);
      if (figures === undefined || figures.difference.isZero() || figures.difference.isNegative()) return [];
      const { requested, received, difference } = figures;
      const sentence = `${describeDeposit(deposit)} received ${amountText(received)} where ${amountText(requested)} were requested: ${tooMuchOrLittle(difference, requested.currency)}.`;
      return [{ ...valuesOf(figures), sentence }];
    }),
  },
  /** Too little arrived, and the deposit is closed, its rate has expired, or it has waited for too long. */
  {
    kind: "deposit-under",
    severity: "warning",
    find: inDeposits((deposit, { policy }) => {
      const figures = receivedFigures(deposit);
      if (figures === undefined || !figures.difference.isNegative()) return [];
      const { requested, received, difference } = figures;
      if (mayStillFill(deposit, received.value, policy)) return [];
      const missing = amountText({ currency: requested.currency, value: difference.absolute() });
      const sentence = `${describeDeposit(deposit)} is ${deposit.state} with ${amountText(received)} of ${amountText(requested)}: ${missing} are missing.`;
      return [{ ...valuesOf(figures), sentence }];
    }),
  },
];

/** Whether the missing amount may still arrive. A deposit that expired unpaid is no break: nothing was owed to it. */
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

/** Whether the promised rate no longer applies to what is missing. */
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
}

/** In the requested currency, with what moved to another deposit, which is a break of its own. Undefined if any amount is right, or if any money at all is a break of its own. */
function receivedFigures(deposit: ComparedDeposit): ReceivedFigures | undefined {
  const requested = deposit.requestedInCrypto;
  if (requested === undefined || expectsNoMoney(deposit)) return undefined;
  const { currency } = requested;
  const funds = [...deposit.receivedFunds, ...(deposit.movedAway ?? [])];
  const value = Decimal.sum(
    funds.flatMap(({ amount }) => (amount?.currency === currency ? [amount.value] : [])),
  );
  return { requested, received: { currency, value }, difference: value.minus(requested.value) };
}

function valuesOf({ requested, received }: ReceivedFigures) {
  const text = ({ value }: Amount) => value.normalized().toString();
  return { field: "receivedFunds", expected: text(requested), found: text(received) };
}

function expectsNoMoney({ state }: ObservedDeposit): boolean {
  return state === "VOID" || state === "CREATE_FAILED";
}
