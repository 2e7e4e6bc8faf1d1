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
};
