/** Sends what is approved and due. */
import { present } from "../src/model/present.ts";
import { payStep } from "../src/pipeline/pay-step.ts";
import type { Job } from "./job.ts";

export const payJob: Job = {
  name: "pay",
  run: async (workplace, signal) => {
    const { accepted, inDoubt, stopped } = await payStep(workplace, { signal, isScheduled: true });
    return {
      count: accepted,
      message: `${accepted} accepted, ${inDoubt} in doubt`,
      ...present({ code: stopped?.code }),
    };
  },
  look: async (workplace, signal) => {
    const { resolutions } = await payStep(workplace, { signal, looksOnly: true });
    const settled = resolutions.filter(({ now }) => now !== "in doubt").length;
    return { count: settled, message: `${settled} of ${resolutions.length} looked for are in doubt no more` };
  },
};
