/**
 * Accepts how a file is read: its columns, and each question about it, as "pay" or "do not pay". Paydrop remembers
 * this for the layout of a named sender, otherwise for this file alone.
 */
import { existsSync } from "node:fs";
import { Fault, fault } from "../faults/index.ts";
import { answersFor, type LayoutOwner, openQuestions, ownerName } from "../files/intake/accepted-layouts.ts";
import { archivedPath, findArchived } from "../files/intake/archive.ts";
import { type SubmitReport, takeIn } from "../files/submit-step.ts";
import { checkAndReport } from "../files/validate-step.ts";
import type { BatchReading } from "../model/batch-reading.ts";
import type { ColumnMeanings } from "../model/columns.ts";
import { type Batch, type BatchId, headerTexts } from "../model/index.ts";
import { present } from "../model/present.ts";
import { answeredIds, isAnsweredBy, type Question, type SheetReading } from "../model/sheet-reading.ts";
import { mayDecide } from "../people/decide.ts";
import { identityOf } from "../proof/identity.ts";
import { proveDecision } from "../proof/prove.ts";
import { introduce } from "../proof/trial.ts";
import { appendAudit } from "../store/audit.ts";
import { findBatchReading, findFile, getBatch } from "../store/batches.ts";
import { listByBatch } from "../store/instructions.ts";
import { type LayoutAnswers, recordLayout } from "../store/layouts.ts";
import type { Transaction } from "../store/sql.ts";
import { checkAgreement } from "../workplace/agreement.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { batchNamed, findBatch } from "./named/named.ts";
import { recallProven } from "./recall-step.ts";
import { decisionRefused } from "./sending/index.ts";

export interface LayoutDecision {
  readonly person: string;
  /** Meanings by heading as written; `ignore` for a column that is not asked about again. */
  readonly columns: ColumnMeanings;
  /** Values whose rows are not paid, as questions name them: `Status=on hold`. */
  readonly leaveOut: readonly string[];
}

export interface LayoutReport {
  /** The named sender; absent if the acceptance is for this file alone. */
  readonly sender?: string;
  readonly columns: ColumnMeanings;
  readonly pay: readonly Question[];
  readonly doNotPay: readonly Question[];
  /**
   * The batch that was withdrawn because its file is now read differently; `takenInAs` is the result of taking the
   * file in again.
   */
  readonly withdrawn?: BatchId;
  readonly takenInAs?: SubmitReport;
}

/**
 * `name`: the number or digest of a batch, the path of a file, or the SHA-256 of one that was not accepted. If a
 * batch is to be read differently, or without some rows, it is withdrawn and its file taken in again. Throws
 * BATCH_UNKNOWN, NAME_UNKNOWN, APPROVER_IS_SUBMITTER, APPROVER_NOT_LISTED, DECISION_REFUSED for a batch that no
 * longer awaits approval, and the fault of an unreadable file.
 */
export async function acceptLayoutStep(
  workplace: Workplace,
  name: string,
  { person, columns, leaveOut }: LayoutDecision,
): Promise<LayoutReport> {
  await checkAgreement(workplace);
  const { batch, reading, sha256, submittedBy: sentInBy } = await fileNamed(workplace, name);
  const { store, config } = workplace;
  const owner = { sha256, ...present({ sender: reading.sender, submittedBy: sentInBy }) };
  await introduce(workplace, person);
  const identity = await identityOf(workplace, "accept a layout");
  const approver = await store.read(() => identity.approver(person));
  const refusal = mayDecide(approver, sentInBy, config.approval.rules);
  if (refusal !== undefined) throw new Fault(refusal);
  checkNames(reading, columns, leaveOut);
  const isLeftOut = ({ value }: Question) => value !== undefined && leaveOut.includes(value);
  const doNotPay = reading.questions.filter(isLeftOut);
  const { answers } = await store.read(() => answersFor(owner, [reading.header]));
  const pay = reading.questions.filter(
    (each) => !isLeftOut(each) && !isAnsweredBy(each, (id) => answers[id] !== undefined),
  );
  const isReadOtherwise = doNotPay.length > 0 || Object.values(columns).some((column) => column !== "ignore");
  const isOpen = batch !== undefined && isReadOtherwise && (await awaitsApproval(workplace, batch));
  await proveDecision(workplace, {
    decision: "accept layout",
    person,
    subject: ownerName(owner),
    detail: {
      header: [...headerTexts(reading.header)],
      columns: { ...columns },
      pay: pay.map(({ text }) => text),
      doNotPay: doNotPay.map(({ text }) => text),
    },
  });
  await store.write(() =>
    acceptReading(workplace, owner, reading, person, columns, [
      ...pay.flatMap(answeredIds).map((id) => [id, "pay"] as const),
      ...doNotPay.map(({ id }) => [id, "do not pay"] as const),
    ]),
  );
  const report = { ...present({ sender: reading.sender }), columns, pay, doNotPay };
  if (batch === undefined || !isReadOtherwise) return report;
  const read = Object.entries(columns).map(([heading, column]) => `"${heading}" is ${column}`);
  const reason = [...read, ...doNotPay.map(({ text }) => `not to be paid: ${text}`)].join("; ");
  const { submittedBy, fileName, id } = batch;
  const path = await archivedPath(workplace, batch);
  if (isOpen) await recallProven(workplace, { reference: id, person, reason });
  return {
    ...report,
    withdrawn: id,
    takenInAs: await takeIn(workplace, path, fileName, { submittedBy, replaced: id }),
  };
}

