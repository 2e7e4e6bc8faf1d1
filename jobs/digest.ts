/** Writes the morning digest; the daemon's notices deliver it. */
import { digestStep } from "../src/notices/index.ts";
import type { Job } from "./job.ts";

export const digestJob: Job = {
  name: "digest",
  catchesUp: true,
  run: async (workplace) => {
    const count = await digestStep(workplace);
    return { count, message: `${count} messages written` };
  },
};
