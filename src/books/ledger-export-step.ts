/**
 * Posts settled movements, issues the next numbered export batch to each target (all entries that it has not got),
 * and writes exceptions.csv.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { writeWhole } from "../context/files.ts";
import { type Problem, problem } from "../faults/index.ts";
import { anchorOf, checkAnchor } from "../store/anchor.ts";
import { listRefused, type RefusedEntry } from "../store/erp-answers.ts";
import { checkStillExclusive, exclusivelyOrFault } from "../workplace/exclusively.ts";
import { openFolders } from "../workplace/folders.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { type AgainReport, writeAgain } from "./exports/again.ts";
import { type ExportAsked, type ExportReport, issueDue } from "./exports/issue.ts";
import { exceptionsCsv } from "./formats/exceptions-csv.ts";
import { type LedgerReport, postSettled } from "./posting/post-settled.ts";

export interface LedgerExportReport {
  readonly ledger: LedgerReport;
  /** One batch per target; empty if there was nothing new. */
  readonly issued: readonly ExportReport[];
  /** Absolute path of exceptions.csv. */
  readonly exceptions: string;
}

/** Throws UNDER_WAY, and the faults of `postSettled`, `exportStep` and `writeExceptions`. */
export function ledgerExportStep(workplace: Workplace, asked: ExportAsked = {}): Promise<LedgerExportReport> {
  return exclusivelyOrFault(workplace, "ledger-export", async (alone) => {
    const posted = await postSettled(alone);
    await alone.store.read(checkAnchor(anchorOf(alone.config)));
    const { reports: issued, held } = await issueDue(alone, asked);
    const refused = (await alone.store.read(() => listRefused())).map(refusedProblem);
    const ledger = { ...posted, problems: [...posted.problems, ...held, ...refused] };
    await checkStillExclusive(alone.store);
    // Last: the file may be open in a program and not replaceable, which must not stop the other steps.
    return { ledger, issued, exceptions: await writeExceptions(alone, ledger) };
  });
}

function refusedProblem({ target, number, entryId, reason = "it gives no reason" }: RefusedEntry): Problem {
  return problem("LEDGER_ENTRY_REFUSED", { target, number, entryId, reason });
}

/**
 * Writes exceptions.csv: movements that the ledger files do not hold, or hold with a question. Each run rewrites
 * it, so that resolved ones disappear. Returns its absolute path. Throws OUTPUT_UNWRITABLE.
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

/**
 * Issues due entries without posting. Throws UNDER_WAY while another process posts or exports, the faults of
 * `issueDue`, and those of `checkAnchor`, because a restored database would hand out entries again that it has
 * forgotten.
 */
export function exportStep(workplace: Workplace, asked: ExportAsked = {}): Promise<readonly ExportReport[]> {
  return exclusivelyOrFault(workplace, "ledger-export", async (alone) => {
    await alone.store.read(checkAnchor(anchorOf(alone.config)));
    return (await issueDue(alone, asked)).reports;
  });
}

/** As `writeAgain`, in its own exclusive run. Throws UNDER_WAY. */
export function exportAgainStep(workplace: Workplace, number: number, target?: string): Promise<AgainReport> {
  return exclusivelyOrFault(workplace, "ledger-export", (alone) => writeAgain(alone, number, target));
}
