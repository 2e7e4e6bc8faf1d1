/**
 * The stories of payments, batches, payouts and deposits: who did what when, what the service shows, and what is
 * booked.
 */
import { basename } from "node:path";
import { fault, invariant } from "../faults/index.ts";
import type { CellChange } from "../files/repair/corrected-file.ts";
import { repairsOf } from "../files/repair/lineage.ts";
import { applying } from "../model/applying.ts";
import { compareText } from "../model/compare-text.ts";
import {
  type Approval,
  type Batch,
  type Day,
  type Instant,
  type Instruction,
  type InstructionId,
  isUuid,
  type JournalEntry,
  lineOf,
  type ObservedDeposit,
  type ObservedPayout,
  payoutId,
  type Submission,
} from "../model/index.ts";
import { exportNumberText } from "../model/ledger-table.ts";
import { present } from "../model/present.ts";
import { formatAmount } from "../money/index.ts";
import { depositFromStored, payoutFromStored } from "../observation/index.ts";
import { findBatch } from "../payments/named/named.ts";
import { type AuditEntry, listAudit } from "../store/audit.ts";
import { getBatch, listApprovals, listLines } from "../store/batches.ts";
import {
  type BreakNote,
  listHistoryOf,
  listNotesOf,
  listOpenBreaks,
  listOpeningsNamed,
  type Opening,
  type StoredBreak,
} from "../store/breaks.ts";
import { type AnsweredAs, listAnswersAbout } from "../store/erp-answers.ts";
import {
  countInBatch,
  findBatches,
  listBatchesOf,
  listEntriesAt,
  listEntryIdsIn,
  listIssuedFiles,
} from "../store/export-batches.ts";
import { findByPayoutId, findByReference, getByReference } from "../store/instructions.ts";
import { findSourceOfEntry, listEntriesOfKind } from "../store/ledger-entries.ts";
import { type Look, listLooks } from "../store/looks.ts";
import {
  findPayoutSighting,
  listHistory,
  listResourcesNamed,
  listSightingsOf,
  type NamedResource,
  type ObservedKind,
} from "../store/observed.ts";
import { findPayAgain } from "../store/pay-again.ts";
import type { Transaction } from "../store/sql.ts";
import { listSubmissions } from "../store/submissions.ts";
import { calendarOf } from "../workplace/calendar.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { statusOfBatches } from "./batch-status.ts";
import { dayOffOf, statusesOf } from "./payment-status.ts";

export interface StoryLine {
  readonly at: Instant;
  readonly who: string;
  readonly what: string;
}

export interface Story {
  readonly instruction: Instruction;
  readonly file: string;
  /** The events, oldest first. */
  readonly lines: readonly StoryLine[];
  /** The payout's state as last seen. */
  readonly payoutState?: string;
  /** The sentences of open reconciliation breaks about the payment. */
  readonly breaks: readonly string[];
  /** Journal entries of its payout. */
  readonly entryIds: readonly string[];
  /** The reference under which it is paid again. */
  readonly again?: string;
  /** For a payment that has not left: the earliest time at which the calendar lets it leave, unless that is now. */
  readonly leaves?: Leaving;
}

export interface Leaving {
  readonly at: Instant;
  /** The day off for which it was due. */
  readonly dayOff?: Day;
  /** When its approval expires, if that is earlier. */
  readonly approvalEnds?: Instant;
}

/**
 * The story of a batch, a break, an entry, an export batch, an expectation, or a payout or deposit that belongs to
 * none of our payments.
 */
export interface OtherStory extends Pick<Story, "lines" | "breaks" | "entryIds"> {
  readonly kind: "batch" | "break" | "payout" | "deposit" | "entry" | "export batch" | "expectation";
  readonly id: string;
  /** For a batch its file, for others their reference and last seen state; for a break whether it is open. */
  readonly file?: string;
  readonly reference?: string;
  readonly state?: string;
}

/** The story of the payment with this reference. Throws BATCH_UNKNOWN. */
export async function explainStep(workplace: Workplace, reference: string): Promise<Story> {
  const story = await workplace.store.read(function* (): Transaction<Story> {
    return yield* storyOf(yield* getByReference(reference));
  });
  return withLeaving(workplace, story);
}

