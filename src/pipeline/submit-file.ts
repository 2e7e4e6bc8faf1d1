/** One file becomes a batch that awaits approval, or is rejected with its reasons. The original is kept unchanged. */
import { copyFile, mkdir } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { writeWhole } from "../context/files.ts";
import { writeAcceptedAnswer, writeRejectedAnswer } from "../exports/answers/index.ts";
import { problem } from "../faults/index.ts";
import { type BatchId, type Instant, instructionId } from "../model/index.ts";
import { appendAudit } from "../store/audit.ts";
import {
  findFile,
  insertBatch,
  listBatches,
  nextBatchId,
  rememberFile,
  type TakenFile,
} from "../store/batches.ts";
import { insertInstruction } from "../store/instructions.ts";
import type { Transaction } from "../store/sql.ts";
import { type FileReport, reopenTable, sha256Of, validateFile } from "./validate-file.ts";
import type { Workplace } from "./workplace.ts";

export interface SubmitReport extends FileReport {
  readonly batchId?: BatchId;
  /** Paths of the answers that were written. */
  readonly answers: readonly string[];
}

/** Takes a file in. `name` is the sender's own name for it. The same bytes again are said and never stored twice. */
export async function submitFile(
  workplace: Workplace,
  path: string,
  submittedBy: string,
  name = basename(path),
): Promise<SubmitReport> {
  const { store, context, config } = workplace;
  const sha256 = await sha256Of(path);
  const known = await store.read(() => findFile(sha256));
  if (known?.verdict === "accepted") return alreadyKnown(known, name);

  const report = await validateFile(workplace, path, name);
  const archivedAs = await archive(config.folders.archive, path, sha256, name);
  const at = context.clock.now();
  if (report.verdict !== "accepted" || report.digest === undefined) {
    await store.write(() => rememberFile({ sha256, name, takenAt: at, verdict: report.verdict }));
    return { ...report, answers: await writeRejection(workplace, report, archivedAs) };
  }
  const { digest } = report;
  const batchId = await store.write(() =>
    storeBatch(workplace, { ...report, digest }, archivedAs, submittedBy, at),
  );
  return {
    ...report,
    batchId,
    answers: await writeAcceptance(workplace, { ...report, digest }, batchId, archivedAs),
  };
}

type AcceptedReport = FileReport & { readonly digest: string };

function* storeBatch(
  { context }: Workplace,
  report: AcceptedReport,
  archivedAs: string,
  submittedBy: string,
  at: Instant,
): Transaction<BatchId> {
  const id = yield* nextBatchId();
  const { file, sha256, digest, controlTotals, drafts } = report;
  yield* rememberFile({ sha256, name: file, takenAt: at, verdict: "accepted", batchId: id });
  yield* insertBatch({
    id,
    fileSha256: sha256,
    fileName: file,
    archivedAs,
    submittedBy,
    submittedAt: at,
    digest,
    rowCount: drafts.length,
    controlTotals,
  });
  for (const draft of drafts) yield* insertInstruction(id, instructionId(context.random.uuid()), draft, at);
  yield* appendAudit({
    at,
    person: submittedBy,
    action: "submit",
    subject: id,
    detail: { file, sha256, digest },
  });
  return id;
}

function alreadyKnown({ takenAt, batchId, name: earlier, sha256 }: TakenFile, file: string): SubmitReport {
  const known = problem(
    "FILE_ALREADY_KNOWN",
    { earlier: `${earlier}, batch ${batchId ?? "none"},`, when: takenAt },
    { file },
  );
  return {
    file,
    sha256,
    verdict: "rejected",
    rowsRead: 0,
    rowsAccepted: 0,
    rowsRejected: 0,
    controlTotals: [],
    problems: [known],
    warnings: [],
    unknownColumns: [],
    drafts: [],
    answers: [],
  };
}

/** The original's bytes under a name that cannot collide. */
async function archive(folder: string, path: string, sha256: string, name: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const archivedAs = join(folder, `${sha256.slice(0, 16)}-${name}`);
  await writeWhole(archivedAs, (temporaryPath) => copyFile(path, temporaryPath));
  return archivedAs;
}

async function writeAcceptance(
  workplace: Workplace,
  report: AcceptedReport,
  batchId: BatchId,
  archivedAs: string,
): Promise<string[]> {
  const path = await answerPath(workplace, report.file, "accepted", batchId);
  const { file, sha256, digest, controlTotals } = report;
  const acceptedRows = new Set(report.drafts.map(({ row }) => row));
  await writeAcceptedAnswer({
    table: await reopenTable(workplace, archivedAs),
    path,
    file,
    sha256,
    batchId,
    digest,
    controlTotals,
    standingOf: ({ row }) => (acceptedRows.has(row) ? "received, awaits approval" : "rejected"),
  });
  const rejections = report.rowsRejected > 0 ? await writeRejection(workplace, report, archivedAs) : [];
  return [path, ...rejections];
}

/** A file that cannot be read comes back only as words: there are no rows to write the reasons beside. */
async function writeRejection(
  workplace: Workplace,
  report: FileReport,
  archivedAs: string,
): Promise<string[]> {
  if (report.verdict === "refused") return [];
  const path = await answerPath(workplace, report.file, "rejected");
  const byRow = Map.groupBy(report.problems, ({ row }) => row);
  await writeRejectedAnswer({
    table: await reopenTable(workplace, archivedAs),
    path,
    problemsOf: ({ row, problems }) => (byRow.get(row) ?? []).filter((found) => !problems.includes(found)),
    fileProblems: byRow.get(undefined) ?? [],
  });
  return [path];
}

/** `outbox/NAME.accepted.xlsx`; where an earlier batch came under the same name, the batch's number tells them apart. */
export async function answerPath(
  { config, store }: Workplace,
  file: string,
  kind: "accepted" | "rejected" | "results",
  batchId?: BatchId,
): Promise<string> {
  const { outbox } = config.folders;
  await mkdir(outbox, { recursive: true });
  const batches = await store.read(() => listBatches());
  const isOlderName = batches.some(
    (batch) => batch.fileName === file && batchId !== undefined && batch.id < batchId,
  );
  const extension = extname(file);
  const stem = basename(file, extension);
  return join(outbox, `${stem}${isOlderName ? `.${batchId}` : ""}.${kind}${extension}`);
}
