/**
 * What ERPs answered about exported entries. An answer is stored even if it changed nothing, unless it repeats an
 * earlier one.
 */
import {
  type AnswerTrouble,
  type Day,
  type ErpVerdict,
  HOUR_MS,
  type Instant,
  NEVER,
  shifted,
  type TroubledAnswer,
  type UnansweredBatch,
} from "../model/index.ts";
import { freeEntry } from "./export-batches.ts";
import { finds, first, objects, run, single, sql, type Transaction } from "./sql.ts";

interface ErpAnswer {
  /** The entry's name in the answer. */
  readonly saidOf: string;
  readonly entryId?: string | undefined;
  /** "000042-0007": the batch, and the position in it. */
  readonly document?: { readonly number: number; readonly position: number } | undefined;
  readonly verdict: ErpVerdict;
  /** The ERP's own number of the document. */
  readonly erpDocument?: string | undefined;
  readonly reason?: string | undefined;
  readonly line: number;
}

type AnswerOutcome = ErpVerdict | "repeated" | AnswerTrouble;

interface HandedOutEntry {
  readonly id: number;
  readonly batch: number;
  readonly entry: number;
  readonly freed_at: Instant | null;
}

/** The action of the record for an answer that was read. Its detail has the hash of what the answer said. */
export const ERP_ANSWER_READ = "erp answer read";

/** Whether an answer of this target with this hash was read before. */
export function wasAnswerRead(target: string, answer: string): Transaction<boolean> {
  return finds(sql`select 1 from audit where action = ${ERP_ANSWER_READ} and subject = ${target}
    and json_extract(detail, '$.answer') = ${answer} limit 1`);
}

interface Reading {
  readonly file: string;
  readonly at: Instant;
  /** Whether an answer that says the same was read before; it may be about the batch of that time. */
  readonly isReadBefore: boolean;
}

/**
 * Takes one answer of a target. A refusal frees the entry for a later batch, unless the entry was answered before.
 */
export function* takeAnswer(
  target: string,
  answer: ErpAnswer,
  { file, at, isReadBefore }: Reading,
): Transaction<AnswerOutcome> {
  const handedOut = yield* findHandedOut(target, answer);
  const fitting = handedOut === undefined ? "unknown" : yield* outcomeOf(target, handedOut, answer);
  const outcome = isReadBefore && fitting === answer.verdict ? "read-before" : fitting;
  if (outcome === "repeated") return outcome;
  const { saidOf, verdict, erpDocument, reason, line } = answer;
  const trouble = outcome === verdict ? undefined : outcome;
  yield* run(sql`insert into erp_answer
    (target, said_of, batch, entry, verdict, erp_document, reason, trouble, file, line, answered_at)
    values (${target}, ${saidOf}, ${handedOut?.batch}, ${handedOut?.entry}, ${verdict}, ${erpDocument}, ${reason},
      ${trouble}, ${file}, ${line}, ${at}) on conflict do nothing`);
  if (outcome === "refused" && handedOut !== undefined)
    yield* freeEntry(target, handedOut.id, handedOut.entry, at);
  return outcome;
}

/** The batch that the answer names, or the last one in which the target got the entry. */
function* findHandedOut(
  target: string,
  { entryId, document }: ErpAnswer,
): Transaction<HandedOutEntry | undefined> {
  if (document !== undefined) {
    const found = yield* first<HandedOutEntry & { readonly entry_id: string }>(sql`
      select exported_entry.id, batch, entry, freed_at, entry.id as entry_id
      from export_batch join exported_entry on batch = export_batch.id join entry on entry.seq = exported_entry.entry
      where export_batch.target = ${target} and number = ${document.number} and position = ${document.position}
        and sealed_at is not null`);
    return entryId === undefined || found?.entry_id === entryId ? found : undefined;
  }
  return yield* first<HandedOutEntry>(sql`
    select exported_entry.id, batch, entry, freed_at
    from entry join exported_entry on exported_entry.entry = entry.seq join export_batch on export_batch.id = batch
    where entry.id = ${entryId} and exported_entry.target = ${target} and sealed_at is not null
    order by exported_entry.id desc limit 1`);
}

function* outcomeOf(
  target: string,
  { batch, entry, id }: HandedOutEntry,
  { verdict, erpDocument }: ErpAnswer,
): Transaction<AnswerOutcome> {
  const before = yield* first<{ verdict: ErpVerdict; erp_document: string | null }>(sql`
    select verdict, erp_document from erp_answer where batch = ${batch} and entry = ${entry} and trouble is null`);
  if (before === undefined) return verdict;
  if (before.verdict === "posted" && verdict === "refused") return "refused-after-posted";
  if (before.verdict === "refused" && verdict === "posted") {
    const isHandedOutAgain = yield* finds(sql`select 1 from exported_entry
      where target = ${target} and entry = ${entry} and id > ${id} limit 1`);
    return isHandedOutAgain ? "superseded" : "posted-after-refused";
  }
  const isOther =
    verdict === "posted" &&
    erpDocument !== undefined &&
    before.erp_document !== null &&
    before.erp_document !== erpDocument;
  return isOther ? "posted-otherwise" : "repeated";
}