/**
 * The stories of everything with this name: one for a payment's reference, a batch's number or digest, a break, or
 * the id of a payout or deposit; several for a deposit's reference, a transaction's hash, a journal entry (by its
 * id, or by its document number in an export batch), or the number of an export batch, which several targets may
 * have. Throws BATCH_UNKNOWN.
 */
export async function explainNamedStep(workplace: Workplace, name: string): Promise<(Story | OtherStory)[]> {
  const stories = await workplace.store.read(function* (): Transaction<(Story | OtherStory)[]> {
    const [payment, batch] = [yield* findByReference(name), yield* findBatch(name)];
    if (payment !== undefined) return [yield* storyOf(payment)];
    if (batch !== undefined) return [yield* storyOfBatch(batch)];
    const accepted = isUuid(name) ? yield* findByPayoutId(payoutId(name)) : undefined;
    if (accepted !== undefined) return [yield* storyOf(accepted)];
    const openings = yield* openingsOf(name);
    if (openings.length > 0) return [yield* storyOfBreak(openings)];
    const stories: (Story | OtherStory)[] = yield* storiesOfBooks(name);
    if (stories.length > 0) return stories;
    for (const resource of yield* listResourcesNamed(name)) stories.push(yield* storyOfResource(resource));
    if (stories.length === 0) throw fault("BATCH_UNKNOWN", { text: name });
    return stories;
  });
  return Promise.all(
    stories.map((story) => ("instruction" in story ? withLeaving(workplace, story) : story)),
  );
}

/** Adds why the payment does not leave, and the earliest time at which the calendar or its day lets it. */
async function withLeaving(workplace: Workplace, found: Story): Promise<Story> {
  const { config, context } = workplace;
  const { standing, fields, batchId } = found.instruction;
  if (standing !== "received" && standing !== "approved") return found;
  const [{ reason } = {}] = await statusesOf(workplace, [found.instruction]);
  const story = { ...found, instruction: { ...found.instruction, ...present({ reason }) } };
  const [calendar, now] = [calendarOf(config), context.clock.now()];
  const at = calendar.goesAt(fields.payOn, now);
  if (at <= now) return story;
  const [status] = await statusOfBatches(workplace, new Set([batchId]));
  const { runsOutFirst } = status ?? {};
  const approvalEnds = runsOutFirst?.goesAt === at ? runsOutFirst.ends : undefined;
  return { ...story, leaves: { at, ...dayOffOf(calendar, fields.payOn), ...present({ approvalEnds }) } };
}

function* storyOf(instruction: Instruction): Transaction<Story> {
  const record = yield* recordOf(instruction);
  const { batch, entries, breaks, again } = record;
  const { payoutId } = instruction;
  const sighting = payoutId === undefined ? undefined : yield* findPayoutSighting(payoutId);
  return {
    instruction,
    file: batch.fileName,
    lines: [...(yield* repairLines(batch, instruction.row)), ...linesOf(record)].sort(byTime),
    breaks,
    entryIds: entries.map(({ entryId }) => entryId),
    ...present({ payoutState: sighting?.state, again }),
  };
}

function* storyOfBatch(batch: Batch): Transaction<OtherStory> {
  const { id, fileName } = batch;
  const lines = [...(yield* repairLines(batch)), ...(yield* listAudit([id])).map(auditLine)];
  return { kind: "batch", id, file: fileName, lines, breaks: [], entryIds: [] };
}

function* storyOfResource({ kind, id, reference }: NamedResource): Transaction<Story | OtherStory> {
  const payment = kind === "payout" ? yield* findByPayoutId(payoutId(id)) : undefined;
  if (payment !== undefined) return yield* storyOf(payment);
  const [sighting] = yield* listSightingsOf(kind, [id]);
  const entries = yield* listEntriesOfKind(kind, [id]);
  const audit = yield* listAudit(applying(id, reference));
  return {
    kind,
    id,
    ...present({ reference, state: sighting?.state }),
    lines: [...audit.map(auditLine), ...(yield* stateLines(kind, id))].sort(byTime),
    breaks: yield* breaksAbout((each) => isAboutElement(each, id)),
    entryIds: entries.map(({ entryId }) => entryId),
  };
}

