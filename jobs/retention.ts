/** Removes files that are older than `retention` says, and that no open matter needs. */
import { RETENTION_WORDS } from "../src/model/index.ts";
import { present } from "../src/model/present.ts";
import { retentionStep } from "../src/retention/index.ts";
import type { Job } from "./job.ts";
import { timesOf } from "./times.ts";

export const retentionJob: Job = {
  ...timesOf("retention"),
  run: async (workplace) => {
    const { kinds, problems } = await retentionStep(workplace);
    const removed = kinds.filter(({ count }) => count > 0);
    const parts = removed.map(({ kind, count }) => `${RETENTION_WORDS[kind]}: ${count}`);
    const left = problems.map(({ file, message }) => `${file} not removed: ${message}`);
    return {
      count: removed.reduce((sum, { count }) => sum + count, 0),
      message: [
        ...(parts.length === 0 ? ["nothing is old enough"] : parts),
        ...left.slice(0, FILES_LISTED_MAX),
      ].join(", "),
      ...present({ code: problems[0]?.code }),
    };
  },
};

const FILES_LISTED_MAX = 20;
