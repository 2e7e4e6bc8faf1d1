/** Takes in what lies in the inbox. */
import { present } from "../src/model/present.ts";
import { intakeStep } from "../src/pipeline/intake-step.ts";
import type { Job } from "./job.ts";

export const intakeJob: Job = {
  name: "intake",
  run: async (workplace, signal) => {
    const { files, problems, waiting } = await intakeStep(workplace, signal);
    const taken = files.map(({ file, verdict }) => `${file} ${verdict}`);
    const left = problems.map(({ file, message }) =>
      file === undefined ? message : `${file} not taken: ${message}`,
    );
    const later = waiting.map(({ file, why }) => `${file} waits: ${why}`);
    const [first] = problems;
    return {
      count: files.length,
      message: [...taken, ...left, ...later].join(", "),
      ...present({ code: first?.code }),
    };
  },
};