export function listTroubledAnswers(): Transaction<TroubledAnswer[]> {
  return objects<TroubledAnswer>(sql`select target, said_of, verdict, trouble, file, line, answered_at
    from erp_answer where trouble is not null order by seq`);
}

/**
 * Batches of these targets that have entries without an answer and are not excused: all issued by `now`, or only
 * those issued more than `olderThanHours` before it. `until`: only entries that the target got under this book day
 * or an earlier one. Entries that round to zero are in no ERP's file, so nobody answers for them.
 */
export function listUnanswered(
  targets: readonly string[],
  now: Instant,
  { olderThanHours, until = NEVER }: { readonly olderThanHours?: number; readonly until?: Day } = {},
): Transaction<UnansweredBatch[]> {
  const before = shifted(now, olderThanHours === undefined ? 1 : -olderThanHours * HOUR_MS);
  return objects<UnansweredBatch>(sql`
    select export_batch.target, number, issued_at, count(*) as entries
    from export_batch join exported_entry on batch = export_batch.id join entry on entry.seq = exported_entry.entry
    where export_batch.target in ${targets} and sealed_at is not null and issued_at < ${before} and excused_at is null
      and not exists (select 1 from erp_answer
        where erp_answer.batch = exported_entry.batch and erp_answer.entry = exported_entry.entry and trouble is null)
      and coalesce(book_day, json_extract(body, '$.bookDay')) <= ${until}
      and exists (select 1 from json_each(json_extract(body, '$.lines'))
        where replace(replace(coalesce(json_extract(value, '$.debit.$decimal'), ''), '.', ''), '0', '') <> '')
    group by export_batch.id, export_batch.target, number, issued_at order by export_batch.id`);
}

interface AnswerCount {
  readonly batch: number;
  readonly verdict: ErpVerdict;
  readonly count: number;
}

/** How many entries of these batches the ERP posted and refused. */
export function countAnswers(batches: readonly number[]): Transaction<AnswerCount[]> {
  return objects(sql`select batch, verdict, count(distinct entry) as count from erp_answer
    where batch in ${batches} and trouble is null group by batch, verdict`);
}

export interface RefusedEntry {
  readonly target: string;
  readonly number: number;
  readonly entryId: string;
  readonly reason?: string;
}

/** Entries whose last answer is a refusal. */
export function listRefused(): Transaction<RefusedEntry[]> {
  return objects<RefusedEntry>(sql`
    select export_batch.target, number, entry.id as entry_id, reason
    from erp_answer join export_batch on export_batch.id = erp_answer.batch join entry on entry.seq = erp_answer.entry
    where verdict = 'refused' and trouble is null and not exists (
      select 1 from erp_answer as later where later.entry = erp_answer.entry and later.target = erp_answer.target
        and later.seq > erp_answer.seq and later.trouble is null)
    order by erp_answer.seq`);
}

export interface AnsweredAs {
  readonly target: string;
  readonly number: number;
  readonly verdict: ErpVerdict;
  readonly erpDocument?: string;
  readonly reason?: string;
  readonly trouble?: AnswerTrouble;
  readonly answeredAt: Instant;
}

const ANSWERED_AS = sql`erp_answer.target, number, verdict, erp_document, reason, trouble, answered_at
    from entry join erp_answer on erp_answer.entry = entry.seq join export_batch on export_batch.id = erp_answer.batch`;

/** All answers about an entry, oldest first. */
export function listAnswersAbout(entryId: string): Transaction<AnsweredAs[]> {
  return objects(sql`select ${ANSWERED_AS}
    where entry.id = ${entryId} order by erp_answer.seq`);
}

/** As `listAnswersAbout`, of all entries about several payouts or deposits. */
export function listAnswersOf(
  sourceIds: readonly string[],
): Transaction<(AnsweredAs & { readonly entryId: string })[]> {
  return objects(sql`select entry.id as entry_id, ${ANSWERED_AS}
    where entry.source_id in ${sourceIds} order by erp_answer.seq`);
}

/** The id of the target's batch with this number if its entries have no positions: an earlier version issued it. */
export function findUnnumbered(target: string, number: number): Transaction<number | undefined> {
  return single(sql`select distinct export_batch.id as id
    from export_batch join exported_entry on batch = export_batch.id
    where export_batch.target = ${target} and number = ${number} and position is null limit 1`);
}

/** `from`: the position of the first, counted from 1. */
export function* numberEntries(batch: number, seqs: readonly number[], from: number): Transaction<void> {
  for (const [index, seq] of seqs.entries())
    yield* run(sql`update exported_entry set position = ${from + index}
      where batch = ${batch} and entry = ${seq} and position is null`);
}
