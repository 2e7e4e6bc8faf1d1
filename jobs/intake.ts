/** Takes in the files of the inbox. */
import { erpAnswersStep } from "../src/books/index.ts";
import { scanInbox } from "../src/files/intake/inbox.ts";
import { intakeStep } from "../src/files/intake-step.ts";
import { atMost } from "../src/model/counted.ts";
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
    const parts = [...taken, ...left, ...later, ...answered];
    return {
      count: files.length,
      message: atMost(parts, FILES_LISTED_MAX).join(", "),
      ...present({ code: first?.code }),
    };
  },
};

/**
 * Limits the message, which is logged and stored each minute: a folder may have many unreadable files for months.
 */
const FILES_LISTED_MAX = 20;
