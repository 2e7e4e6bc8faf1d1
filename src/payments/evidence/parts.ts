/**
 * The files of a batch's evidence, except those of the audit record. Each is read from the database while it is
 * packed.
 */
import { createReadStream, existsSync } from "node:fs";
import { basename, extname, join } from "node:path";
import { isProblem, orProblem, type Problem } from "../../faults/index.ts";
import { repairsOf } from "../../files/repair/lineage.ts";
import type { Batch, Change, Instruction } from "../../model/index.ts";
import { destinationOf } from "../../model/index.ts";
import { present } from "../../model/present.ts";
import { Decimal } from "../../money/index.ts";
import { packedName } from "../../proof/rules/evidence.ts";
import { listPlacedRows } from "../../store/batch-rows.ts";
import { findBatchReading, findFile, listApprovals, listShown, type TakenFile } from "../../store/batches.ts";
import { listChangesOf } from "../../store/changes.ts";
import { listAnswersOf } from "../../store/erp-answers.ts";
import { findBatches, listHandedOut, listIssuedFiles } from "../../store/export-batches.ts";
import { listPostedAbout } from "../../store/ledger-entries.ts";
import { type Look, listLooksOf } from "../../store/looks.ts";
import { listHistories } from "../../store/observed.ts";
import { refuseRemoved } from "../../store/retention.ts";
import type { StoredStatement } from "../../store/statements.ts";
import type { Store } from "../../store/store.ts";
import { type AnsweredSubmission, listAnswered } from "../../store/submissions.ts";
import { inWindows } from "../../store/windows.ts";
import type { Workplace } from "../../workplace/workplace.ts";
import { csvOf, textCell } from "../../writing/cell-text.ts";
import type { PackedFile } from "../../writing/zip.ts";
import { sentFields } from "../sending/index.ts";
import { CHANGE_DIGITS, signedFiles } from "./signed.ts";

/** The signed statements about a batch that follow from one root. */
export interface SignedUnderRoot {
  readonly root: string;
  readonly changes: readonly StoredStatement[];
  readonly submissions: readonly StoredStatement[];
  readonly approvals: readonly StoredStatement[];
  readonly decisions: readonly StoredStatement[];
}

interface Packing {
  readonly workplace: Workplace;
  readonly batch: Batch;
  readonly signed: readonly SignedUnderRoot[];
  readonly removed: Problem | undefined;
}

const ROWS_TOGETHER = 500;

/** The files in the order of the archive. */
export async function evidenceParts(packing: Packing): Promise<PackedFile[]> {
  const { workplace, batch, signed } = packing;
  const { store } = workplace;
  const file = await store.read(() => findFile(batch.fileSha256));
  const exports = new Set<string>();
  const parts = [
    textFile("batch.json", async () => jsonOf(batchFacts(packing))),
    sentFile(batch),
    file && textFile("file/verdict.json", async () => jsonOf(file)),
    { name: "file/reading.json", content: () => readingPieces(store, batch) },
    { name: "file/rows.jsonl", content: () => rowLines(store, batch) },
    { name: "file/rows.csv", content: () => rowTable(store, batch) },
    { name: "file/shown.jsonl", content: () => shownLines(store, batch) },
    ...answerFiles(workplace, file),
    ...signed.flatMap(signedParts),
    { name: "service/submissions.jsonl", content: () => submissionLines(store, batch) },
    { name: "service/changes.jsonl", content: () => changeLines(store, batch) },
    { name: "service/states.jsonl", content: () => stateLines(store, batch) },
    { name: "books/entries.jsonl", content: () => entryLines(store, batch, exports) },
    { name: "books/exports.json", content: () => exportsText(store, exports) },
  ];
  return parts.filter((part) => part !== undefined);
}

/** A file whose text is made only when it is packed. */
export function textFile(name: string, text: () => Promise<string>): PackedFile {
  return {
    name,
    async *content() {
      yield await text();
    },
  };
}

function jsonOf(value: unknown): string {
  return `${JSON.stringify(value, textOfNumbers, 2)}\n`;
}

/**
 * The text of `jsonOf` without its last line break, in pieces: a warning for each row makes a reading long. `value`:
 * of JSON, bigints and decimals.
 */
function* jsonPieces(value: unknown, indent = ""): Generator<string> {
  if (typeof value !== "object" || value === null || value instanceof Decimal) {
    yield JSON.stringify(value ?? null, textOfNumbers);
    return;
  }
  const [opening, closing] = Array.isArray(value) ? "[]" : "{}";
  const members = Object.entries(value).filter(([, member]) => Array.isArray(value) || member !== undefined);
  const inner = `${indent}  `;
  let before = `${opening}\n`;
  for (const [name, member] of members) {
    yield `${before}${inner}${Array.isArray(value) ? "" : `${JSON.stringify(name)}: `}`;
    yield* jsonPieces(member, inner);
    before = ",\n";
  }
  yield members.length === 0 ? `${opening}${closing}` : `\n${indent}${closing}`;
}

