/** Posts settled movements and issues the next export batch, every night after the comparison. */
import { ledgerExportStep } from "../src/books/index.ts";
import type { Job } from "./job.ts";

export const ledgerJob: Job = {
  name: "ledger",
  catchesUp: true,
  run: async (workplace) => {
    const { ledger, issued } = await ledgerExportStep(workplace);
    return {
      count: ledger.posted,
      message:
        `export batches: ${issued.map(({ target, number }) => `${target} ${number}`).join(", ") || "none"}, ` +
        `problems: ${ledger.problems.length}`,
    };
  },
};