interface NamedFile {
  readonly batch?: Batch;
  readonly reading: SheetReading & Pick<BatchReading, "sender">;
  readonly sha256: string;
  readonly submittedBy?: string;
}

async function fileNamed(workplace: Workplace, name: string): Promise<NamedFile> {
  const { store } = workplace;
  const named = await store.read(() => findBatch(name));
  const taken = named === undefined ? await store.read(() => findFile(name)) : undefined;
  const path = taken === undefined ? name : await findArchived(workplace, taken);
  if (named === undefined && path !== undefined && existsSync(path)) {
    const { report } = await checkAndReport(workplace, path, taken?.name);
    const { reading, sha256, sender, problems } = report;
    const known = taken ?? (await store.read(() => findFile(sha256)));
    if (known?.batchId !== undefined) return batchFile(workplace, known.batchId);
    const [why] = problems;
    if (reading === undefined) throw why === undefined ? fault("FILE_EMPTY", {}) : new Fault(why);
    const { submittedBy } = known ?? {};
    return { reading: { ...reading, ...present({ sender }) }, sha256, ...present({ submittedBy }) };
  }
  return batchFile(workplace, (named ?? (await store.read(() => batchNamed(name)))).id);
}

async function batchFile({ store }: Workplace, id: BatchId): Promise<NamedFile> {
  const batch = await store.read(() => getBatch(id));
  const reading = await store.read(() => findBatchReading(id));
  if (reading === undefined) throw fault("BATCH_UNKNOWN", { text: id });
  return { batch, reading, sha256: batch.fileSha256, submittedBy: batch.submittedBy };
}

function checkNames(
  { header, questions }: SheetReading,
  columns: ColumnMeanings,
  leaveOut: readonly string[],
): void {
  const values = questions.flatMap(({ value }) => value ?? []);
  const check = (what: string, name: string, known: readonly string[]) => {
    const how = `It has ${known.join(", ") || "none"}: name it as the file does.`;
    if (!known.includes(name)) throw fault("NAME_UNKNOWN", { what: `${what} "${name}" in the file`, how });
  };
  for (const heading of Object.keys(columns)) check("column", heading, header);
  for (const value of leaveOut) check("value to be asked about", value, values);
}

/**
 * False if an interrupted run has already withdrawn the batch. Throws DECISION_REFUSED once any payment was
 * approved.
 */
async function awaitsApproval({ store }: Workplace, { id }: Batch): Promise<boolean> {
  const payments = await store.read(() => listByBatch(id));
  if (payments.every(({ standing }) => standing === "received")) return true;
  if (payments.every(({ standing }) => standing === "withdrawn")) return false;
  throw decisionRefused(id, { reason: "not-awaiting" });
}

/** Stores what a person accepted about a file, and an entry in the audit record. */
export function* acceptReading(
  { context }: Workplace,
  owner: LayoutOwner,
  { header }: Pick<SheetReading, "header">,
  person: string,
  columns: ColumnMeanings,
  answers: readonly (readonly [id: string, answer: LayoutAnswers[string]])[],
): Transaction<void> {
  const [at, sender, texts] = [context.clock.now(), ownerName(owner), headerTexts(header)];
  const accepted = { columns, answers: Object.fromEntries(answers) };
  yield* recordLayout({ sender, header: texts, ...accepted, acceptedBy: person, acceptedAt: at });
  const detail = { header: JSON.stringify(texts), accepted: JSON.stringify(accepted) };
  yield* appendAudit({ at, person, action: "accept layout", subject: sender, detail });
}

/** How the batch's file was read, and the questions that are still open. */
export interface Asked {
  readonly owner: LayoutOwner;
  /** Absent for a payment that no file requested. */
  readonly reading?: BatchReading;
  readonly open: readonly Question[];
  readonly layout?: string;
}

export function* askedAbout({ id, fileSha256: sha256, submittedBy }: Batch): Transaction<Asked> {
  const reading = yield* findBatchReading(id);
  const owner = { sha256, submittedBy, ...present({ sender: reading?.sender }) };
  if (reading === undefined) return { owner, open: [] };
  return { owner, reading, ...(yield* openQuestions(owner, reading)) };
}

/** As `askedAbout`, for a batch by its number or digest. Any other name has no questions. */
export async function askedAboutNamed({ store }: Workplace, name: string): Promise<Omit<Asked, "owner">> {
  return store.read(function* (): Transaction<Omit<Asked, "owner">> {
    const batch = yield* findBatch(name);
    return batch === undefined ? { open: [] } : yield* askedAbout(batch);
  });
}
