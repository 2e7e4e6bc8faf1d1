/** The service's answers: the latest sighting of each payout and deposit, and its history, as raw JSON text. */
import { chunks } from "../model/chunks.ts";
import { compareText } from "../model/compare-text.ts";
import { comparableTransaction, type Instant, type ObservedKind, shifted } from "../model/index.ts";
import { markChanged } from "./mark-changed.ts";
import { listPaymentsOfPayouts, type PaymentOfPayout } from "./payout-ends.ts";
import { markResultsDue } from "./results-due.ts";
import { indexedName, type NamedBy, noteNames } from "./shared-names.ts";
import {
  all,
  column,
  countOf,
  finds,
  ITEMS_PER_STATEMENT,
  insertRows,
  mapOf,
  objects,
  run,
  type Statement,
  sql,
  type Transaction,
} from "./sql.ts";

export type { ObservedKind };

export interface Sighting {
  /** payoutId or depositId. */
  readonly id: string;
  readonly reference?: string;
  /** Only for payouts. */
  readonly callbackUrl?: string;
  readonly state: string;
  /** Its transactions, and if it is a duplicate, its original and itself: see shared-names.ts. */
  readonly names?: readonly NamedBy[];
  /** The element's JSON text, as sent. */
  readonly raw: string;
  /** Texts with the same mark differ in nothing that counts (observation/mark.ts). */
  readonly mark?: string;
}

export interface StoredSighting extends Omit<Sighting, "mark"> {
  readonly kind: ObservedKind;
  readonly firstSeenAt: Instant;
  readonly stateSeenAt: Instant;
  /**
   * When the last sweep or a later look showed it; for an element that the last sweep did not show, when it was
   * last seen before.
   */
  readonly lastSeenAt: Instant;
  /** The opening balances include its movements until the baseline (`reconcile baseline`). */
  readonly beforeBaseline: boolean;
  /** It is not booked: it is older than the books, or the service did not show it when the baseline was taken. */
  readonly isSetAside: boolean;
  /** It is set aside only until the service shows it again. */
  readonly isGone: boolean;
  /** The last sweep, or a later look that asked for it, did not show it. */
  readonly isMissing: boolean;
}

/** The values of the column `before_baseline`. `gone`: booked again when the service shows it again. */
const BASELINE_MARKS = { none: 0, "set aside": 1, "still booked": 2, gone: 3 } as const;
const { gone: GONE, "still booked": STILL_BOOKED } = BASELINE_MARKS;

export type BaselineMark = Exclude<keyof typeof BASELINE_MARKS, "none">;

type BaselineFlags = "beforeBaseline" | "isSetAside" | "isGone";

export interface ChangedSighting {
  readonly seen: Sighting;
  /** Absent at the first sighting, and if the state stayed the same. */
  readonly stateBefore?: string;
  /** The payment with this payout. */
  readonly payment?: PaymentOfPayout;
}

/** Whether two raw texts of the same payout or deposit mean the same. */
export type SaysTheSame = (before: string, now: string) => boolean;

/** Stores the latest sightings. Those that mean something new go to the history and are returned. */
export function* recordSightings(
  kind: ObservedKind,
  sightings: readonly Sighting[],
  at: Instant,
  saysTheSame: SaysTheSame = () => false,
): Transaction<ChangedSighting[]> {
  if (sightings.length === 0) return [];
  const ids = sightings.map(({ id }) => id);
  const rows = yield* all<Latest>(
    sql`select id, state, raw, mark, coalesce(said_at, first_seen_at) as said_at
      from observed where kind = ${kind} and id in ${ids}`,
  );
  const { changes, former, latest, unchanged } = sorted(sightings, rows, at, saysTheSame);
  yield* markChanged(
    kind,
    changes.map(({ seen }) => seen.id),
  );
  const stateOf = new Map(rows.map(({ id, state }) => [id, state]));
  yield* insertRows(
    "insert into seen_change (kind, id, state_before)",
    changes.map(({ seen: { id } }) => [kind, id, stateOf.get(id)]),
  );
  yield* noteNames(changes.flatMap(({ seen }) => seen.names ?? []));
  yield* insertRows(
    "insert into observation (kind, id, seen_at, raw)",
    former.map(({ id, said_at, raw }) => [kind, id, said_at, raw]),
  );
  yield* putLatest(kind, [...latest.values()], at);
  if (unchanged.length > 0) yield* seenAgain(kind, unchanged, at);
  yield* endAbsence(kind, ids);
  if (kind === "deposit" || changes.length === 0) return changes;
  yield* recordNames(changes.map(({ seen }) => seen));
  const payments = yield* listPaymentsOfPayouts(changes.map(({ seen }) => seen.id));
  yield* markResultsDue([...new Set(payments.map(({ batchId }) => batchId))]);
  return withPayments(changes, payments);
}

