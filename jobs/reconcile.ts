/** Compares everything the service shows with everything that was asked for, every night. */
import { reconcileStep } from "../src/pipeline/reconcile-step.ts";
import type { Job } from "./job.ts";

export const reconcileJob: Job = {
  name: "reconcile",
  defaultSchedule: "0 2 * * *",
  madeUpFor: true,
  run: async (workplace) => {
    const { openBreaks } = await reconcileStep(workplace);
    return { count: openBreaks.length, message: `${openBreaks.length} breaks open` };
  },
};
