/** A state that the interface does not list, or one that leaves open whether there is a payment (CREATE_TIMEOUT). */
import { depositStateMeaning, payoutStateMeaning, type StateMeaning } from "../../model/index.ts";
import { aboutDeposit, aboutPayout, breakKind, type Finding } from "../break-kind.ts";
import { describeDeposit, describePayout, printable } from "../wording.ts";

interface UnknownState extends Finding {
  readonly subject: string;
  readonly found: string;
  readonly listed: boolean;
}

export const unknownStateBreak = breakKind<UnknownState>({
  kind: "unknown-state",
  severity: "warning",
  *detect({ matches, deposits }) {
    for (const { instruction, payout } of matches)
      yield* unknown(payoutStateMeaning(payout.state), {
        ...aboutPayout(payout, instruction),
        subject: describePayout(payout),
        field: "payoutState",
        found: payout.state,
      });
    for (const deposit of deposits)
      yield* unknown(depositStateMeaning(deposit.state), {
        ...aboutDeposit(deposit),
        subject: describeDeposit(deposit),
        field: "depositState",
        found: deposit.state,
      });
  },
  sentence: ({ subject, found, listed, payoutId }) => {
    if (listed)
      return `${subject} is ${found}: nobody can tell from it whether it was made, so a person must ask the service${payoutId !== undefined ? "; where it was not made, a new row under another reference pays it" : ""}.`;
    if (found === "") return `${subject} has no state; it is kept open.`;
    return `${subject} is in the state ${printable(found)}, which the interface does not list; it is kept open.`;
  },
});

function* unknown(
  meaning: StateMeaning | undefined,
  finding: Omit<UnknownState, "listed">,
): Iterable<UnknownState> {
  if (meaning === undefined || meaning === "unknown") yield { ...finding, listed: meaning !== undefined };
}
