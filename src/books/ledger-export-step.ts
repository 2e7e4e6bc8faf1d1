/**
 * Posts what has settled, issues to each target the next numbered export batch (all entries that it has not been
 * handed), and writes exceptions.csv.
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
  /** One batch a target; none if there was nothing new. */
  readonly issued: readonly ExportReport[];
  /** Absolute path of exceptions.csv. */
  readonly exceptions: string;
}

/** Throws UNDER_WAY, and what `postSettled`, `exportStep` and `writeExceptions` throw. */
export function ledgerExportStep(workplace: Workplace, asked: ExportAsked = {}): Promise<LedgerExportReport> {
  return exclusivelyOrFault(workplace, "ledger-export", async (alone) => {
    const posted = await postSettled(alone);
    await alone.store.read(checkAnchor(anchorOf(alone.config)));
    const { reports: issued, held } = await issueDue(alone, asked);
    const refused = (await alone.store.read(() => listRefused())).map(refusedProblem);
    const ledger = { ...posted, problems: [...posted.problems, ...held, ...refused] };
    await checkStillExclusive(alone.store);
    // Last: the file may be open in a program and not replaceable, which must hold up nothing else.
    return { ledger, issued, exceptions: await writeExceptions(alone, ledger) };
  });
}

function refusedProblem({ target, number, entryId, reason = "it gives no reason" }: RefusedEntry): Problem {
  return problem("LEDGER_ENTRY_REFUSED", { target, number, entryId, reason });
}

/**
 * Writes exceptions.csv: what the ledger files do not hold, or hold with a question. Rewritten by each run, so that
 * what was resolved disappears. Returns its absolute path. Throws OUTPUT_UNWRITABLE.
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
 * Issues what is due, without posting. Throws UNDER_WAY while another process posts or exports, what `issueDue`
 * throws, and what `checkAnchor` throws, since a restored database would hand out again what it does not know of.
 */
export function exportStep(workplace: Workplace, asked: ExportAsked = {}): Promise<readonly ExportReport[]> {
  return exclusivelyOrFault(workplace, "ledger-export", async (alone) => {
    await alone.store.read(checkAnchor(anchorOf(alone.config)));
    return (await issueDue(alone, asked)).reports;
  });
}

/** As `writeAgain`, by itself. Throws UNDER_WAY. */
export function exportAgainStep(workplace: Workplace, number: number, target?: string): Promise<AgainReport> {
  return exclusivelyOrFault(workplace, "ledger-export", (alone) => writeAgain(alone, number, target));
}
