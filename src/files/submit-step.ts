/**
 * Takes one file in: it becomes a batch that awaits approval, or is rejected with its reasons. The original is
 * archived unchanged before it is read. A file that only Paydrop has is archived once it is signed or can be
 * repaired.
 */
import { extname, join } from "node:path";
import { giveWay, unlessStopped } from "../context/context.ts";
import { Fault, invariant, problem } from "../faults/index.ts";
import type { BatchReading } from "../model/batch-reading.ts";
import { chunks } from "../model/chunks.ts";
import {
  type Batch,
  type BatchId,
  coursesInWords,
  type EarlierCourse,
  groupedCourses,
  instructionId,
  plainWords,
  type SentBefore,
} from "../model/index.ts";
import { present } from "../model/present.ts";
import type { PaymentLine } from "../model/sheet-reading.ts";
import { proveDecision } from "../proof/prove.ts";
import { requirePerson } from "../proof/required-person.ts";
import { appendAudit } from "../store/audit.ts";
import { insertTextsBeside } from "../store/batch-rows.ts";
import {
  countAsked,
  findFile,
  insertBatch,
  nextBatchId,
  recordFile,
  type TakenFile,
} from "../store/batches.ts";
import { insertInstructions } from "../store/instructions.ts";
import { freeReferences, isAnyReferenceUsed } from "../store/references.ts";
import { markPaidAgainDue } from "../store/results-due.ts";
import type { Transaction } from "../store/sql.ts";
import { batchWindows } from "../store/windows.ts";
import { checkAgreement } from "../workplace/agreement.ts";
import { openFolders } from "../workplace/folders.ts";
import type { Workplace } from "../workplace/workplace.ts";
import {
  answerStem,
  removeAnswer,
  writeAcceptance,
  writeKnown,
  writeMissingAcceptance,
  writeRejection,
} from "./intake/answer-files.ts";
import { copyToArchive, ownFile, type SentBytes } from "./intake/archive.ts";
import type { CheckedFile } from "./intake/check-file.ts";
import {
  type FileReport,
  holdsSecret,
  isAllKnown,
  type ReportedFile,
  unreadReport,
} from "./intake/file-report.ts";
import { keepAside } from "./intake/kept-aside.ts";
import { fileNameAt, isNameWithheld, unusableName } from "./intake/sent-file.ts";
import { rowsBeside } from "./intake/texts-beside.ts";
import { monthIn } from "./questions-asked.ts";
import { coursesOf } from "./screening/history.ts";
import { layoutKey } from "./screening/last-time.ts";
import { checkAndReport } from "./validate-step.ts";

export interface SubmitReport extends FileReport {
  readonly batchId?: BatchId;
  /** The batch of the same file, if it was submitted before. */
  readonly knownAs?: BatchId;
  /** Paths of the written answers. */
  readonly answers: readonly string[];
}

/**
 * Takes a file in; `name` is the sender's name for it. The same bytes are never stored twice, only reported. Throws
 * USAGE without a submitter, because then no rule could keep people from approving their own file. Also throws
 * FILE_TOO_LARGE, FILE_CHANGED, INTERRUPTED before the batch is stored, and CONFIGURATION_DIFFERS, because the
 * configuration resolves names in rows.
 */
export async function submitFile(
  workplace: Workplace,
  path: string,
  submittedBy: string,
  name = fileNameAt(workplace.config, path),
  { isSingle = false }: Pick<Submission, "isSingle"> = {},
): Promise<SubmitReport> {
  await checkAgreement(workplace);
  return takeIn(workplace, path, name, { submittedBy, signs: true, isSingle });
}

/** The submitter of a file, and what is already known about it. */
interface Submission {
  readonly submittedBy: string;
  /** Whether the submitter is there to sign it. */
  readonly signs?: boolean;
  /** Whether the file is one of Paydrop's own, to which nobody else writes and which is removed afterwards. */
  readonly isOurs?: boolean;
  /** Whether it is a single payment that does not come from a file: it is not compared with the last file. */
  readonly isSingle?: boolean;
  /** A withdrawn batch of the same file, which is read differently now. */
  readonly replaced?: BatchId;
  /** Runs in the transaction that stores the file, unless the file holds a private key. */
  readonly record?: (sha256: string) => Transaction<void>;
}