/** Sightings against what is stored. */
interface Sorted {
  readonly changes: ChangedSighting[];
  /** What the service said before these changes. */
  readonly former: readonly Latest[];
  /** By id, the last sighting of each element that differs from the store, and since when the service says this. */
  readonly latest: ReadonlyMap<string, LatestSighting>;
  readonly unchanged: readonly string[];
}

interface LatestSighting {
  readonly seen: Sighting;
  readonly saidAt: Instant;
}

function sorted(
  sightings: readonly Sighting[],
  stored: readonly Latest[],
  at: Instant,
  saysTheSame: SaysTheSame,
): Sorted {
  const known = new Map(stored.map((row) => [row.id, row]));
  const changes: ChangedSighting[] = [];
  const former: Latest[] = [];
  const latest = new Map<string, LatestSighting>();
  const unchanged: string[] = [];
  for (const seen of sightings) {
    const { id, state, raw, mark = null } = seen;
    const before = known.get(id);
    if (before?.raw === raw && before.mark === mark) {
      if (!latest.has(id)) unchanged.push(id);
      continue;
    }
    const isNews = before === undefined || !(before.raw === raw || saysTheSame(before.raw, raw));
    const saidAt = isNews ? at : before.said_at;
    latest.set(id, { seen, saidAt });
    known.set(id, { id, state, raw, mark, said_at: saidAt });
    if (!isNews) continue;
    if (before !== undefined) former.push(before);
    const isSameState = before === undefined || before.state === state;
    changes.push(isSameState ? { seen } : { seen, stateBefore: before.state });
  }
  return { changes, former, latest, unchanged };
}

function withPayments(
  changes: readonly ChangedSighting[],
  payments: readonly PaymentOfPayout[],
): ChangedSighting[] {
  const byPayout = new Map<string, PaymentOfPayout>(payments.map((payment) => [payment.payoutId, payment]));
  return changes.map((change) => {
    const payment = byPayout.get(change.seen.id);
    return payment === undefined ? change : { ...change, payment };
  });
}

interface Latest {
  readonly id: string;
  readonly state: string;
  readonly raw: string;
  readonly mark: string | null;
  /** When it was first seen with its present content. */
  readonly said_at: Instant;
}

function putLatest(kind: ObservedKind, sightings: readonly LatestSighting[], at: Instant): Transaction<void> {
  const longestLook = longestLookFrom(at);
  return insertRows(
    "insert into observed (kind, id, reference, state, raw, mark, said_at, first_seen_at, state_seen_at, last_seen_at)",
    sightings.map(({ seen: { id, reference, state, raw, mark }, saidAt }) => {
      return [kind, id, reference, state, raw, mark, saidAt, at, at, at];
    }),
    sql`on conflict (kind, id) do update set reference = excluded.reference, raw = excluded.raw, mark = excluded.mark,
      said_at = excluded.said_at,
      last_seen_at = case when observed.last_seen_at between excluded.last_seen_at and ${longestLook}
        then observed.last_seen_at else excluded.last_seen_at end,
      state_seen_at = case when observed.state = excluded.state and observed.state_seen_at <= ${longestLook}
        then observed.state_seen_at else excluded.state_seen_at end,
      before_baseline = case observed.before_baseline when ${GONE} then ${STILL_BOOKED}
        else observed.before_baseline end,
      state = excluded.state`,
  );
}

function seenAgain(kind: ObservedKind, ids: readonly string[], at: Instant): Transaction<number> {
  const longestLook = longestLookFrom(at);
  return run(sql`update observed set
      last_seen_at = case when last_seen_at between ${at} and ${longestLook} then last_seen_at else ${at} end,
      state_seen_at = case when state_seen_at > ${longestLook} then ${at} else state_seen_at end,
      before_baseline = case before_baseline when ${GONE} then ${STILL_BOOKED} else before_baseline end
    where kind = ${kind} and id in ${ids}`);
}

/** Ends the absence of elements that are shown again. */
function* endAbsence(kind: ObservedKind, ids: readonly string[]): Transaction<void> {
  yield* markChanged(
    kind,
    yield* column<string>(sql`delete from absent where kind = ${kind} and id in ${ids} returning id`),
  );
}

export function isAnyObserved(kind: ObservedKind): Transaction<boolean> {
  return finds(sql`select 1 from observed where kind = ${kind} limit 1`);
}

