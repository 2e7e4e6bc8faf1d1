/** A payout stays in one open state for longer than it should. */
import { payoutStateMeaning, secondsBetween } from "../../model/index.ts";
import { aboutPayout, breakKind, type Finding } from "../break-kind.ts";
import type { Match } from "../reconciliation.ts";
import { describePayout } from "../wording.ts";

interface Stuck extends Finding, Match {
  readonly minutes: number;
}

export const stuckBreak = breakKind<Stuck>({
  kind: "stuck",
  severity: "warning",
  *detect({ matches, policy }) {
    for (const match of matches) {
      const { instruction, payout } = match;
      if (payoutStateMeaning(payout.state) !== "open") continue;
      const minutes = Math.floor(secondsBetween(payout.stateSeenAt, policy.now) / 60);
      if (minutes > policy.stuckAfterMinutes)
        yield {
          ...aboutPayout(payout, instruction),
          ...match,
          minutes,
          field: "payoutState",
          found: payout.state,
        };
    }
  },
  sentence: ({ payout, minutes }) =>
    `${describePayout(payout)} has been ${payout.state} since ${payout.stateSeenAt}, for ${inWords(minutes)}.`,
});

function inWords(minutes: number): string {
  if (minutes < 120) return `${minutes} minutes`;
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} hours`;
  return `${Math.floor(minutes / (24 * 60))} days`;
}
