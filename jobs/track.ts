/** Follows payouts and deposits that are on their way, every ten minutes. */
import { present } from "../src/model/present.ts";
import { trackStep } from "../src/pipeline/track-step.ts";
import type { Job } from "./job.ts";

export const trackJob: Job = {
  name: "track",
  defaultSchedule: "*/10 * * * *",
  run: async (workplace) => {
    const { changes, open, problems } = await trackStep(workplace);
    const [first] = problems;
    const failed = first === undefined ? "" : `, ${problems.length} problems: ${first.message}`;
    const message = `${open} payouts on their way${failed}`;
    return { count: changes.length, message, ...present({ code: first?.code }) };
  },
};
