/** Follows payouts and deposits that are on their way. */
import { present } from "../src/model/present.ts";
import { trackStep } from "../src/pipeline/track-step.ts";
import type { Job } from "./job.ts";

export const trackJob: Job = {
  name: "track",
  run: async (workplace) => {
    const { changes, open, problems } = await trackStep(workplace);
    const [first] = problems;
    const unread = first === undefined ? "" : `, ${problems.length} problems: ${first.message}`;
    const message = `${open} payouts on their way${unread}`;
    return { count: changes.length, message, ...present({ code: first?.code }) };
  },
};
