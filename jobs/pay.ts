/** Sends what is approved and due, every five minutes. */
import { present } from "../src/model/present.ts";
import { payStep } from "../src/pipeline/pay-step.ts";
import type { Job } from "./job.ts";

export const payJob: Job = {
  name: "pay",
  defaultSchedule: "*/5 * * * *",
  run: async (workplace, signal) => {
    const { accepted, inDoubt, stopped } = await payStep(workplace, { signal });
    const message = `${accepted} accepted, ${inDoubt} in doubt`;
    return { count: accepted, message, ...present({ code: stopped?.code }) };
  },
};
