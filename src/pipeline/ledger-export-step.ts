/** Posts what has settled, hands out the next export batch, and writes exceptions.csv. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { writeWhole } from "../context/files.ts";
import { exceptionsCsv } from "../exports/exceptions-csv.ts";
import { type ExportReport, issueDue } from "./export-step.ts";
import { type LedgerReport, postSettled } from "./ledger-step.ts";
import { checkStillExclusive, exclusivelyOrFault } from "./workplace/exclusively.ts";
import { openFolders } from "./workplace/folders.ts";
import type { Workplace } from "./workplace/workplace.ts";

export interface LedgerExportReport {
  readonly ledger: LedgerReport;
  /** Absent if there was nothing new. */
  readonly issued: ExportReport | undefined;
  /** Absolute path of exceptions.csv. */
  readonly exceptions: string;
}

/** Throws EXPORT_UNDER_WAY, and what `postSettled`, `issueDue` and `writeExceptions` throw. */
export function ledgerExportStep(workplace: Workplace): Promise<LedgerExportReport> {
  return exclusivelyOrFault(workplace, "ledger-export", async (alone) => {
    const ledger = await postSettled(alone);
    const issued = await issueDue(alone);
    await checkStillExclusive(alone.store);
    // Last: the file may be open in a program and not replaceable, which must hold up nothing else.
    return { ledger, issued, exceptions: await writeExceptions(alone, ledger) };
  });
}

/**
 * Writes exceptions.csv: what the ledger files do not hold, or hold with a question. Rewritten by each run, so that what
 * was resolved disappears. Returns its absolute path. Throws OUTPUT_UNWRITABLE.
 */
export async function writeExceptions(
  workplace: Workplace,
  { problems, notBooked }: Pick<LedgerReport, "problems" | "notBooked">,
): Promise<string> {
  await openFolders(workplace, "ledger");
  const path = join(workplace.config.folders.ledger, "exceptions.csv");
  await writeWhole(path, (temporaryPath) => writeFile(temporaryPath, exceptionsCsv(problems, notBooked)));
  return path;
}