/**
 * The stories of an entry (by its id, or by a document number such as 000042-0007), or of export batches (by a
 * number such as 000042).
 */
function* storiesOfBooks(name: string): Transaction<(Story | OtherStory)[]> {
  const [, number = "", position] = /^(\d{6,9})(?:-(\d{4,9}))?$/.exec(name) ?? [];
  if (number !== "" && position === undefined) return yield* storiesOfExport(Number.parseInt(number, 10));
  const placed =
    position === undefined
      ? [{ entryId: name }]
      : yield* listEntriesAt(Number.parseInt(number, 10), Number.parseInt(position, 10));
  const stories: (Story | OtherStory)[] = [];
  for (const { entryId } of placed) stories.push(...(yield* storiesOfEntry(entryId)));
  return stories;
}

/** The story of the payout or deposit that the entry books, and then the entry's own. */
function* storiesOfEntry(entryId: string): Transaction<(Story | OtherStory)[]> {
  const source = yield* findSourceOfEntry(entryId);
  if (source === undefined) return [];
  const [resource] = yield* listResourcesNamed(source);
  const handedOut = (yield* listBatchesOf(entryId)).map(({ target, number, position, issuedAt }) => ({
    at: issuedAt,
    who: "paydrop",
    what: `handed to ${target} as ${documentText(exportNumberText(number), position)}`,
  }));
  const answers = (yield* listAnswersAbout(entryId)).map((answer) => ({
    at: answer.answeredAt,
    who: answer.target,
    what: answerText(answer),
  }));
  const last = answers.at(-1)?.what;
  const own: OtherStory = {
    kind: "entry",
    id: entryId,
    state: last ?? (handedOut.length > 0 ? "handed out" : "not exported yet"),
    lines: [...handedOut, ...answers].sort(byTime),
    breaks: yield* breaksAbout(({ kind, reference }) => kind === "erp-answer" && reference === entryId),
    entryIds: [entryId],
  };
  return resource === undefined ? [own] : [yield* storyOfResource(resource), own];
}

function documentText(batch: string, position: number | undefined): string {
  if (position === undefined) return `one of export batch ${batch}`;
  return `${batch}-${String(position).padStart(4, "0")}`;
}

function answerText({ number, verdict, erpDocument, reason, trouble }: AnsweredAs): string {
  const as = erpDocument === undefined ? "" : ` as ${erpDocument}`;
  const why = reason === undefined ? "" : `: ${reason}`;
  const idle = trouble === undefined ? "" : " (which changed nothing)";
  return `${verdict}${as} in export batch ${number}${why}${idle}`;
}

function* storiesOfExport(number: number): Transaction<OtherStory[]> {
  const stories: OtherStory[] = [];
  for (const { id, target, issuedAt, period } of yield* findBatches(number)) {
    const [files, entries] = [yield* listIssuedFiles(id), yield* countInBatch(id)];
    const limited = period === undefined ? "" : ` of ${period}`;
    const names = files.map(({ path }) => basename(path)).join(", ");
    stories.push({
      kind: "export batch",
      id: `${target} ${exportNumberText(number)}`,
      state: "issued",
      lines: [{ at: issuedAt, who: "paydrop", what: `issued with ${entries} entries${limited}: ${names}` }],
      breaks: yield* breaksAbout((each) => each.id === `erp-unanswered:${target}:${number}`),
      entryIds: yield* listEntryIdsIn(id, ENTRIES_SHOWN),
    });
  }
  return stories;
}

/** A batch may have more entries than anybody reads. */
const ENTRIES_SHOWN = 100;

/** All openings of the break with this name, newest first. */
function* openingsOf(name: string): Transaction<Opening[]> {
  const named = yield* listOpeningsNamed(name);
  const [meant] = named.filter(
    ({ id, opening, kind, custodyAccountId }) =>
      id === name || opening === name.toUpperCase() || (kind === "balance" && custodyAccountId === name),
  );
  return meant === undefined ? [] : yield* listHistoryOf([meant.id]);
}

