/** The audit record: who did what to money. Append-only and chained by hashes, so that changes to the past show. */
import { hash } from "node:crypto";
import { fault } from "../faults/index.ts";
import type { Instant } from "../model/index.ts";
import {
  all,
  allOf,
  anyOf,
  countOf,
  first,
  insertRows,
  type Statement,
  single,
  sql,
  type Transaction,
} from "./sql.ts";
import type { Store } from "./store.ts";
import { inWindows } from "./windows.ts";

export interface AuditEntry {
  readonly at: Instant;
  /** The actor: a person's name, or a job. */
  readonly person: string;
  /** The action: "approve", "pay". */
  readonly action: string;
  /** The subject: a batch id, a reference. */
  readonly subject: string;
  readonly detail: Readonly<Record<string, string | number>>;
}

const BEFORE_THE_FIRST = "0".repeat(64);

export function* appendAudit(...entries: readonly AuditEntry[]): Transaction<void> {
  let { seq, hash: before } = (yield* auditHead()) ?? { seq: 0, hash: BEFORE_THE_FIRST };
  const rows = entries.map((entry) => {
    seq += 1;
    const kept = asKept(entry);
    const { at, person, action, subject, detail } = kept;
    before = chainHash(before, seq, kept);
    return [seq, at, person, action, subject, detail, before];
  });
  yield* insertRows("insert into audit (seq, at, person, action, subject, detail, hash)", rows);
}

/** Replaces characters that a database would change (NUL, lone surrogates), so that the hash stays right. */
function asKept({ at, person, action, subject, detail }: AuditEntry): StoredEntry {
  const kept = (text: string) => text.toWellFormed().replaceAll("\0", "\u2400");
  return {
    at,
    person: kept(person),
    action: kept(action),
    subject: kept(subject),
    detail: JSON.stringify(detail),
  };
}

/** The number of the newest entry. */
export function auditLength(): Transaction<number> {
  return countOf(sql`select max(seq) from audit`);
}

/** The number and hash of the newest entry; undefined while there is none. Does not verify earlier entries. */
export function auditHead(): Transaction<{ readonly seq: number; readonly hash: string } | undefined> {
  return first(sql`select seq, hash from audit order by seq desc limit 1`);
}

/** When the first entry of the record was made; undefined while it is empty. */
export function firstEntryAt(): Transaction<Instant | undefined> {
  return single(sql`select at from audit order by seq limit 1`);
}

export function listAudit(subjects: readonly string[]): Transaction<AuditEntry[]> {
  return entriesIn(sql`where subject in ${subjects} order by seq`);
}

/** How these batches were submitted and approved, oldest first. */
export function listAuditOfBatches(batches: readonly string[]): Transaction<AuditEntry[]> {
  return entriesIn(sql`where subject in ${batches} and action in ('submit', 'approve') order by seq`);
}

/** The approvals of batches after `since` and until `at`. */
export function listReleasesBetween(since: Instant, at: Instant): Transaction<AuditEntry[]> {
  return entriesIn(sql`where action = 'approve' and at > ${since} and at <= ${at}
      and (select 1 from batch where id = subject) is not null`);
}

/** `which`: "where ...". */
function* entriesIn(which: Statement): Transaction<AuditEntry[]> {
  const rows = yield* all<StoredEntry>(sql`select at, person, action, subject, detail from audit ${which}`);
  return rows.map(({ detail, ...entry }) => ({
    ...entry,
    detail: JSON.parse(detail) as AuditEntry["detail"],
  }));
}

/**
 * The hash of the last entry; `visit` gets each entry that verifies. Throws AUDIT_CHAIN_BROKEN at the first entry
 * that does not verify. Also throws if a stored batch or roster change has no entry: an emptied log would otherwise
 * verify. Reads in windows, because the record only grows and verifying years of it takes seconds.
 */
