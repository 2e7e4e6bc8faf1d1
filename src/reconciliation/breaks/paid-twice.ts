/** A payment was paid again because its payout had failed, and that payout goes on after all. */
import { type ObservedPayout, payoutStateMeaning } from "../../model/index.ts";
import { aboutPayout, breakKind, type Finding } from "../break-kind.ts";
import type { Match } from "../reconciliation.ts";
import { describeInstruction, describePayout, quoted } from "../wording.ts";

interface PaidTwice extends Finding, Match {
  readonly again: string;
}

export const paidTwiceBreak = breakKind<PaidTwice>({
  kind: "paid-twice",
  severity: "alarm",
  *detect({ matches, paidAgain, departures }) {
    const mayHavePaid = ({ state, payoutId }: ObservedPayout) =>
      payoutStateMeaning(state) !== "failed" || departures.has(payoutId);
    const withoutEffect = new Set(
      matches
        .filter(({ payout }) => !mayHavePaid(payout))
        .map(({ instruction }) => instruction.fields.reference),
    );
    for (const match of matches) {
      const { instruction, payout } = match;
      const again = paidAgain.get(instruction.id)?.find((reference) => !withoutEffect.has(reference));
      // What was never accepted is against its standing already.
      if (again === undefined || instruction.standing !== "accepted" || !mayHavePaid(payout)) continue;
      yield {
        ...aboutPayout(payout, instruction),
        ...match,
        again,
        field: "payoutState",
        found: payout.state,
      };
    }
  },
  sentence: ({ instruction, payout, again }) =>
    `${describePayout(payout)} is ${payout.state}, although ${describeInstruction(instruction)} is paid again as ${quoted(again)}: it may have been paid twice.`,
});
