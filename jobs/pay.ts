/** Sends what is approved and due. */
import type { Problem } from "../src/faults/index.ts";
import { present } from "../src/model/present.ts";
import { payStep } from "../src/pipeline/pay-step.ts";
import type { Job } from "./job.ts";

export const payJob: Job = {
  name: "pay",
  run: async (workplace, signal) => {
    const { accepted, inDoubt, stopped, problems } = await payStep(workplace, { signal, isScheduled: true });
    return {
      count: accepted,
      message: `${accepted} accepted, ${inDoubt} in doubt${problemsText(problems)}`,
      ...present({ code: stopped?.code ?? problems.find(({ code }) => !TOLD_OTHERWISE.has(code))?.code }),
    };
  },
  look: async (workplace, signal) => {
    const { resolutions } = await payStep(workplace, { signal, looksOnly: true });
    const settled = resolutions.filter(({ now }) => now !== "in doubt").length;
    return {
      count: settled,
      message: `${settled} of ${resolutions.length} looked for are no longer in doubt`,
    };
  },
};

/** What a standing tells until a person has decided, and what only waits for another day. */
const TOLD_OTHERWISE: ReadonlySet<Problem["code"]> = new Set([
  "PAYOUT_REFUSED",
  "PAYOUT_HELD",
  "DAY_LIMIT_REACHED",
  "DESTINATION_LIMIT_REACHED",
]);

function problemsText(problems: readonly Problem[]): string {
  const [first] = problems;
  if (first === undefined) return "";
  const which = first.reference === undefined ? "" : `${first.reference}: `;
  return `, problems: ${problems.length}, first: ${which}${first.message}`;
}