/**
 * By mark, the elements for which a sighting with this mark changes nothing in the store. Missing elements have no
 * mark; those with times from a clock that has since been set back are left out here.
 */
export function listRecognised(
  kind: ObservedKind,
  marks: readonly string[],
  at: Instant,
): Transaction<ReadonlyMap<string, string>> {
  const longestLook = longestLookFrom(at);
  return mapOf(sql`select mark, id from observed
    where kind = ${kind} and mark in ${marks} and last_seen_at <= ${longestLook} and state_seen_at <= ${longestLook}`);
}

/**
 * Looks run in parallel, and an answer may be stored after that of a look that began later, so an older look must
 * not overwrite a newer one. If the stored time is further ahead than any look lasts, the clock was set back: the
 * present time is used.
 */
export function longestLookFrom(at: Instant): Instant {
  return shifted(at, LONGEST_LOOK_MS);
}

const LONGEST_LOOK_MS = 3_600_000;

/** From this many payouts on, their names are sorted in later, with those of other windows. */
const PAYOUTS_MANY = 200;
/** Bounds how many names a look-up may have to read beside the index. */
const UNSORTED_NAMES_MAX = 50_000;

/** Records their references and callbackUrls, which they keep even if a later answer no longer shows them. */
export function* recordNames(
  payouts: readonly Pick<Sighting, "id" | "reference" | "callbackUrl">[],
): Transaction<void> {
  const names = payouts.flatMap(({ id, reference, callbackUrl }) =>
    [reference, callbackUrl].flatMap((name) => (name === undefined ? [] : [[indexedName(name), id]])),
  );
  if (payouts.length < PAYOUTS_MANY)
    return yield* insertRows("insert into payout_name (name, payout_id)", names, sql`on conflict do nothing`);
  yield* insertRows("insert into unsorted_payout_name (name, payout_id)", names);
  const unsorted = yield* countOf(sql`select
    (select max(seq) from unsorted_payout_name) - (select min(seq) from unsorted_payout_name)`);
  if (unsorted >= UNSORTED_NAMES_MAX) yield* sortPayoutNames();
}

export function isAnyNameUnsorted(): Transaction<boolean> {
  return finds(sql`select 1 from unsorted_payout_name limit 1`);
}

/**
 * Sorts the names of the last windows into their index, in order: so each of its pages is written once for all of
 * them.
 */
export function* sortPayoutNames(): Transaction<void> {
  if (!(yield* isAnyNameUnsorted())) return;
  yield* run(sql`insert into payout_name (name, payout_id)
    select name, payout_id from unsorted_payout_name where true order by name, payout_id on conflict do nothing`);
  yield* run(sql`delete from unsorted_payout_name`);
}

/** At most `count` sightings of a kind after `afterId`, ordered by id. */
export function listSightingsAfter(
  kind: ObservedKind,
  afterId: string,
  count: number,
): Transaction<StoredSighting[]> {
  return sightingsIn(
    sql`select * from sighting where kind = ${kind} and id > ${afterId} order by id limit ${count}`,
  );
}

/**
 * At most `count` deposits whose reference begins with this text, or that are shown with this address or
 * transaction.
 */
export function listDepositsFound(text: string, count: number): Transaction<NamedResource[]> {
  const within = text.length < LONG ? "" : JSON.stringify(text);
  return objects<NamedResource>(sql`select kind, id, reference from observed
    where kind = 'deposit' and ((reference >= ${text} and reference < ${`${text}\u{10ffff}`})
      or (${within} <> '' and instr(raw, ${within}) > 0))
    order by id desc limit ${count}`);
}

/** Shorter texts are neither addresses nor hashes. */
const LONG = 20;

/**
 * The states in which payouts or deposits were last seen, except `ended`. Skips from one to the next in the index.
 */
export function* listOpenStates(kind: ObservedKind, ended: readonly string[]): Transaction<string[]> {
  const states = yield* column<string>(sql`with recursive walk (state) as (
      select min(state) from observed where kind = ${kind}
      union all select (select min(state) from observed where kind = ${kind} and state > walk.state)
      from walk where walk.state is not null)
    select state from walk where state is not null`);
  return states.filter((state) => !ended.includes(state));
}

/**
 * The ids whose last state is none of `ended`, sorted; without the custody accounts `except`, given in lower case.
 * Sorted in code: for an `order by`, SQLite would read all ended elements in order.
 */
