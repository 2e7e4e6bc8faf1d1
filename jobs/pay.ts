/** Sends what is approved and due, every five minutes. */
import { payStep } from "../src/pipeline/pay-step.ts";
import type { Job } from "./job.ts";

export const payJob: Job = {
  name: "pay",
  defaultSchedule: "*/5 * * * *",
  run: async (workplace, signal) => {
    const { accepted, inDoubt, stopped } = await payStep(workplace, { signal, isScheduled: true });
    const message = `${accepted} accepted, ${inDoubt} in doubt`;
    return stopped === undefined
      ? { count: accepted, message }
      : { count: accepted, message, code: stopped.code };
  },
};
