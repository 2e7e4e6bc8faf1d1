/** Follows payouts and deposits that are on their way, every ten minutes. */
import { trackStep } from "../src/pipeline/track-step.ts";
import type { Job } from "./job.ts";

export const trackJob: Job = {
  name: "track",
  defaultSchedule: "*/10 * * * *",
  run: async (workplace) => {
    const { changes, open, problems } = await trackStep(workplace);
    const unreadable = problems.length === 0 ? "" : `, ${problems.length} could not be read`;
    return { count: changes.length, message: `${open} payouts on their way${unreadable}` };
  },
};
