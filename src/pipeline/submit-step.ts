/**
 * Takes one file in: it becomes a batch that awaits approval, or is rejected with its reasons. The original is archived
 * unchanged.
 */
import { stat, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { unlessGone, writeOnce, writeWhole } from "../context/files.ts";
import { Fault, fault, invariant, problem } from "../faults/index.ts";
import type { CheckedWindow } from "../initiation/index.ts";
import { fileChunks, versionOf } from "../intake/index.ts";
import { type Batch, type BatchId, instructionId, minuteText, personKey } from "../model/index.ts";
import { present } from "../model/present.ts";
import { appendAudit } from "../store/audit.ts";
import { findFile, insertBatch, nextBatchId, recordFile, type TakenFile } from "../store/batches.ts";
import { insertInstructions } from "../store/instructions.ts";
import {
  addToReading,
  deleteReading,
  listReadingDrafts,
  prepareReadings,
  type ReadingId,
} from "../store/readings.ts";
import { freeReferences, isReadingReferenceUsed } from "../store/references.ts";
import { markPaidAgainDue } from "../store/results-due.ts";
import type { Transaction } from "../store/sql.ts";
import { writeAcceptance, writeMissingAcceptance, writeRejection } from "./files/answer-files.ts";
import { isNameWithheld, longName } from "./files/file-names.ts";
import { type FileReport, holdsSecret, unreadReport } from "./files/file-report.ts";
import { tooLarge } from "./files/inbox-scan.ts";
import { fileNameAt } from "./files/sender-layout.ts";
import { sha256Of } from "./files/sha256-of.ts";
import { copyTotalsFile } from "./files/totals-file.ts";
import { validateFile } from "./validate-step.ts";
import { checkAgreement } from "./workplace/agreement.ts";
import { openFolders } from "./workplace/folders.ts";
import type { Workplace } from "./workplace/workplace.ts";

export interface SubmitReport extends FileReport {
  readonly batchId?: BatchId;
  /** The batch of the same file, if it was submitted before. */
  readonly knownAs?: BatchId;
  /** Paths of the written answers. */
  readonly answers: readonly string[];
}

/**
 * Takes a file in; `name` is the sender's name for it. The same bytes again are reported and never stored twice. Throws
 * PERSON_UNNAMED without a submitter, because then nobody could be prevented from approving their own file, FILE_TOO_LARGE,
 * FILE_CHANGED, and CONFIGURATION_DIFFERS, since names in rows are resolved by the configuration.
 */
export async function submitFile(
  workplace: Workplace,
  path: string,
  submittedBy: string,
  name = fileNameAt(workplace.config, path),
): Promise<SubmitReport> {
  await checkAgreement(workplace);
  const { store, context, config } = workplace;
  if (personKey(submittedBy) === "") throw fault("PERSON_UNNAMED", {});
  const unusableName = longName(name);
  if (unusableName !== undefined) throw new Fault(unusableName);
  const { size = 0 } = (await unlessGone(stat(path))) ?? {};
  const oversized = tooLarge(config, size, name);
  if (oversized !== undefined) throw new Fault(oversized);
  const version = await versionOf(path);
  const sha256 = await sha256Of(path);
  await openFolders(workplace, "archive", "outbox");
  const known = await store.read(() => findFile(sha256));
  if (known?.verdict === "accepted" && !isNameWithheld(name)) return alreadyKnown(workplace, known, name);

  const reading = context.random.uuid();
  await store.write(prepareReadings);
  const keep = ({ drafts, problems }: CheckedWindow) =>
    store.write(() => addToReading(reading, drafts, problems));
  const take = async (): Promise<SubmitReport | undefined> => {
    const report = withoutSecret(await validateFile(workplace, path, name, keep));
    // Equal hashes before and behind the reading do not tell what was there in between.
    if (report.sha256 !== sha256 || (await versionOf(path)) !== version)
      throw fault("FILE_CHANGED", {}, { file: name });
    return report.verdict === "accepted"
      ? acceptFile(workplace, { path, report, reading, submittedBy })
      : rejectFile(workplace, { path, report, reading });
  };
  // What cannot be removed now vanishes with the connection; the first error is the one to throw.
  const forget = () =>
    store
      .write(() => deleteReading(reading))
      .catch((error: unknown) =>
        context.log.warn("a reading was not forgotten", { file: name, message: String(error) }),
      );
  const submitted = await take().finally(forget);
  // Another process stored the same references while this one was reading: check the file again, against them.
  return submitted ?? submitFile(workplace, path, submittedBy, name);
}

interface ReadFile {
  readonly path: string;
  readonly report: FileReport;
  readonly reading: ReadingId;
}

/** Stores an accepted file; undefined if one of its references has been used since the check. */
async function acceptFile(
  workplace: Workplace,
  { path, report, reading, submittedBy }: ReadFile & { readonly submittedBy: string },
): Promise<SubmitReport | undefined> {
  const { store, context, config } = workplace;
  const { sha256, file: fileName, digest, rowsAccepted: rowCount, controlTotals } = report;
  invariant(digest !== undefined, `the accepted file ${fileName} has no digest`);
  const archivedAs = await archive(config.folders.archive, path, sha256, fileName);
  // Before the batch: a run that dies in between takes the file in anew, and a batch's reasons are kept nowhere else.
  const isPartly = report.rowsRejected > 0;
  const rejection = isPartly ? await writeRejection(workplace, report, archivedAs, reading) : [];
  const submittedAt = context.clock.now();
  const names = { fileSha256: sha256, fileName, archivedAs, submittedBy, submittedAt };
  const batch = await store.write(() =>
    storeBatch(workplace, reading, { ...names, digest, rowCount, controlTotals }),
  );
  if (batch === undefined) return undefined;
  const acceptance = await writeAcceptance(workplace, batch, report, reading);
  return { ...report, batchId: batch.id, answers: [...acceptance, ...rejection] };
}

async function rejectFile(workplace: Workplace, { path, report, reading }: ReadFile): Promise<SubmitReport> {
  const { store, context, config } = workplace;
  const { sha256, file: name, verdict } = report;
  const archivedAs = holdsSecret(report) ? path : await archive(config.folders.archive, path, sha256, name);
  const takenAt = context.clock.now();
  // Even if the bytes were taken in under another name before, this file must be reported.
  const taken = isNameWithheld(name)
    ? undefined
    : await store.write(() => recordUnlessTaken({ sha256, name, takenAt, verdict }));
  if (taken !== undefined) return alreadyKnown(workplace, taken, name);
  return { ...report, answers: await writeRejection(workplace, report, archivedAs, reading) };
}

/**
 * A file that contains a private key is never accepted: it must not be archived, and a batch needs its archived file.
 */
function withoutSecret(report: FileReport): FileReport {
  if (!holdsSecret(report)) return report;
  const { digest: _, ...others } = report;
  return { ...others, verdict: report.verdict === "refused" ? "refused" : "rejected" };
}

/**
 * Stores the file, unless another process has taken the same bytes in meanwhile: then its record is returned unchanged.
 */
function* recordUnlessTaken(file: TakenFile): Transaction<TakenFile | undefined> {
  const known = yield* findFile(file.sha256);
  if (known?.verdict === "accepted") return known;
  yield* recordFile(file);
  return undefined;
}

/**
 * Stores a batch with all its instructions, or nothing and returns undefined if one of its references has been used
 * since the check.
 */
function* storeBatch(
  { context }: Workplace,
  reading: ReadingId,
  content: Omit<Batch, "id">,
): Transaction<Batch | undefined> {
  if (yield* isReadingReferenceUsed(reading)) return undefined;
  const batch = { id: yield* nextBatchId(), ...content };
  const { id, fileSha256: sha256, fileName: name, submittedBy: person, submittedAt: at, digest } = batch;
  const freed = yield* freeReferences(reading);
  yield* recordFile({ sha256, name, takenAt: at, verdict: "accepted", batchId: id });
  yield* insertBatch(batch);
  let stored = 0;
  let drafts = yield* listReadingDrafts(reading, 0, DRAFTS_PER_LOOK);
  while (drafts.length > 0) {
    const withIds = drafts.map((draft) => ({ ...draft, id: instructionId(context.random.uuid()) }));
    yield* insertInstructions(id, withIds, at);
    stored += drafts.length;
    drafts = yield* listReadingDrafts(reading, drafts.at(-1)?.row ?? 0, DRAFTS_PER_LOOK);
  }
  yield* markPaidAgainDue(id);
  invariant(stored === batch.rowCount, `${stored} of ${batch.rowCount} rows of ${name} were kept`);
  const detail = { file: name, sha256, digest, ...(freed > 0 ? { withdrawnBefore: freed } : {}) };
  yield* appendAudit({ at, person, action: "submit", subject: id, detail });
  return batch;
}

/** Large enough to amortize a statement, small enough for memory. */
const DRAFTS_PER_LOOK = 500;

/** The report of a file that was taken in before. Writes its missing acceptance if a run was interrupted. */
async function alreadyKnown(workplace: Workplace, known: TakenFile, file: string): Promise<SubmitReport> {
  const { takenAt, batchId, name: earlier, sha256 } = known;
  const said = problem(
    "FILE_ALREADY_KNOWN",
    { earlier: `${earlier}, batch ${batchId ?? "none"},`, when: minuteText(takenAt) },
    { file },
  );
  return {
    ...unreadReport("rejected", sha256, file, said),
    ...present({ knownAs: batchId }),
    answers: batchId === undefined ? [] : await writeMissingAcceptance(workplace, batchId),
  };
}

/** Copies the original to the archive under a unique name, with its totals file beside it. */
async function archive(folder: string, path: string, sha256: string, name: string): Promise<string> {
  const archivedAs = join(folder, `${sha256.slice(0, 16)}-${basename(name)}`);
  // Its content alone: a file that anybody may write to, or run as its owner, must not become one of ours.
  const copy = (temporaryPath: string) => writeFile(temporaryPath, fileChunks(path));
  await writeOnce(archivedAs, copy);
  // The name contains only part of the hash, and an archived file may have been changed by hand.
  const isArchived = async () => (await sha256Of(archivedAs)) === sha256;
  if (!(await isArchived())) {
    await writeWhole(archivedAs, copy);
    if (!(await isArchived())) throw fault("FILE_CHANGED", {}, { file: name });
  }
  await copyTotalsFile(path, archivedAs);
  return archivedAs;
}