function* storyOfBreak(openings: readonly Opening[]): Transaction<OtherStory> {
  const [latest] = openings;
  invariant(latest !== undefined, "a break has an opening");
  const { id, reference, closedAt, settledAt } = latest;
  const notes = yield* listNotesOf(openings);
  const lines = [...openings.flatMap(openingLines), ...notes.map(noteLine)].sort(byTime);
  const state = settledAt !== undefined ? "settled" : closedAt !== undefined ? "healed" : "open";
  const breaks = [latest.sentence];
  return { kind: "break", id, ...present({ reference }), state, lines, breaks, entryIds: [] };
}

function openingLines(each: Opening): StoryLine[] {
  const { opening, openedAt, closedAt, sentence, settledAt, person = "", second, reason = "" } = each;
  const by = second === undefined ? "" : `, confirmed by ${second}`;
  return applying(
    { at: openedAt, who: "paydrop", what: `opened ${opening}: ${sentence}` },
    settledAt !== undefined && { at: settledAt, who: person, what: `settled ${opening}${by}: ${reason}` },
    closedAt !== undefined && { at: closedAt, who: "paydrop", what: `closed ${opening}` },
  );
}

function noteLine({ at, person, opening, words }: BreakNote): StoryLine {
  return { at, who: person, what: `noted on ${opening}: ${words}` };
}

function* breaksAbout(isAbout: (each: StoredBreak) => boolean): Transaction<string[]> {
  return (yield* listOpenBreaks()).filter(isAbout).map(({ sentence }) => sentence);
}

/** A break about a movement that several payouts or deposits list stands at one of them and names the others. */
function isAboutElement(
  { kind, payoutId, depositId, expected, found = "" }: StoredBreak,
  id: string,
): boolean {
  if (payoutId === id || depositId === id) return true;
  if (kind === "receipt-claimed-twice") return expected === id;
  return kind === "sent-claimed-twice" && found.split(", ").includes(id);
}

/** Changes by people in the batch's file before it was taken in, or only in the line of one row. */
function* repairLines(
  { id, fileName: name, fileSha256: sha256 }: Batch,
  row?: number,
): Transaction<StoryLine[]> {
  const repairs = yield* repairsOf({ name, sha256 });
  if (repairs.length === 0) return [];
  const line = row === undefined ? undefined : (yield* listLines(id)).get(row);
  const isMeant = ({ cell }: CellChange) => line === undefined || lineOf(cell) === line;
  return repairs.flatMap(({ at, person, changes }) =>
    changes.filter(isMeant).map(({ cell, column, from, to }) => {
      return { at, who: person, what: `changed ${cell} (${column}) of ${name} from "${from}" to "${to}"` };
    }),
  );
}

function linesOf({ instruction, batch, approvals, attempts, audit, sightings }: PaymentRecord): StoryLine[] {
  const { row, fields } = instruction;
  const { id, submittedAt, submittedBy, fileName } = batch;
  const amount = formatAmount(fields.amount);
  const submitted = `submitted ${fileName}, row ${row}: ${amount} as batch ${id}`;
  return [
    { at: submittedAt, who: submittedBy, what: submitted },
    ...approvals.map(({ decidedAt, person }) => {
      return { at: decidedAt, who: person, what: `approved batch ${id}` };
    }),
    ...attempts.flatMap(({ submission, looks }) => [intentLine(submission), ...looks.map(lookLine)]),
    ...audit.map(auditLine),
    ...sightings.map(({ payoutId, state, stateSeenAt }) => stateLine("payout", payoutId, state, stateSeenAt)),
  ];
}

export interface Attempt {
  readonly submission: Submission;
  readonly looks: readonly Look[];
}

function* attemptsOf(id: InstructionId): Transaction<Attempt[]> {
  const attempts: Attempt[] = [];
  for (const submission of yield* listSubmissions(id))
    attempts.push({ submission, looks: yield* listLooks(submission.id) });
  return attempts;
}

/** The events of a story, for faces that word them themselves. */
export interface PaymentRecord {
  readonly instruction: Instruction;
  readonly batch: Batch;
  readonly approvals: readonly Approval[];
  readonly attempts: readonly Attempt[];
  readonly audit: readonly AuditEntry[];
  /** The payout as shown each time that it was new or had changed. */
  readonly sightings: readonly ObservedPayout[];
  readonly entries: readonly JournalEntry[];
  readonly breaks: readonly string[];
  /** The reference under which it is paid again. */
  readonly again?: string;
}

