/** Takes in files of expected receipts, creates their deposits, looks up the addresses, and renews the answers. */
import { expectedStep } from "../src/expected/index.ts";
import { atMost } from "../src/model/counted.ts";
import { present } from "../src/model/present.ts";
import type { Job } from "./job.ts";
import { timesOf } from "./times.ts";

const run: Job["run"] = async (workplace, signal) => {
  const { files, waiting, problems, made, found, answered } = await expectedStep(workplace, signal);
  const taken = files.map(({ file, verdict }) => `${file} ${verdict}`);
  const left = problems.map(({ file, reference, message }) => {
    const about = file ?? reference;
    return about === undefined ? message : `${about}: ${message}`;
  });
  const later = waiting.map(({ file, why }) => `${file} waits: ${why}`);
  const counts = [
    ...(made > 0 ? [`${made} deposits made`] : []),
    ...(found > 0 ? [`${found} addresses found`] : []),
    ...(answered > 0 ? [`${answered} answers renewed`] : []),
  ];
  const parts = [...taken, ...left, ...later, ...counts];
  return {
    count: files.length,
    message: atMost(parts, LISTED_MAX).join(", "),
    ...present({ code: problems[0]?.code }),
  };
};

export const expectedJob: Job = { ...timesOf("expected"), run, wake: run };

/** Limits the message, which is logged and stored at every run. */
const LISTED_MAX = 20;
