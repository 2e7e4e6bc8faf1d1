/** Follows payouts and deposits that are on their way. */
import { present } from "../src/model/present.ts";
import { trackStep } from "../src/payments/track-step.ts";
import type { Job } from "./job.ts";
import { timesOf } from "./times.ts";

export const trackJob: Job = {
  ...timesOf("track"),
  run: async (workplace) => {
    const { changes, open, problems } = await trackStep(workplace);
    const [first] = problems;
    const unread = first === undefined ? "" : `, problems: ${problems.length}, first: ${first.message}`;
    const message = `payouts on their way: ${open}${unread}`;
    return { count: changes.length, message, ...present({ code: first?.code }) };
  },
};