export function* listIdsNotIn(
  kind: ObservedKind,
  ended: readonly string[],
  except: readonly string[],
): Transaction<string[]> {
  const ids = yield* column<string>(sql`select id from observed
    where kind = ${kind} and state in ${yield* listOpenStates(kind, ended)}
      and coalesce(lower(json_extract(raw, '$.accountId')), '') not in ${except}`);
  return ids.sort(compareText);
}

export function listSightingsOf(kind: ObservedKind, ids: readonly string[]): Transaction<StoredSighting[]> {
  return sightingsIn(sql`select * from sighting
    where kind = ${kind} and id in ${ids}`);
}

interface NamedSighting extends StoredSighting {
  /** The reference or callbackUrl by which it was found. */
  readonly name: string;
}

/**
 * Payouts ever seen with one of these names (references or callbackUrls), as last seen; once per name. A former
 * name counts even if the payout has a different one now, because the payout was made under it.
 */
export function* listPayoutsNamed(names: readonly string[]): Transaction<NamedSighting[]> {
  const nameByKept = new Map(names.map((name) => [indexedName(name), name]));
  const kept = [...nameByKept.keys()];
  // Two statements: in a join SQLite would start from all payouts.
  const called = yield* all<{
    readonly name: string;
    readonly payout_id: string;
  }>(sql`select name, payout_id from payout_name where name in ${kept}
    union select name, payout_id from unsorted_payout_name where name in ${kept} order by payout_id, name`);
  const sightings = yield* listSightingsOf(
    "payout",
    called.map(({ payout_id }) => payout_id),
  );
  const byId = new Map(sightings.map((sighting) => [sighting.id, sighting]));
  return called.flatMap(({ name, payout_id }) => {
    const sighting = byId.get(payout_id);
    return sighting === undefined ? [] : [{ ...sighting, name: nameByKept.get(name) ?? name }];
  });
}

export function* findPayoutSighting(payoutId: string): Transaction<StoredSighting | undefined> {
  return (yield* listSightingsOf("payout", [payoutId]))[0];
}

/** The history of a payout or deposit, oldest first: every sighting that differed from the one before. */
export function listHistory(
  kind: ObservedKind,
  id: string,
): Transaction<{ readonly seenAt: Instant; readonly raw: string }[]> {
  return objects<{ seenAt: string; raw: string }>(
    sql`select seen_at, raw from history where kind = ${kind} and id = ${id} order by seq`,
  );
}

export interface StoredMeaning {
  readonly seq: number;
  readonly id: string;
  readonly seenAt: Instant;
  readonly raw: string;
}

/**
 * At most `count` former sightings after `last`, over all payouts or deposits, ordered by id and then by time, as
 * an index has them. The present ones are in `listTextsAfter`.
 */
export function listFormerAfter(
  kind: ObservedKind,
  { id, seq }: Pick<StoredMeaning, "id" | "seq">,
  count: number,
): Transaction<Omit<StoredMeaning, "seenAt">[]> {
  return objects<StoredMeaning>(sql`select seq, id, raw from observation
    where kind = ${kind} and (id, seq) > (${id}, ${seq}) order by id, seq limit ${count}`);
}

/** The texts of at most `count` elements after `afterId`, ordered by id. */
export function listTextsAfter(
  kind: ObservedKind,
  afterId: string,
  count: number,
): Transaction<readonly Pick<StoredMeaning, "id" | "raw">[]> {
  return all(
    sql`select id, raw from observed where kind = ${kind} and id > ${afterId} order by id limit ${count}`,
  );
}

/** As `listHistory`, for several elements. */
export function listHistories(kind: ObservedKind, ids: readonly string[]): Transaction<StoredMeaning[]> {
  return objects<StoredMeaning>(sql`select seq, id, seen_at, raw from history
    where kind = ${kind} and id in ${ids} order by seq`);
}

/** The states in which payouts or deposits were ever seen, in the order of their first sightings. */
export function listStatesEverSeen(
  kind: ObservedKind,
  ids: readonly string[],
): Transaction<{ readonly id: string; readonly state: string; readonly seenAt: Instant }[]> {
  const path = kind === "payout" ? "$.payoutState" : "$.depositState";
  return objects(sql`select id, state, max(seen_at) as seen_at from (
      select id, seq, seen_at, json_extract(raw, ${path}) as state from history
      where kind = ${kind} and id in ${ids}) as seen
    group by id, state order by min(seq)`);
}

export interface NamedResource {
  readonly kind: ObservedKind;
  /** Empty for a deposit whose creation was not answered. */
  readonly id: string;
  readonly reference?: string;
}

/**
 * The payouts and deposits with this id, reference or transaction hash, including requested ones. Reads every
 * element ever seen.
 */
