/** The file by which accountants are told what the ledger files do not hold, or hold with a question. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { writeWhole } from "../../context/files.ts";
import { exceptionsCsv } from "../../exports/exceptions-csv.ts";
import type { LedgerReport } from "../ledger-step.ts";
import { openFolders } from "../workplace/folders.ts";
import type { Workplace } from "../workplace/workplace.ts";

/**
 * Rewritten by each run, so that what was put right is no longer in it. Returns its absolute path. After the export: a file that
 * somebody has open may not be replaceable (OUTPUT_UNWRITABLE), and must hold up nothing.
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
