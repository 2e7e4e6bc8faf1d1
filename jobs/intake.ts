/** Takes in what lies in the inbox, every minute. */
import { intakeStep } from "../src/pipeline/intake-step.ts";
import type { Job } from "./job.ts";

export const intakeJob: Job = {
  name: "intake",
  defaultSchedule: "* * * * *",
  run: async (workplace) => {
    const { files } = await intakeStep(workplace);
    return {
      count: files.length,
      message: files.map(({ file, verdict }) => `${file} ${verdict}`).join(", "),
    };
  },
};