export async function verifyAudit(
  store: Pick<Store, "read">,
  visit: (entry: RecordedEntry) => void = () => {
    // Most callers only want to know that it verifies.
  },
): Promise<string> {
  let before = BEFORE_THE_FIRST;
  let seq = 0;
  // Starts below the first number, so that an entry forged before it is read too.
  const windows = inWindows<RecordedEntry>(store, (last) =>
    all(sql`select * from audit
      where seq > ${last?.seq ?? Number.MIN_SAFE_INTEGER} order by seq limit ${WINDOW_ENTRIES}`),
  );
  for await (const window of windows)
    for (const row of window) {
      seq += 1;
      before = chainHash(before, seq, row);
      if (row.seq !== seq || row.hash !== before)
        throw fault("AUDIT_CHAIN_BROKEN", { where: ` at entry ${row.seq}` });
      visit(row);
    }
  const unrecorded = await store.read(() => firstUnrecorded());
  if (unrecorded !== undefined)
    throw fault("AUDIT_CHAIN_BROKEN", { where: `: it lacks who submitted ${unrecorded}` });
  const lost = await store.read(() => firstLostChange());
  if (lost !== undefined)
    throw fault("AUDIT_CHAIN_BROKEN", { where: `: its change of the roster about ${lost} is gone` });
  return before;
}

function firstUnrecorded(): Transaction<string | undefined> {
  return single(sql`select id from batch where not exists
    (select 1 from audit where subject = batch.id and action = 'submit') order by id limit 1`);
}

/** The anchor protects the whole record, and so the roster of every root, although it names only one change. */
function firstLostChange(): Transaction<string | undefined> {
  return single(sql`select subject from audit
    where action = 'roster' and not exists (select 1 from statement where number is not null
      and hash = json_extract(detail, '$.statement') and root = json_extract(detail, '$.root')) limit 1`);
}

/** Entries read at a time: the record grows without bound. */
const WINDOW_ENTRIES = 1000;

/** `detail`: as JSON. */
export type RecordedEntry = StoredEntry & { readonly seq: number; readonly hash: string };

type StoredEntry = Omit<AuditEntry, "detail"> & { readonly detail: string };

/** At most `count` entries after `seq` and up to `until`, in their order. Verifies nothing. */
export function listEntriesBetween(
  seq: number,
  until: number,
  count: number,
): Transaction<readonly RecordedEntry[]> {
  return all(sql`select * from audit where seq > ${seq} and seq <= ${until} order by seq limit ${count}`);
}

/** Filters for audit entries; an absent field does not filter. */
export interface RecordQuery {
  /** From this instant on. */
  readonly from?: Instant;
  /** Before this instant. */
  readonly to?: Instant;
  readonly person?: string;
  /** Part of a subject. A batch number also selects its payments and their payouts. */
  readonly about?: string;
  /** SQL `like` patterns; an entry's action must match one of them. */
  readonly actions?: readonly string[];
}

/** The entries from number `begin` to `end` that match the query, newest first, at most `count`. */
export function listWanted(
  { from, to, person, about, actions }: RecordQuery,
  { begin, end }: { readonly begin: number; readonly end: number },
  count: number,
): Transaction<readonly RecordedEntry[]> {
  const wanted = [sql`seq between ${begin} and ${end}`];
  if (from !== undefined) wanted.push(sql`at >= ${from}`);
  if (to !== undefined) wanted.push(sql`at < ${to}`);
  if (person !== undefined) wanted.push(sql`lower(person) = ${person.toLowerCase()}`);
  if (about !== undefined) wanted.push(isAbout(about));
  if (actions !== undefined) wanted.push(anyOf(actions.map((action) => sql`action like ${action}`)));
  return all(sql`select * from audit where ${allOf(wanted)} order by seq desc limit ${count}`);
}

function isAbout(about: string): Statement {
  if (!BATCH_NUMBER.test(about)) return sql`instr(lower(subject), ${about.toLowerCase()}) > 0`;
  const batch = about.toUpperCase();
  return sql`(subject = ${batch} or subject in (select reference from instruction where batch_id = ${batch})
    or subject in (select payout_id from instruction where batch_id = ${batch} and payout_id is not null))`;
}

const BATCH_NUMBER = /^B-\d{6,}$/i;

/** Entries that stopped all sending, resumed it, or changed the roster, oldest first. An index covers them. */
export function listStops(): Transaction<readonly RecordedEntry[]> {
  return all(sql`select * from audit where action in ('stop', 'go', 'roster') order by seq`);
}

function chainHash(
  before: string,
  seq: number,
  { at, person, action, subject, detail }: StoredEntry,
): string {
  return hash("sha256", JSON.stringify([before, seq, at, person, action, subject, detail]));
}