/** As `submitFile`, also for a submitter who cannot sign. */
export async function takeIn(
  workplace: Workplace,
  path: string,
  name: string,
  submission: Submission,
): Promise<SubmitReport> {
  const { store } = workplace;
  const { submittedBy, replaced, isOurs = false, isSingle = false } = submission;
  requirePerson(submittedBy);
  const unusable = unusableName(name);
  if (unusable !== undefined) throw new Fault(unusable);
  await openFolders(workplace, "archive", "outbox");
  const copy = await (isOurs ? ownFile : copyToArchive)(workplace, path, name);
  for (;;) {
    const before = await store.read(() => findFile(copy.sha256));
    const isKnown = before?.verdict === "accepted" && (replaced === undefined || before.batchId !== replaced);
    if (isKnown && !isNameWithheld(name)) return alreadyKnown(workplace, before, name);
    const known = { sha256: copy.sha256, submittedBy, isSingle };
    const checked = await checkAndReport(workplace, copy.path, name, known);
    const { found } = checked;
    // Comes before the answer is written, because the answer must not quote the key.
    const keptAside = holdsSecret(checked.report)
      ? await keepAside(workplace, copy, name, submittedBy)
      : undefined;
    const report = { ...checked.report, ...present({ keptAside }) };
    const taken =
      found !== undefined && report.verdict === "accepted"
        ? await acceptFile(workplace, { copy, found, report }, submission)
        : await rejectFile(workplace, { copy, found, report }, submission);
    // Undefined: another process stored one of the references while this one was reading, so the file is checked
    // again.
    if (taken !== undefined) return taken;
  }
}

interface SubmittedFile extends ReportedFile {
  readonly copy: SentBytes;
}

/** Stores an accepted file; undefined if one of its references has been used since the check. */
async function acceptFile(
  workplace: Workplace,
  { copy, found, report }: SubmittedFile & { readonly found: CheckedFile },
  { submittedBy, signs = false, isSingle = false, record }: Submission,
): Promise<SubmitReport | undefined> {
  const { sha256, file: fileName, digest, rowsAccepted: rowCount, controlTotals } = report;
  const { reading } = found;
  invariant(digest !== undefined && reading !== undefined, `the accepted file ${fileName} has no digest`);
  await giveWay(workplace.context);
  if (signs) {
    const detail = { file: fileName, digest };
    await proveDecision(workplace, { decision: "submit", person: submittedBy, subject: sha256, detail });
  }
  // Written before the batch is stored, because only the answer has the reasons: a run that dies in between takes
  // the file in again.
  const archivedAs = await copy.keep();
  const rejection = report.rowsRejected > 0 ? await writeRejection(workplace, report, found, archivedAs) : [];
  const submittedAt = workplace.context.clock.now();
  const content = {
    fileSha256: sha256,
    fileName,
    archivedAs,
    submittedBy,
    submittedAt,
    digest,
    rowCount,
    controlTotals,
  };
  const kept = { ...batchReading(found, report), ...(isSingle && { isSingle }) };
  const asked = {
    sender: kept.sender ?? submittedBy,
    month: monthIn(workplace.config.ledger.timeZone, submittedAt),
    questions: questionsIn(report),
  };
  const batch = await workplace.store.write(function* (): Transaction<Batch | undefined> {
    const stored = yield* storeBatch(workplace, content, kept, found, report);
    if (stored !== undefined && !isSingle) yield* countAsked(asked);
    if (stored !== undefined && record !== undefined) yield* record(sha256);
    return stored;
  });
  if (batch === undefined) return undefined;
  const acceptance = await writeAcceptance(workplace, batch, found.grid, kept, report);
  await removeRejectionOfCorrected(workplace, report, rejection);
  return { ...report, batchId: batch.id, answers: [...acceptance, ...rejection] };
}

/** The number of questions for an approver: about how the file was read, and about payments that are compared. */
function questionsIn({ reading, repeatedRows = [], lookAlikeRows = [] }: FileReport): number {
  return (reading?.questions.length ?? 0) + repeatedRows.length + lookAlikeRows.length;
}

/** The facts about reading the file that later answers and approvers need. */
function batchReading({ grid, reading, rows }: CheckedFile, { warnings, sender }: FileReport): BatchReading {
  invariant(reading !== undefined, "an accepted file was read");
  const otherLines = rows
    .filter(({ draft }) => draft === undefined)
    .map(({ line, before, leftOut }) => [line, before?.message ?? leftOut ?? "rejected"] as const);
  return { ...reading, ...present({ csv: grid.csv, sender }), warnings, otherLines };
}

/** An accepted correction removes the rejection that it answers. */
async function removeRejectionOfCorrected(
  { config }: Workplace,
  { corrects }: FileReport,
  written: readonly string[],
): Promise<void> {
  if (corrects?.answerStem === undefined) return;
  const name = `${corrects.answerStem}.rejected${extname(corrects.file)}`;
  const path = join(config.folders.outbox, name);
  if (!written.includes(path)) await removeAnswer(path);
}

