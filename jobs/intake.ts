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
    const told = [...taken, ...left, ...later];
    const others = told.length - FILES_TOLD_MAX;
    return {
      count: files.length,
      message: [...told.slice(0, FILES_TOLD_MAX), ...(others > 0 ? [`and ${others} others`] : [])].join(", "),
      ...present({ code: first?.code }),
    };
  },
};

/** The message is logged and stored each minute, and a folder of files that cannot be taken may stay for months. */
const FILES_TOLD_MAX = 20;
