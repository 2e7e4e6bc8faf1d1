/** Writes exceptions.csv: what the ledger files do not hold, or hold with a question. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { writeWhole } from "../../context/files.ts";
import { exceptionsCsv } from "../../exports/exceptions-csv.ts";
import type { LedgerReport } from "../ledger-step.ts";
import { openFolders } from "../workplace/folders.ts";
import type { Workplace } from "../workplace/workplace.ts";

/**
 * Rewritten by each run, so that what was resolved disappears. Returns its absolute path. Comes after the export: the
 * file may be open in a program and not replaceable (OUTPUT_UNWRITABLE), which must hold up nothing else.
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