function lineOf(value: unknown): string {
  return `${JSON.stringify(value, textOfNumbers)}\n`;
}

/** Writes nonces and amounts as texts, because many programs round long JSON numbers. */
function textOfNumbers(_: string, value: unknown): unknown {
  return typeof value === "bigint" || value instanceof Decimal ? value.toString() : value;
}

/**
 * The problem that retention removed the sent file, with the day; undefined if the file is there or is missing for
 * another reason.
 */
export async function removedSentFile(
  { store, config }: Workplace,
  batch: Batch,
): Promise<Problem | undefined> {
  if (isKept(batch)) return undefined;
  const { timeZone } = config.ledger;
  const { id, fileSha256: about, fileName: file } = batch;
  const wanted = {
    kind: "archive",
    about,
    what: `the file of batch ${id}`,
    timeZone,
    where: { file },
  } as const;
  const refused = await orProblem(() => store.read(() => refuseRemoved(wanted)));
  return isProblem(refused) ? refused : undefined;
}

function batchFacts({ workplace, batch, signed, removed }: Packing) {
  const { archivedAs: _, ...facts } = batch;
  return {
    evidence: "paydrop evidence v1",
    ...facts,
    ...present({ installation: workplace.config.people.installation }),
    roots: signed.map(({ root }) => root),
    sentFile: isKept(batch) ? sentName(batch) : "not kept",
    ...present({ sentFileRemoved: removed?.message }),
  };
}

function sentName({ fileName }: Batch): string {
  return `file/sent/${packedName(fileName)}`;
}

function isKept({ archivedAs }: Batch): boolean {
  return archivedAs !== "" && existsSync(archivedAs);
}

/** Absent for a payment that does not come from a file, and for a file that is no longer kept. */
function sentFile(batch: Batch): PackedFile | undefined {
  if (!isKept(batch)) return undefined;
  return { name: sentName(batch), content: () => createReadStream(batch.archivedAs) };
}

async function* readingPieces(store: Store, batch: Batch): AsyncGenerator<string> {
  const { id, fileName: name, fileSha256: sha256 } = batch;
  const reading = await store.read(() => findBatchReading(id));
  const repairs = await store.read(() => repairsOf({ name, sha256 }));
  yield* jsonPieces({ reading, repairs });
  yield "\n";
}

/** The answer files that are in the outbox now. */
function answerFiles({ config }: Workplace, file: TakenFile | undefined): PackedFile[] {
  const { answerStem, name = "" } = file ?? {};
  if (answerStem === undefined) return [];
  const paths = ["accepted", "rejected", "results"].map((kind) =>
    join(config.folders.outbox, `${answerStem}.${kind}${extname(name)}`),
  );
  return paths
    .filter((path) => existsSync(path))
    .map((path) => ({
      name: `answers/${packedName(basename(path))}`,
      content: () => createReadStream(path),
    }));
}

function signedParts(
  { changes, submissions, approvals, decisions }: SignedUnderRoot,
  index: number,
): PackedFile[] {
  const folders = { submissions, approvals, decisions };
  const named = Object.entries(folders).flatMap(([folder, all]) =>
    signedFiles(all).map((file) => ({ ...file, name: `${folder}/${file.name}` })),
  );
  const roster = signedFiles(changes, CHANGE_DIGITS).map((file) => ({
    ...file,
    name: `statements/${file.name}`,
  }));
  return [...roster, ...named].map(({ name, text }) =>
    textFile(`signed/${index + 1}/${name}`, async () => text),
  );
}

type PlacedRow = Instruction & { readonly line: number; readonly fieldsText: string };

function rowWindows(store: Store, { id }: Batch): AsyncGenerator<readonly PlacedRow[]> {
  return inWindows<PlacedRow>(store, (last) => listPlacedRows(id, last?.row ?? 0, ROWS_TOGETHER));
}

/** One line per payment. `fields` is the text from which the digest is computed. */
async function* rowLines(store: Store, batch: Batch): AsyncGenerator<string> {
  for await (const window of rowWindows(store, batch))
    for (const { row, line, id, standing, reason, payoutId, fieldsText: fields } of window)
      yield lineOf({ row, line, id, standing, reason, payoutId, fields });
}

