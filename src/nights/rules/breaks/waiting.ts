/**
 * Elements that wait too long or have gone back: in their state, or with an unconfirmed transaction. One break
 * each.
 */
import {
  depositStateMeaning,
  type FormerState,
  type Instant,
  isConfirmed,
  minuteText,
  type ObservedFunds,
  payoutStateMeaning,
  secondsBetween,
} from "../../../model/index.ts";
import type { ReconciliationPolicy } from "../reconciliation.ts";
import { describeDeposit, describePayout, printable, sumText } from "../wording.ts";
import { type BreakRule, type Difference, inDeposits, inMatches, sumOf } from "./break-rule.ts";

export const WAITING_RULES: readonly BreakRule[] = [
  /** The service shows an earlier state than before, possibly earlier than one that counted as completed. */
  {
    kind: "state-went-back",
    severity: "warning",
    find: inMatches(({ payout }, { statesBefore }) => {
      const before = statesBefore.get(payout.payoutId);
      if (before === undefined) return [];
      const hadLeft = before.state === "SENT" || before.state === "COMPLETED";
      return [wentBack("payoutState", describePayout(payout), payout.state, before, hadLeft)];
    }),
  },
  {
    kind: "state-went-back",
    severity: "warning",
    find: inDeposits((deposit) => {
      const { stateBefore, state, movedAway = [] } = deposit;
      // A receipt that moved to another deposit has its own break.
      if (stateBefore === undefined || movedAway.length > 0) return [];
      const wasPaid = stateBefore.state === "COMPLETED";
      return [wentBack("depositState", describeDeposit(deposit), state, stateBefore, wasPaid)];
    }),
  },
  /** A payout has been in one open state for too long. */
  {
    kind: "stuck",
    severity: "warning",
    find: inMatches(({ payout }, { policy, statesBefore }) => {
      const { payoutId, state, stateSeenAt } = payout;
      if (payoutStateMeaning(state) !== "open") return [];
      const minutes = Math.floor(secondsBetween(stateSeenAt, policy.now) / 60);
      if (minutes <= policy.stuckAfterMinutes) return [];
      if (statesBefore.has(payoutId) || waitingIn(payout.sentFunds, payout, policy).length > 0) return [];
      const advice =
        state === "COSIGNER_AUTHORIZATIONS_PENDING"
          ? `\`paydrop payouts show ${payoutId}\` says who must still authorize it`
          : "ask the service's operator what it waits for";
      const sentence =
        `${describePayout(payout)} has been ${state} since ${stateSeenAt}, for ${inWords(minutes)}: ` +
        `${advice}.`;
      return [{ field: "payoutState", found: state, sentence }];
    }),
  },
  /** Its transaction may have been replaced, or may never be confirmed. */
  {
    kind: "unconfirmed-too-long",
    severity: "warning",
    find: inMatches(({ payout }, { policy, statesBefore }) => {
      if (payoutStateMeaning(payout.state) === "failed" || statesBefore.has(payout.payoutId)) return [];
      const waiting = waitingIn(payout.sentFunds, payout, policy);
      return unconfirmed(
        () => `${describePayout(payout)} is ${printable(payout.state)}`,
        "sentFunds.state",
        waiting,
      );
    }),
  },
  {
    kind: "unconfirmed-too-long",
    severity: "warning",
    find: inDeposits((deposit, { policy }) => {
      const { state, stateBefore, receivedFunds } = deposit;
      if (state === "VOID" || depositStateMeaning(state) === "failed" || stateBefore !== undefined) return [];
      const waiting = waitingIn(receivedFunds, deposit, policy);
      return unconfirmed(
        () => `${describeDeposit(deposit)} is ${printable(state)}`,
        "receivedFunds.state",
        waiting,
      );
    }),
  },
];

function wentBack(
  field: string,
  subject: string,
  found: string,
  { state: expected, seenAt }: FormerState,
  isAlarm: boolean,
): Difference {
  const sentence =
    `${subject} is ${found}, although it was ${expected} when it was seen at ${minuteText(seenAt)}. Ask ` +
    `the service's operator why it went back.`;
  return { field, expected, found, sentence, ...(isAlarm && { severity: "alarm" }) };
}

/**
 * Whether a transaction is still to be confirmed. In a completed element only one that is marked as unconfirmed,
 * because a service may not show when the others were confirmed.
 */
export function isToConfirm(state: string, funds: ObservedFunds): boolean {
  return state === "COMPLETED" ? funds.state === "UNCONFIRMED" : !isConfirmed(funds);
}

/** Transactions that have been unconfirmed for longer than allowed. */
function waitingIn(
  funds: readonly ObservedFunds[],
  { state, stateSeenAt }: { readonly state: string; readonly stateSeenAt: Instant },
  { now, stuckAfterMinutes }: ReconciliationPolicy,
): readonly ObservedFunds[] {
  return funds.filter(
    (each) =>
      isToConfirm(state, each) && secondsBetween(each.createdAt ?? stateSeenAt, now) / 60 > stuckAfterMinutes,
  );
}

/**
 * One break per payout or deposit, for all transactions that it waits for. `describe`: called only if there is one,
 * because nearly all elements wait for none.
 */
function unconfirmed(describe: () => string, field: string, waiting: readonly ObservedFunds[]): Difference[] {
  if (waiting.length === 0) return [];
  const names = waiting.map(({ txHash, transactionId }) =>
    printable(txHash ?? transactionId ?? "no transaction"),
  );
  const found = `${sumText(waiting)} in ${names.sort().join(", ")}`;
  const [since] = waiting.flatMap(({ createdAt }) => createdAt ?? []).sort();
  const age = since === undefined ? "for too long" : `since ${minuteText(since)}`;
  const sentence =
    `${describe()}, and ${found} has not been confirmed ${age}: ask the service's operator. If ` +
    `another transaction has replaced it, settle this.`;
  return [{ field, found, amount: sumOf(waiting), sentence }];
}

function inWords(minutes: number): string {
  if (minutes < 120) return `${minutes} minutes`;
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} hours`;
  return `${Math.floor(minutes / (24 * 60))} days`;
}
