/** Posts what has settled and hands out the next export batch, every night after the comparison. */
import { exportStep } from "../src/pipeline/export-step.ts";
import { writeExceptions } from "../src/pipeline/files/write-exceptions.ts";
import { ledgerStep } from "../src/pipeline/ledger-step.ts";
import type { Job } from "./job.ts";

export const ledgerJob: Job = {
  name: "ledger",
  madeUpFor: true,
  run: async (workplace) => {
    const ledger = await ledgerStep(workplace);
    const issued = await exportStep(workplace);
    await writeExceptions(workplace, ledger);
    return {
      count: ledger.posted.length,
      message: `export batch ${issued?.number ?? "none"}, problems: ${ledger.problems.length}`,
    };
  },
};
