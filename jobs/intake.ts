/** Takes in the files of the inbox. */
import { erpAnswersStep } from "../src/books/index.ts";
import { scanInbox } from "../src/files/intake/inbox.ts";
import { intakeStep } from "../src/files/intake-step.ts";
import { present } from "../src/model/present.ts";
import type { Job } from "./job.ts";
import { timesOf } from "./times.ts";

export const intakeJob: Job = {
  ...timesOf("intake"),
  run: async (workplace, signal) => {
    const { files, problems, waiting } = await intakeStep(workplace, signal);
    const taken = files.map(({ file, verdict }) => `${file} ${verdict}`);
    const left = problems.map(({ file, message }) =>
      file === undefined ? message : `${file} not taken: ${message}`,
    );
    const later = waiting.map(({ file, why }) => `${file} waits: ${why}`);
    const erp = await erpAnswersStep(workplace, async (folder) =>
      (await scanInbox(workplace, folder)).ready.map(({ name }) => name),
    );
    const answered = [
      ...erp.answers.map(({ file, target, posted, refused, mistakes }) =>
        mistakes.length > 0
          ? `answer ${file} of ${target} refused`
          : `answer ${file} of ${target}: ${posted} posted, ${refused} refused`,
      ),
      ...erp.problems.map(({ file, message }) => `answer ${file} not read: ${message}`),
    ];
    const [first] = [...problems, ...erp.problems, ...erp.answers.flatMap(({ mistakes }) => mistakes)];
    const told = [...taken, ...left, ...later, ...answered];
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
