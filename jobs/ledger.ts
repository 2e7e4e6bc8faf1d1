/** Posts settled movements and issues the next export batch, every night after the comparison. */
import { ledgerExportStep } from "../src/books/index.ts";
import type { Job } from "./job.ts";
import { timesOf } from "./times.ts";

export const ledgerJob: Job = {
  ...timesOf("ledger"),
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