const TITLES = [
  ...["row", "line", "reference", "payee", "amount", "currency", "destination", "custody account", "pay on"],
  ...["stands at", "why", "payout"],
];

async function* rowTable(store: Store, batch: Batch): AsyncGenerator<string> {
  yield csvOf([TITLES]);
  for await (const window of rowWindows(store, batch))
    yield csvOf(
      window.map(({ row, line, standing, reason, payoutId, fields }) => [
        ...[String(row), String(line), textCell(fields.reference), textCell(fields.customerId)],
        ...[fields.amount.value.toString(), fields.amount.currency, textCell(destinationOf(fields))],
        ...[fields.custodyAccountId, fields.payOn ?? "", standing, textCell(reason), payoutId ?? ""],
      ]),
    );
}

/** One line per approval, with what its person was shown. */
async function* shownLines(store: Store, { id }: Batch): AsyncGenerator<string> {
  for (const { approved: _, ...approval } of await store.read(() => listApprovals(id)))
    yield lineOf({ approval });
  for (const shown of await store.read(() => listShown(id))) yield lineOf({ shown: JSON.parse(shown) });
}

async function* submissionLines(store: Store, batch: Batch): AsyncGenerator<string> {
  for await (const window of rowWindows(store, batch)) {
    const rows = new Map(window.map((row) => [row.id, row]));
    const submissions = await store.read(() => listAnswered([...rows.keys()]));
    const looks = await store.read(() => listLooksOf(submissions.map(({ id }) => id)));
    const looksOf = Map.groupBy(looks, ({ submissionId }) => submissionId);
    for (const submission of submissions) {
      const row = rows.get(submission.instructionId);
      if (row !== undefined) yield lineOf(submissionFacts(row, submission, looksOf.get(submission.id) ?? []));
    }
  }
}

/** `body`: without nonce and one-time code, as it was hashed for the intent. */
function submissionFacts(row: Instruction, submission: AnsweredSubmission, looks: readonly Look[]) {
  const { id: _, instructionId, attempt, ...facts } = submission;
  return {
    row: row.row,
    reference: row.fields.reference,
    instructionId,
    attempt,
    body: sentFields(row, submission),
    ...{ otpCode: "never kept", signature: "never kept" },
    ...facts,
    looks,
  };
}

function payoutIdsOf(window: readonly Instruction[]): string[] {
  return window.flatMap(({ payoutId }) => payoutId ?? []);
}

async function* changeLines(store: Store, batch: Batch): AsyncGenerator<string> {
  for await (const window of rowWindows(store, batch)) {
    const changes: Change[] = await store.read(() => listChangesOf(payoutIdsOf(window)));
    for (const { requested: _, ...change } of changes) yield lineOf(change);
  }
}

/** One line per state of a payout. `raw`: the service's answer, as text. */
async function* stateLines(store: Store, batch: Batch): AsyncGenerator<string> {
  for await (const window of rowWindows(store, batch))
    for (const { id: payoutId, seenAt, raw } of await store.read(() =>
      listHistories("payout", payoutIdsOf(window)),
    ))
      yield lineOf({ payoutId, seenAt, raw });
}

/** One line per entry. Adds to `exports` the export batches that have any of the entries. */
async function* entryLines(store: Store, batch: Batch, exports: Set<string>): AsyncGenerator<string> {
  for await (const window of rowWindows(store, batch)) {
    const payoutIds = payoutIdsOf(window);
    const handed = Map.groupBy(await store.read(() => listHandedOut(payoutIds)), ({ entryId }) => entryId);
    const answers = Map.groupBy(await store.read(() => listAnswersOf(payoutIds)), ({ entryId }) => entryId);
    for (const { id, body, postedAt } of await store.read(() => listPostedAbout(payoutIds))) {
      const handedOut = (handed.get(id) ?? []).map(({ entryId: _, ...batchName }) => batchName);
      for (const { target, number } of handedOut) exports.add(JSON.stringify([target, number]));
      const said = (answers.get(id) ?? []).map(({ entryId: _, ...answer }) => answer);
      yield lineOf({ id, postedAt, body, handedOut, answers: said });
    }
  }
}

async function* exportsText(store: Store, exports: ReadonlySet<string>): AsyncGenerator<string> {
  const all = [];
  for (const name of [...exports].toSorted()) {
    const [target, number] = JSON.parse(name) as [string, number];
    for (const { id, ...batch } of await store.read(() => findBatches(number, target))) {
      const files = await store.read(() => listIssuedFiles(id));
      all.push({ ...batch, files: files.map((file) => ({ ...file, path: basename(file.path) })) });
    }
  }
  yield jsonOf(all);
}
