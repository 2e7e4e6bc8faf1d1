/** Compares everything the service shows with everything that was asked for, every night. */
import { reconcileStep } from "../src/pipeline/reconcile-step.ts";
import type { Job } from "./job.ts";

export const reconcileJob: Job = {
  name: "reconcile",
  catchesUp: true,
  run: async (workplace) => {
    const { openBreaks, comparedAt, problems } = await reconcileStep(workplace);
    const alarms = openBreaks.filter(({ severity }) => severity === "alarm").length;
    const fresh = openBreaks.filter(({ openedAt }) => openedAt === comparedAt).length;
    const unread = problems.length === 0 ? "" : `; ${problems.length} problems in what the service showed`;
    const message = `${openBreaks.length} breaks open, ${alarms} of them alarms, ${fresh} new${unread}`;
    return { count: openBreaks.length, message };
  },
};
