/** Reads and checks one file: returns everything that would be paid, or every problem. Stores nothing. */
import { Fault, fault, type Problem, problem } from "../faults/index.ts";
import { present } from "../model/present.ts";
import { fileHoldsKey, sha256Of } from "../readers/index.ts";
import { findBatchByDigest, findFileByName } from "../store/batches.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { type CheckedFile, checkFile, type FileToCheck } from "./intake/check-file.ts";
import { type FileReport, holdsSecret, type ReportedFile, unreadReport } from "./intake/file-report.ts";
import { fileLimitsOf, fileNameAt, isNameWithheld } from "./intake/sent-file.ts";
import { rowsBeside, withColumns } from "./intake/texts-beside.ts";
import { totalsFilesBeside } from "./intake/totals-file.ts";

/** Throws only faults that are not the file's: a missing path, a folder, an unreadable disk. */
export async function validateFile(workplace: Workplace, path: string, name?: string): Promise<FileReport> {
  return (await checkAndReport(workplace, path, name)).report;
}

/** As `validateFile`, with the checked file. `known`: facts about the file that the caller already has. */
export async function checkAndReport(
  workplace: Workplace,
  path: string,
  name = fileNameAt(workplace.config, path),
  known: Partial<Pick<FileToCheck, "sha256" | "submittedBy" | "isSingle">> = {},
): Promise<ReportedFile> {
  const sha256 = known.sha256 ?? (await sha256Of(path));
  try {
    if (isNameWithheld(name)) throw fault("FILE_NAME_IS_SECRET", {});
    const found = await checkFile(workplace, { ...known, path, name, sha256 });
    return { found, report: await reportOf(workplace, path, name, sha256, found) };
  } catch (error) {
    if (!(error instanceof Fault) || error.problem.next !== "correct-file") throw error;
    const [key] = await unreadKey(workplace, path, [error.problem]);
    const why = { file: name, ...(key ?? underOwnName(error.problem, path, name)) };
    return { found: undefined, report: unreadReport("refused", sha256, name, why) };
  }
}

async function reportOf(
  workplace: Workplace,
  path: string,
  name: string,
  sha256: string,
  found: CheckedFile,
): Promise<FileReport> {
  const { grid, layout, corrects, rows, screened, digest, lastTime, ...result } = found;
  // A file that contains a private key is never accepted: it is not archived, and a batch needs its archived file.
  const isPayable = result.verdict === "accepted" && !holdsSecret(result);
  const others = isPayable
    ? await unchangedSince(workplace, digest)
    : await unreadKey(workplace, path, result.problems);
  const isAccepted = isPayable && others.length === 0;
  const { reading } = result;
  const place = reading === undefined ? { file: name } : {};
  const named = (problems: readonly Problem[]) =>
    problems.map((each) => ({ ...place, ...underOwnName(each, path, name) }));
  return {
    file: name,
    sha256,
    ...result,
    ...present({ format: reading?.format, sheet: reading?.sheet, dialect: reading?.dialect }),
    verdict: isAccepted ? "accepted" : "rejected",
    ...present({ sender: layout.sender }),
    ...(await correctionOf(workplace, corrects)),
    problems: named([...result.problems, ...others]),
    fileProblems: named([...result.fileProblems, ...others]),
    warnings: named(result.warnings),
    ...(isAccepted
      ? { ...screened, digest, ...present({ lastTime, textsBeside: firstTexts(reading, grid, rows) }) }
      : {}),
  };
}

/** A stored batch keeps the texts of all its payments. */
const PAYMENTS_SHOWN = 100;

function firstTexts(reading: CheckedFile["reading"], grid: CheckedFile["grid"], rows: CheckedFile["rows"]) {
  const paid = rows
    .values()
    .filter(({ draft }) => draft !== undefined)
    .take(PAYMENTS_SHOWN);
  return withColumns(reading, reading === undefined ? [] : rowsBeside(reading, grid, paid));
}

/**
 * A problem if a withdrawn batch had the same payments in the same rows. (If a batch in force had them, their
 * references would be taken.)
 */
async function unchangedSince({ store }: Workplace, digest: string): Promise<readonly Problem[]> {
  const before = await store.read(() => findBatchByDigest(digest));
  return before === undefined ? [] : [problem("BATCH_UNCHANGED", { batch: before.id })];
}

/**
 * VALUE_IS_SECRET if a file that was not read to its end contains a private key, because its unchecked cells would
 * be kept; none if another problem reports it already.
 */
async function unreadKey(
  { config }: Workplace,
  path: string,
  problems: readonly Problem[],
): Promise<readonly Problem[]> {
  if (holdsSecret({ problems })) return [];
  const limits = fileLimitsOf(config.files);
  for (const file of [path, ...(await totalsFilesBeside(path))])
    if (await fileHoldsKey(file, limits))
      return [problem("VALUE_IS_SECRET", { field: file === path ? "the file" : "its totals file" })];
  return [];
}

async function correctionOf(
  { store }: Workplace,
  file: string | undefined,
): Promise<Pick<FileReport, "corrects">> {
  if (file === undefined) return {};
  const known = await store.read(() => findFileByName(file));
  if (known === undefined) return { corrects: { file } };
  const { takenAt, verdict, batchId, answerStem } = known;
  return { corrects: { file, takenAt, verdict, ...present({ batchId, answerStem }) } };
}

/** Puts the sender's file name into a problem, because the file is read under another name. */
function underOwnName(found: Problem, path: string, name: string): Problem {
  return found.file === path ? { ...found, file: name } : found;
}
