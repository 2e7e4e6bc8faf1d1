/** One file becomes a batch that awaits approval, or is rejected with its reasons. The original is kept unchanged. */
import { copyFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { writeOnce, writeWhole } from "../context/files.ts";
import { problem } from "../faults/index.ts";
import { type Batch, type BatchId, type DraftInstruction, instructionId } from "../model/index.ts";
import { appendAudit } from "../store/audit.ts";
import { findFile, insertBatch, nextBatchId, rememberFile, type TakenFile } from "../store/batches.ts";
import { findByReferences, insertInstruction } from "../store/instructions.ts";
import type { Transaction } from "../store/sql.ts";
import { writeAcceptance, writeMissingAcceptance, writeRejection } from "./answer-files.ts";
import { openFolders } from "./folders.ts";
import { fileNameAt } from "./sender-layout.ts";
import { copyTotalsFile } from "./totals-file.ts";
import { type FileReport, holdsSecret, sha256Of, validateFile } from "./validate-file.ts";
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
  name = fileNameAt(workplace.config, path),
): Promise<SubmitReport> {
  const { store, context, config } = workplace;
  const sha256 = await sha256Of(path);
  await openFolders(workplace, "archive", "outbox");
  const known = await store.read(() => findFile(sha256));
  if (known?.verdict === "accepted") return alreadyKnown(workplace, known, name);

  const report = withoutSecret(await validateFile(workplace, path, name));
  const archivedAs = holdsSecret(report) ? path : await archive(config.folders.archive, path, sha256, name);
  const submittedAt = context.clock.now();
  const { verdict, digest } = report;
  if (verdict !== "accepted" || digest === undefined) {
    const taken = await store.write(() =>
      rememberUnlessTaken({ sha256, name, takenAt: submittedAt, verdict }),
    );
    if (taken !== undefined) return alreadyKnown(workplace, taken, name);
    return { ...report, answers: await writeRejection(workplace, report, archivedAs) };
  }
  const batch = await store.write(() =>
    storeBatch(workplace, report.drafts, {
      fileSha256: sha256,
      fileName: name,
      archivedAs,
      submittedBy,
      submittedAt,
      digest,
      rowCount: report.drafts.length,
      controlTotals: report.controlTotals,
    }),
  );
  // Another process took the same payments in while this one was reading: the file is judged again, against them.
  if (batch === undefined) return submitFile(workplace, path, submittedBy, name);
  return { ...report, batchId: batch.id, answers: await writeAcceptance(workplace, report, batch) };
}

/** A file with a private key in it is not kept, so nothing of it can be taken: whatever is kept must be readable again. */
function withoutSecret(report: FileReport): FileReport {
  if (!holdsSecret(report)) return report;
  const { digest: _, ...others } = report;
  return { ...others, verdict: "rejected", drafts: [] };
}

/** Another process may have taken these bytes in while this one was reading them; its batch is returned, and stays theirs. */
function* rememberUnlessTaken(file: TakenFile): Transaction<TakenFile | undefined> {
  const known = yield* findFile(file.sha256);
  if (known?.verdict === "accepted") return known;
  yield* rememberFile(file);
  return undefined;
}

/** Everything of a batch, or nothing; undefined when one of its references has been used since it was checked. */
function* storeBatch(
  { context }: Workplace,
  drafts: readonly DraftInstruction[],
  content: Omit<Batch, "id">,
): Transaction<Batch | undefined> {
  const used = yield* findByReferences(drafts.map(({ fields }) => fields.reference));
  if (used.length > 0) return undefined;
  const batch = { id: yield* nextBatchId(), ...content };
  const { id, fileSha256: sha256, fileName: name, submittedBy: person, submittedAt: at, digest } = batch;
  yield* rememberFile({ sha256, name, takenAt: at, verdict: "accepted", batchId: id });
  yield* insertBatch(batch);
  for (const draft of drafts) yield* insertInstruction(id, instructionId(context.random.uuid()), draft, at);
  yield* appendAudit({ at, person, action: "submit", subject: id, detail: { file: name, sha256, digest } });
  return batch;
}

/** Says so, and writes the answer that an interrupted run may have owed. */
async function alreadyKnown(workplace: Workplace, known: TakenFile, file: string): Promise<SubmitReport> {
  const { takenAt, batchId, name: earlier, sha256 } = known;
  const said = problem(
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
    totalsConfirmedBy: [],
    problems: [said],
    warnings: [],
    unknownColumns: [],
    drafts: [],
    answers: batchId === undefined ? [] : await writeMissingAcceptance(workplace, batchId),
  };
}

/** The original's bytes under a name that cannot collide, and its totals file beside it. */
async function archive(folder: string, path: string, sha256: string, name: string): Promise<string> {
  const archivedAs = join(folder, `${sha256.slice(0, 16)}-${basename(name)}`);
  const copy = (temporaryPath: string) => copyFile(path, temporaryPath);
  await writeOnce(archivedAs, copy);
  // The name holds only a part of the hash, and a file may have been changed by hand.
  if ((await sha256Of(archivedAs)) !== sha256) await writeWhole(archivedAs, copy);
  await copyTotalsFile(path, archivedAs);
  return archivedAs;
}