async function rejectFile(
  workplace: Workplace,
  { copy, found, report }: SubmittedFile,
  { submittedBy, record }: Submission,
): Promise<SubmitReport> {
  if (canBeRepaired(report)) await copy.keep();
  const { sha256, file: name, verdict } = report;
  const file = { sha256, name, takenAt: workplace.context.clock.now(), verdict, submittedBy };
  // If the same bytes were sent under another name before, this file must still be reported.
  const taken = isNameWithheld(name)
    ? undefined
    : await workplace.store.write(function* (): Transaction<TakenFile | undefined> {
        const known = yield* recordUnlessTaken(file, report);
        if (known === undefined && record !== undefined && !holdsSecret(report)) yield* record(sha256);
        return known;
      });
  if (taken !== undefined) return alreadyKnown(workplace, taken, name);
  return { ...report, answers: await writeRejection(workplace, report, found, copy.path) };
}

/** Whether a file that was not accepted can be repaired. */
export function canBeRepaired(report: FileReport): boolean {
  return report.reading !== undefined && !holdsSecret(report);
}

/**
 * Stores the file. If another process has taken in the same bytes meanwhile, returns its record unchanged instead.
 */
function* recordUnlessTaken(file: TakenFile, report: FileReport): Transaction<TakenFile | undefined> {
  const { corrects, sentBefore } = report;
  const known = yield* findFile(file.sha256);
  if (known?.verdict === "accepted") return known;
  yield* recordFile({
    ...file,
    ...present({ sentBefore: isAllKnown(report) ? sentBefore[0]?.batchId : undefined }),
    answerStem: yield* answerStem({ fileName: file.name, fileSha256: file.sha256, corrects }),
  });
  return undefined;
}

/**
 * Stores a batch with all its instructions. Returns undefined and stores nothing if one of its references has been
 * used since the check.
 */
function* storeBatch(
  { context }: Workplace,
  content: Omit<Batch, "id">,
  reading: BatchReading,
  { rows, grid }: Pick<CheckedFile, "rows" | "grid">,
  { corrects }: FileReport,
): Transaction<Batch | undefined> {
  const references = rows.flatMap(({ draft }) => draft?.fields.reference ?? []);
  if (yield* isAnyReferenceUsed(references)) return undefined;
  const batch = { id: yield* nextBatchId(), ...content };
  const { id, fileSha256: sha256, fileName: name, submittedBy: person, submittedAt: at, digest } = batch;
  const freed = yield* freeReferences(references);
  const stem = yield* answerStem({ ...batch, corrects });
  const file = { sha256, name, takenAt: at, batchId: id, answerStem: stem, submittedBy: person };
  yield* recordFile({ ...file, verdict: "accepted" });
  yield* insertBatch(batch, reading, reading.isSingle === true ? undefined : layoutKey(reading));
  for (const some of chunks(draftsOf(rows), DRAFTS_TOGETHER)) {
    // On SQLite a signal takes effect only after the batch is stored; its answers are then still written.
    unlessStopped(context);
    const withIds = some.map((draft) => ({ ...draft, id: instructionId(context.random.uuid()) }));
    yield* insertInstructions(id, withIds, at);
  }
  for (const some of chunks(rowsBeside(reading, grid, draftsOf(rows)), DRAFTS_TOGETHER))
    yield* insertTextsBeside(id, some);
  yield* markPaidAgainDue(id);
  invariant(
    references.length === batch.rowCount,
    `${references.length} of ${batch.rowCount} rows of ${name} were kept`,
  );
  const detail = { file: name, sha256, digest, ...(freed > 0 ? { withdrawnBefore: freed } : {}) };
  yield* appendAudit({ at, person, action: "submit", subject: id, detail });
  return batch;
}

function* draftsOf(rows: readonly PaymentLine[]) {
  for (const { draft, line } of rows) if (draft !== undefined) yield { ...draft, line };
}

/** Large enough to amortize a statement, small enough for memory. */
const DRAFTS_TOGETHER = 500;

/** The report of a file that was taken in before. Writes its acceptance if an interrupted run did not. */
async function alreadyKnown(workplace: Workplace, known: TakenFile, file: string): Promise<SubmitReport> {
  const { batchId, sha256 } = known;
  const sentBefore = batchId === undefined ? [] : await coursesOfBatch(workplace, batchId);
  const earlier = plainWords(coursesInWords(sentBefore));
  const said = problem("FILE_ALREADY_KNOWN", { earlier }, { file });
  const report = { ...unreadReport("rejected", sha256, file, said), sentBefore };
  const acceptance = batchId === undefined ? [] : await writeMissingAcceptance(workplace, batchId);
  return {
    ...report,
    ...present({ knownAs: batchId }),
    answers: [...acceptance, await writeKnown(workplace, report)],
  };
}

/** The outcomes of the payments of a batch. */
async function coursesOfBatch({ store, config }: Workplace, id: BatchId): Promise<readonly SentBefore[]> {
  const courses: EarlierCourse[] = [];
  for await (const window of batchWindows(store, id)) {
    const some = await coursesOf(store, window, config.ledger.timeZone);
    courses.push(...some.map((course) => ({ batchId: id, ...course })));
  }
  return groupedCourses(courses);
}
