/** Compares everything the service shows with everything that was asked for, every night. */
import { reconcileStep } from "../src/nights/index.ts";
import type { Job } from "./job.ts";

export const reconcileJob: Job = {
  name: "reconcile",
  catchesUp: true,
  run: async (workplace) => {
    const { openBreaks, comparedAt, incomplete } = await reconcileStep(workplace);
    const alarms = openBreaks.filter(({ severity }) => severity === "alarm").length;
    const fresh = openBreaks.filter(({ openedAt }) => openedAt === comparedAt).length;
    const unseen = incomplete ? `; incomplete since ${incomplete.since}: ${incomplete.code}` : "";
    const message = `${openBreaks.length} breaks open, ${alarms} of them alarms, ${fresh} new${unseen}`;
    return { count: openBreaks.length, message };
  },
};
