/** Less arrived than was asked for, and the deposit is closed, its rate has expired, or it has been half paid for too long. */
import {
  depositStateMeaning,
  type Instant,
  type ObservedDeposit,
  secondsBetween,
} from "../../model/index.ts";
import { aboutDeposit, breakKind, type Finding } from "../break-kind.ts";
import { expectsNoMoney, type ReceivedFigures, receivedFigures } from "../received-funds.ts";
import type { ReconciliationPolicy } from "../reconciliation.ts";
import { amountText, describeDeposit } from "../wording.ts";

interface DepositUnder extends Finding, ReceivedFigures {
  readonly deposit: ObservedDeposit;
}

export const depositUnderBreak = breakKind<DepositUnder>({
  kind: "deposit-under",
  severity: "warning",
  *detect({ deposits, policy }) {
    for (const deposit of deposits) {
      const figures = receivedFigures(deposit);
      if (figures === undefined || !figures.difference.isNegative()) continue;
      if (expectsNoMoney(deposit) || mayStillFill(deposit, figures, policy)) continue;
      yield {
        ...aboutDeposit(deposit),
        ...figures,
        deposit,
        field: "receivedFunds",
        expected: figures.requested.value.normalized().toString(),
        found: figures.received.value.normalized().toString(),
      };
    }
  },
  sentence: ({ deposit, requested, received, difference }) =>
    `${describeDeposit(deposit)} is ${deposit.state} with ${amountText(received)} of ${amountText(requested)}: ${amountText({ currency: requested.currency, value: difference.absolute() })} are missing.`,
});

/** A deposit that expired without a payment is no difference: nothing was owed to it. */
function mayStillFill(
  deposit: ObservedDeposit,
  { received }: ReceivedFigures,
  policy: ReconciliationPolicy,
): boolean {
  switch (depositStateMeaning(deposit.state)) {
    case "done":
      return false;
    case "closed":
      return received.value.isZero();
    default:
      return (
        received.value.isZero() || !(hasExpired(deposit, policy) || isOverdue(lastMoved(deposit), policy))
      );
  }
}

/** What is missing can no longer arrive at the rate that was promised. */
function hasExpired({ expiresAt }: ObservedDeposit, { now }: ReconciliationPolicy): boolean {
  return expiresAt !== undefined && expiresAt <= now;
}

function isOverdue(since: Instant, { now, stuckAfterMinutes }: ReconciliationPolicy): boolean {
  return secondsBetween(since, now) / 60 > stuckAfterMinutes;
}

/** Each part that arrives gives the payer new time. */
function lastMoved({ receivedFunds, stateSeenAt }: ObservedDeposit): Instant {
  return [stateSeenAt, ...receivedFunds.flatMap(({ createdAt }) => createdAt ?? [])].reduce((left, right) =>
    left > right ? left : right,
  );
}
