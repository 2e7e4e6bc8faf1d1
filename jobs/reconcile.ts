/** Compares everything the service shows with everything we asked for, every night. */
import { nightStep } from "../src/nights/index.ts";
import type { Job } from "./job.ts";
import { timesOf } from "./times.ts";

export const reconcileJob: Job = {
  ...timesOf("reconcile"),
  run: async (workplace) => {
    const { openBreaks, comparedAt, incomplete, notWritten } = await nightStep(workplace);
    const alarms = openBreaks.filter(({ severity }) => severity === "alarm").length;
    const fresh = openBreaks.filter(({ openedAt }) => openedAt === comparedAt).length;
    const unseen = incomplete ? `; incomplete since ${incomplete.since}: ${incomplete.code}` : "";
    const unwritten = notWritten ? `; the report was not written: ${notWritten.message}` : "";
    const message = `${openBreaks.length} breaks open, ${alarms} of them alarms, ${fresh} new${unseen}${unwritten}`;
    return { count: openBreaks.length, message };
  },
};
