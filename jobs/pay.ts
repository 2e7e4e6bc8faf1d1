/** Sends payments that are approved and due. */
import type { LogFields } from "../src/context/log.ts";
import type { Problem } from "../src/faults/index.ts";
import { present } from "../src/model/present.ts";
import { paySharedStep, payStep } from "../src/payments/pay-step.ts";
import type { ExecutionReport } from "../src/payments/sending/index.ts";
import type { Job } from "./job.ts";
import { timesOf } from "./times.ts";

export const payJob: Job = {
  ...timesOf("pay"),
  run: async (workplace, signal) => outcomeOf(await paySharedStep(workplace, signal, false)),
  wake: async (workplace, signal) => outcomeOf(await paySharedStep(workplace, signal, true)),
  look: async (workplace, signal) => {
    const { resolutions } = await payStep(workplace, { signal, looksOnly: true });
    const settled = resolutions.filter(({ now }) => now !== "in doubt").length;
    return {
      count: settled,
      message: `${settled} of ${resolutions.length} looked for are no longer in doubt`,
    };
  },
};

/** The result of a run, as stored and logged. Its code is reported to people. */
export function outcomeOf({
  accepted,
  inDoubt,
  stopped,
  problems,
}: Pick<ExecutionReport, "accepted" | "inDoubt" | "stopped" | "problems">): LogFields {
  const all = stopped === undefined ? problems : [stopped, ...problems];
  const reported = all.find(({ code }) => !SEEN_ELSEWHERE.has(code));
  return {
    count: accepted,
    message: `${accepted} accepted, ${inDoubt} in doubt${problemsText(all)}`,
    ...present({ code: reported?.code }),
  };
}

/**
 * Problems that the result's code leaves out: a person already sees them as a standing, an approval or the stop
 * order, or they pass at a later hour or day.
 */
const SEEN_ELSEWHERE: ReadonlySet<Problem["code"]> = new Set([
  "PAYOUT_REFUSED",
  "PAYOUT_HELD",
  "APPROVAL_EXPIRED",
  "APPROVAL_LACKING",
  "APPROVAL_UNFIT",
  "SENDING_STOPPED",
  "DAY_LIMIT_REACHED",
  "SENDING_RESTS",
]);

function problemsText(problems: readonly Problem[]): string {
  const [first] = problems;
  if (first === undefined) return "";
  const which = first.reference === undefined ? "" : `${first.reference}: `;
  return `, problems: ${problems.length}, first: ${which}${first.message}`;
}