export function* listResourcesNamed(name: string): Transaction<NamedResource[]> {
  const rows = yield* objects<NamedResource & { readonly mayShow: number; readonly raw: string }>(sql`
    select kind, id, reference, raw, case when id = ${name.toLowerCase()} or reference = ${name} then 0 else 1 end
      as may_show
      from observed where id = ${name.toLowerCase()} or reference = ${name}
        or instr(raw, ${JSON.stringify(name)}) > 0 or instr(raw, ${ESCAPE}) > 0
    union select 'deposit' as kind, coalesce(deposit_id, '') as id, subject as reference, '' as raw, 0 as may_show
      from change
      where operation = 'createDeposit' and (deposit_id = ${name.toLowerCase()} or subject = ${name})
        and coalesce(deposit_id, '') not in (select id from observed where kind = 'deposit')
    order by kind, id`);
  return rows
    .filter(({ mayShow, raw }) => mayShow === 0 || showsTransaction(raw, name))
    .map(({ mayShow: _mayShow, raw: _raw, ...named }) => named);
}

/** At most `count` payouts after `afterId`, ordered by id, and whether each is shown with this transaction. */
export function* listInTransaction(
  txHash: string,
  afterId: string,
  count: number,
): Transaction<readonly { readonly id: string; readonly isIn: boolean }[]> {
  const rows = yield* all<{ readonly id: string; readonly raw: string | null }>(sql`select id,
      case when instr(lower(raw), ${JSON.stringify(txHash.toLowerCase())}) > 0 or instr(raw, ${ESCAPE}) > 0
        then raw end as raw
    from observed where kind = 'payout' and id > ${afterId} order by id limit ${count}`);
  return rows.map(({ id, raw }) => ({ id, isIn: raw !== null && showsTransaction(raw, txHash) }));
}

/** A text with escapes may spell a hash in many ways. */
const ESCAPE = "\\";

/** Whether the element lists a movement with this hash. Does not read its numbers. */
function showsTransaction(raw: string, txHash: string): boolean {
  const { sentFunds, receivedFunds } = JSON.parse(raw) as Readonly<
    Record<"sentFunds" | "receivedFunds", FundsText | readonly FundsText[] | null | undefined>
  >;
  const wanted = comparableTransaction(txHash);
  const isWanted = (shown: string | null | undefined) => shown && comparableTransaction(shown) === wanted;
  return [sentFunds ?? receivedFunds ?? []].flat().some((funds) => isWanted(funds.txHash));
}

interface FundsText {
  readonly txHash?: string | null;
}

/** By depositId, the first receiving address of each deposit that was shown with several; few ever change. */
export function listFirstAddresses(depositIds: readonly string[]): Transaction<ReadonlyMap<string, string>> {
  return mapOf(sql`select id, json_extract(raw, '$.receiverAddress') as address from history
      where kind = 'deposit' and json_extract(raw, '$.receiverAddress') <> '' and id in (
        select id from history
        where kind = 'deposit' and json_extract(raw, '$.receiverAddress') <> '' and id in (
          select id from observation where kind = 'deposit' and id in ${depositIds})
        group by id having count(distinct json_extract(raw, '$.receiverAddress')) > 1)
      order by seq desc`);
}

/** Marks payouts or deposits as existing before the baseline. */
export function* markBeforeBaseline(
  kind: ObservedKind,
  ids: readonly string[],
  mark: BaselineMark,
): Transaction<void> {
  // Without its mark, a gone element is read in full as soon as it is shown again.
  for (const some of chunks(ids, ITEMS_PER_STATEMENT)) {
    yield* run(sql`update observed set before_baseline = ${BASELINE_MARKS[mark]},
        mark = case when ${BASELINE_MARKS[mark]} = ${GONE} then null else mark end
      where kind = ${kind} and id in ${some}`);
    yield* markChanged(kind, some);
  }
}

export function* sightingsIn<Row extends StoredSighting = StoredSighting>(
  statement: Statement,
): Transaction<Row[]> {
  const kept = yield* objects<
    Omit<Row, BaselineFlags | "isMissing"> & Readonly<Record<"beforeBaseline" | "isMissing", number>>
  >(statement);
  // Changes the new objects: copies would take longer than reading them.
  return kept.map((sighting) => {
    const { beforeBaseline: mark, isMissing } = sighting;
    const flags = {
      beforeBaseline: mark !== BASELINE_MARKS.none,
      isSetAside: mark === BASELINE_MARKS["set aside"] || mark === GONE,
      isGone: mark === GONE,
      isMissing: isMissing === 1,
    };
    return Object.assign(sighting, flags) as unknown as Row;
  });
}
