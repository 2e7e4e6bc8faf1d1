/**
 * The service has shown a payout or a deposit, and a whole sweep does not show it any more. Either the service has lost it, or an answer
 * once showed what never was: its movements still count in the balance proof and its entries stand, so somebody must know of it.
 */
import {
  type Instant,
  type Instruction,
  minuteText,
  type ObservedDeposit,
  type ObservedPayout,
  payoutStateMeaning,
} from "../../model/index.ts";
import { aboutDeposit, aboutPayout, breakKind, type Finding } from "../break-kind.ts";
import { describeDeposit, describePayout, printable } from "../wording.ts";

interface NotShown extends Finding {
  readonly subject: string;
  readonly seenAt: Instant;
  readonly found: string;
  /** A payment that we count as under way has no payout to bring it to its end. */
  readonly isAwaited: boolean;
}

export const notShownBreak = breakKind<NotShown>({
  kind: "not-shown",
  severity: ({ isAwaited }) => (isAwaited ? "alarm" : "warning"),
  *detect({ matches, duplicates, unexpected, deposits, notShown }) {
    for (const { payout, instruction } of matches) yield* lost(notShown, ofPayout(payout, instruction));
    for (const { payout } of [...duplicates, ...unexpected]) yield* lost(notShown, ofPayout(payout));
    for (const deposit of deposits) yield* lost(notShown, ofDeposit(deposit));
  },
  sentence: ({ subject, seenAt, found }) =>
    `${subject} was ${printable(found)} when it was seen at ${minuteText(seenAt)}, and the service does not show it any more: what it moved still counts in the balance proof and the ledger. Where it never was, \`paydrop reconcile baseline\` sets it aside.`,
});

function ofPayout(payout: ObservedPayout, instruction?: Instruction) {
  return {
    ...aboutPayout(payout, instruction),
    subject: describePayout(payout),
    field: "payoutState",
    found: payout.state,
    isAwaited: instruction?.standing === "accepted" && payoutStateMeaning(payout.state) === "open",
  };
}

function ofDeposit(deposit: ObservedDeposit) {
  return {
    ...aboutDeposit(deposit),
    subject: describeDeposit(deposit),
    field: "depositState",
    found: deposit.state,
    isAwaited: false,
  };
}

function* lost(
  notShown: ReadonlyMap<string, Instant>,
  finding: Omit<NotShown, "seenAt">,
): Iterable<NotShown> {
  const seenAt = notShown.get(finding.payoutId ?? finding.depositId ?? "");
  if (seenAt !== undefined) yield { ...finding, seenAt };
}