/** A payout or deposit with its story. */
export interface ResourceRecord {
  readonly story: OtherStory;
  readonly payout?: ObservedPayout;
  readonly deposit?: ObservedDeposit;
  readonly entries: readonly JournalEntry[];
}

/**
 * The story of a deposit, or of a payout that belongs to none of our payments. Returns the payment's reference for
 * one of our payouts, and undefined for an id that was never shown.
 */
export function resourceStep(
  { store }: Workplace,
  kind: ObservedKind,
  id: string,
): Promise<ResourceRecord | string | undefined> {
  return store.read(function* (): Transaction<ResourceRecord | string | undefined> {
    const [sighting] = yield* listSightingsOf(kind, [id]);
    if (sighting === undefined) return undefined;
    const { reference, raw, stateSeenAt } = sighting;
    const story = yield* storyOfResource({ kind, id, ...present({ reference }) });
    if ("instruction" in story) return story.instruction.fields.reference;
    const entries = yield* listEntriesOfKind(kind, [id]);
    const shown =
      kind === "payout"
        ? { payout: payoutFromStored(raw, stateSeenAt) }
        : { deposit: depositFromStored(raw, stateSeenAt) };
    return { story, entries, ...shown };
  });
}

/** The stored facts of the payment with this reference. Throws BATCH_UNKNOWN. */
export function paymentRecordStep({ store }: Workplace, reference: string): Promise<PaymentRecord> {
  return store.read(function* (): Transaction<PaymentRecord> {
    return yield* recordOf(yield* getByReference(reference));
  });
}

function* recordOf(instruction: Instruction): Transaction<PaymentRecord> {
  const { id, batchId, payoutId, fields } = instruction;
  const again = yield* findPayAgain(id);
  return {
    instruction,
    batch: yield* getBatch(batchId),
    approvals: yield* listApprovals(batchId),
    attempts: yield* attemptsOf(id),
    audit: yield* listAudit([fields.reference]),
    sightings:
      payoutId === undefined
        ? []
        : (yield* listHistory("payout", payoutId)).map(({ raw, seenAt }) => payoutFromStored(raw, seenAt)),
    entries: payoutId === undefined ? [] : yield* listEntriesOfKind("payout", [payoutId]),
    breaks: yield* breaksAbout(
      (each) =>
        each.reference === fields.reference || (payoutId !== undefined && isAboutElement(each, payoutId)),
    ),
    ...present({ again: again?.standing === undefined ? undefined : again.reference }),
  };
}

function* stateLines(kind: ObservedKind, id: string): Transaction<StoryLine[]> {
  const stateIn = kind === "payout" ? payoutFromStored : depositFromStored;
  return (yield* listHistory(kind, id)).map(({ seenAt, raw }) =>
    stateLine(kind, id, stateIn(raw, seenAt).state, seenAt),
  );
}

function stateLine(kind: ObservedKind, id: string, state: string, at: Instant): StoryLine {
  return { at, who: "the service", what: `shows ${kind} ${id} ${state}` };
}

function byTime(left: StoryLine, right: StoryLine): number {
  return compareText(left.at, right.at);
}

export function auditLine({ at, person, action, detail }: Omit<AuditEntry, "subject">): StoryLine {
  const details = Object.entries(detail).map(([name, value]) => `${name} ${value}`);
  return { at, who: person, what: `${action}: ${details.join(", ")}` };
}

function lookLine({ saw, notSent, firstAt, lastAt, times }: Look): StoryLine {
  const again = times === 1 ? "" : `, ${times} times until ${lastAt}`;
  const why = notSent === undefined ? "" : `; not sent again: ${notSent}`;
  return { at: firstAt, who: "paydrop", what: `looked for it${again}: ${saw}${why}` };
}

function intentLine({ intendedAt, operation, nonce, attempt, sends, baseUrl }: Submission): StoryLine {
  const times = sends === 1 ? "" : `, sent ${sends} times`;
  return {
    at: intendedAt,
    who: "paydrop",
    what: `attempt ${attempt}: ${operation} with nonce ${nonce} to ${baseUrl}${times}`,
  };
}
