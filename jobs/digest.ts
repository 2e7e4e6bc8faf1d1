/** Writes the morning digest; the daemon's notices deliver it. */
import { digestStep } from "../src/notices/index.ts";
import type { Job } from "./job.ts";
import { timesOf } from "./times.ts";

export const digestJob: Job = {
  ...timesOf("digest"),
  run: async (workplace) => {
    const count = await digestStep(workplace);
    return { count, message: `${count} messages written` };
  },
};
