/**
 * The register of reconciliation breaks, one row per opening. An opening begins with a difference and closes when
 * the difference is gone; until then an unsettled one is updated. If a settled break changes, or a closed one comes
 * back, a new opening begins, which is not settled. Nothing is deleted.
 */
import type { Break, BreakKind, BreakSeverity, Instant, InstructionId } from "../model/index.ts";
import { present } from "../model/present.ts";
import { amountOf } from "../money/index.ts";
import { all, insertRows, mapOf, objects, run, type Statement, sql, type Transaction } from "./sql.ts";

export interface StoredBreak extends Break {
  /** The name of this opening: "BR-12". A break that came back has one per opening. */
  readonly opening: string;
  readonly openedAt: Instant;
  /** The person who looks after it. */
  readonly owner?: string;
  /** A settlement that needs a second person. */
  readonly proposed?: Proposal;
}

interface Proposal {
  readonly at: Instant;
  readonly person: string;
  readonly reason: string;
}

export interface SettledBreak extends StoredBreak {
  readonly settledAt: Instant;
  readonly person: string;
  /** The second person, if two were needed. */
  readonly second?: string;
  readonly reason: string;
}

/** An opening, open or closed. */
export interface Opening extends StoredBreak, Partial<Omit<SettledBreak, keyof StoredBreak>> {
  /** When the difference disappeared; for a settled opening also when the difference changed. */
  readonly closedAt?: Instant;
}

export interface BreakNote {
  readonly opening: string;
  readonly at: Instant;
  readonly person: string;
  readonly words: string;
}

/**
 * Opens the breaks in `found` that are new or come back, and closes those not in it, except of kinds that were not
 * judged. Writes only what changed.
 */
export function* replaceOpenBreaks(
  found: readonly Break[],
  at: Instant,
  unjudged: readonly BreakKind[] = [],
): Transaction<void> {
  const now = new Map(found.map((each) => [each.id, each]));
  const before = yield* listPresent();
  for (const opening of before) {
    const difference = now.get(opening.id);
    now.delete(opening.id);
    if (difference === undefined) {
      if (!unjudged.includes(opening.kind)) yield* close([opening], at);
    } else if (opening.settledAt === undefined || saidBy(opening) === saidBy(difference)) {
      yield* update(opening, difference);
    } else {
      yield* close([opening], at);
      yield* open([difference], { at });
    }
  }
  yield* open([...now.values()], { at });
}

/**
 * Stores a break that opened and closed between two comparisons, as closed: a payment sent meanwhile may replace
 * the payment in it. If a comparison had opened the break, the next comparison closes it.
 */
export function* keepPassedBreak(passed: Break, at: Instant): Transaction<void> {
  const [opened] = yield* openingsIn(
    sql`select * from break_opening where break_id = ${passed.id} and closed_at is null`,
  );
  if (opened === undefined) yield* open([passed], { at, closedAt: at });
}

/** Present breaks that are not settled, newest first. */
export function* listOpenBreaks(): Transaction<StoredBreak[]> {
  return (yield* listPresent()).filter(({ settledAt }) => settledAt === undefined);
}

/** Present breaks that a person settled, newest first. */
export function* listSettledBreaks(): Transaction<SettledBreak[]> {
  return (yield* listPresent()).filter(isSettled);
}

function isSettled(opening: Opening): opening is Opening & SettledBreak {
  return opening.settledAt !== undefined;
}

/**
 * The breaks present right before an instant, newest first: open, or settled by then. Owners, proposals and
 * sentences are the latest ones. A settlement proposed before the instant and confirmed after it counts as open.
 */
export function* listPresentBefore(
  before: Instant,
): Transaction<{ readonly open: StoredBreak[]; readonly settled: SettledBreak[] }> {
  const there = yield* openingsIn(sql`select * from break_opening
    where opened_at < ${before} and (closed_at is null or closed_at >= ${before}) order by opened_at desc, seq desc`);
  const wasSettled = ({ settledAt }: Opening) => settledAt !== undefined && settledAt < before;
  return {
    open: there
      .filter((opening) => !wasSettled(opening))
      .map(
        ({ settledAt: _at, person: _person, second: _second, reason: _reason, closedAt: _closed, ...each }) =>
          each,
      ),
    settled: there
      .filter(isSettled)
      .filter(wasSettled)
      .map(({ closedAt: _closed, ...each }) => each),
  };
}

/** Openings that ended since an instant and before another one, the last ones first. */
export function listClosedBreaks(since: Instant, before: Instant, limit: number): Transaction<Opening[]> {
  return openingsIn(sql`select * from break_opening where closed_at >= ${since} and closed_at < ${before}
    order by closed_at desc, seq desc limit ${limit}`);
}

/** At most `limit` openings that began or ended between two instants, oldest first. */
export function listOpenedOrClosed(since: Instant, until: Instant, limit: number): Transaction<Opening[]> {
  return openingsIn(sql`select * from break_opening
    where opened_at between ${since} and ${until} or closed_at between ${since} and ${until}
    order by opened_at, seq limit ${limit}`);
}

/**
 * Every opening with this name, newest first. The name is that of an opening or its break, a reference, a payoutId,
 * a depositId, or the custody account of a balance.
 */
export function listOpeningsNamed(name: string): Transaction<Opening[]> {
  return openingsIn(sql`select * from break_opening
    where seq = ${seqOf(name) ?? 0} or break_id = ${name} or reference = ${name} or payout_id = ${name}
      or deposit_id = ${name} or (kind = 'balance' and custody_account_id = ${name})
    order by opened_at desc, seq desc`);
}

/**
 * At most `count` openings with this number, reference, payoutId or depositId, and open ones with one of these
 * amounts.
 */
export function listBreaksFound(
  text: string,
  amounts: readonly string[],
  count: number,
): Transaction<Opening[]> {
  return openingsIn(sql`select * from break_opening
    where seq = ${seqOf(text) ?? 0} or reference = ${text} or payout_id = ${text.toLowerCase()}
      or deposit_id = ${text.toLowerCase()} or (closed_at is null and amount in ${amounts})
    order by opened_at desc, seq desc limit ${count}`);
}

/** Every opening of these breaks, newest first. */
export function listHistoryOf(breakIds: readonly string[]): Transaction<Opening[]> {
  return openingsIn(
    sql`select * from break_opening where break_id in ${breakIds} order by opened_at desc, seq desc`,
  );
}

/** Oldest first. */
export function* listNotesOf(openings: readonly Pick<StoredBreak, "opening">[]): Transaction<BreakNote[]> {
  const rows = yield* objects<Omit<BreakNote, "opening"> & { readonly seq: number }>(sql`
    select opening as seq, at, person, words from break_note where opening in ${seqsOf(openings)} order by id`);
  return rows.map(({ seq, ...note }) => ({ opening: openingName(seq), ...note }));
}

/** The number of notes of each opening that has not closed. */
export function* countNotes(): Transaction<ReadonlyMap<string, number>> {
  const counts = yield* mapOf<number, number>(sql`
    select opening, count(*) as count from break_note group by opening`);
  return new Map(counts.entries().map(([seq, count]) => [openingName(seq), count]));
}

/**
 * By id, the payouts and deposits that the last comparison found to be not shown, settled or not, with the time
 * when each was last seen: undefined if it was never shown.
 */
export function* listMissed(): Transaction<ReadonlyMap<string, Instant | undefined>> {
  const missed = yield* openingsIn(sql`select * from break_opening
    where closed_at is null and kind in ('not-shown', 'missing')`);
  return new Map(
    missed.map(({ payoutId, depositId, lastSeenAt }) => [payoutId ?? depositId ?? "", lastSeenAt]),
  );
}

export type BreakCounts = Readonly<Record<BreakSeverity, number>>;

/**
 * Those of the payouts that list a movement of another one, of which no comparison has shown since that money left
 * for each; and whether a person has settled their break, although no balance shows how often it left.
 */
export function* listNotToldApart(ids: readonly string[]): Transaction<ReadonlyMap<string, boolean>> {
  if (ids.length === 0) return new Map();
  const settled = yield* mapOf<string, number>(sql`
    select observed.id, case when settled_at is not null and expected is null then 1 else 0 end as settled
    from observed left join break_opening on break_opening.kind = 'sent-claimed-twice'
      and payout_id = observed.id and closed_at is null
    where observed.kind = 'payout' and observed.id in ${ids} and (break_opening.seq is not null
      or not exists (select 1 from comparison where compared_at >= coalesce(said_at, first_seen_at)))`);
  return new Map(settled.entries().map(([id, isSettled]) => [id, isSettled === 1]));
}

export function* countOpenBreaks(): Transaction<BreakCounts> {
  return countBySeverity(yield* listOpenBreaks());
}

export function countBySeverity(breaks: readonly Pick<Break, "severity">[]): BreakCounts {
  const count = (severity: BreakSeverity) => breaks.filter((each) => each.severity === severity).length;
  return { alarm: count("alarm"), warning: count("warning"), note: count("note") };
}

type SettledBy = Pick<SettledBreak, "person" | "reason">;

/**
 * By accepted payment whose payout was reported as failed, unknown or missing: who settled that break. Includes
 * closed openings.
 */
export function* listSettledPayments(): Transaction<ReadonlyMap<InstructionId, SettledBy>> {
  const rows = yield* all<SettledBy & { readonly id: InstructionId }>(sql`
    select instruction.id, settled_by as person, break_opening.reason from break_opening
      join instruction on instruction.payout_id = break_opening.payout_id
    where kind in ('failed', 'unknown-state', 'missing') and settled_at is not null and standing = 'accepted'
    order by settled_at, seq`);
  return new Map(rows.map(({ id, ...by }) => [id, by]));
}

/** Makes a person the owner of these breaks. */
export function* assignBreaks(breaks: readonly StoredBreak[], owner: string): Transaction<void> {
  yield* run(sql`update break_opening set owner = ${owner} where seq in ${seqsOf(breaks)}`);
}

export function addBreakNote(
  breaks: readonly StoredBreak[],
  { at, person, words }: Omit<BreakNote, "opening">,
): Transaction<void> {
  return insertRows(
    "insert into break_note (opening, at, person, words)",
    seqsOf(breaks).map((seq) => [seq, at, person, words]),
  );
}

/** Proposes to settle these breaks. They stay open until a second person confirms. */
export function* proposeSettlement(breaks: readonly StoredBreak[], proposal: Proposal): Transaction<void> {
  const { at, person, reason } = proposal;
  yield* run(sql`update break_opening set proposed_at = ${at}, settled_by = ${person}, reason = ${reason}
    where seq in ${seqsOf(breaks)}`);
}

/** Settles openings by a person's decision. Each stays settled until the break changes. */
export function* settleBreaks(
  breaks: readonly StoredBreak[],
  { settledAt, person, second, reason }: Pick<SettledBreak, "settledAt" | "person" | "second" | "reason">,
): Transaction<void> {
  yield* run(sql`update break_opening set settled_at = ${settledAt}, settled_by = ${person},
    settled_second = ${second}, reason = ${reason} where seq in ${seqsOf(breaks)}`);
}

/** Settles breaks, whether or not a comparison has stored them yet. The next comparison finds them settled. */
export function* settleFound(
  found: readonly Break[],
  settlement: Pick<SettledBreak, "settledAt" | "person" | "reason">,
): Transaction<void> {
  const at = settlement.settledAt;
  const stored = new Map((yield* listPresent()).map((opening) => [opening.id, opening]));
  const known = found.flatMap((difference) => stored.get(difference.id) ?? []);
  yield* settleBreaks(
    known.filter(({ settledAt }) => settledAt === undefined),
    settlement,
  );
  yield* open(
    found.filter(({ id }) => !stored.has(id)),
    { at, settlement },
  );
}

/** Closes settled openings and opens the breaks again: new openings with the same owner, not settled. */
export function* reopenBreaks(breaks: readonly SettledBreak[], at: Instant): Transaction<StoredBreak[]> {
  yield* close(breaks, at);
  yield* open(breaks, { at });
  const again = yield* openingsIn(sql`select * from break_opening
    where closed_at is null and break_id in ${breaks.map(({ id }) => id)} order by seq`);
  const owners = new Map(breaks.map(({ id, owner }) => [id, owner]));
  for (const opening of again) {
    const owner = owners.get(opening.id);
    if (owner !== undefined) yield* assignBreaks([opening], owner);
  }
  return again.map((opening) => ({ ...opening, ...present({ owner: owners.get(opening.id) }) }));
}

interface OpeningAt {
  readonly at: Instant;
  readonly closedAt?: Instant;
  readonly settlement?: Pick<SettledBreak, "person" | "reason">;
}

function open(differences: readonly Break[], { at, closedAt, settlement }: OpeningAt): Transaction<void> {
  return insertRows(
    `insert into break_opening (break_id, kind, severity, sentence, reference, payout_id, deposit_id,
      custody_account_id, field, expected, found, last_seen_at, amount, currency, opened_at, closed_at,
      settled_at, settled_by, reason)`,
    differences.map((difference) => {
      const settled = [settlement && at, settlement?.person, settlement?.reason];
      return [difference.id, difference.kind, ...contentsOf(difference), at, closedAt, ...settled];
    }),
  );
}

/** Updates the same opening to what this comparison found. Drops a proposed settlement if the break has changed. */
function* update(opening: Opening, difference: Break): Transaction<void> {
  const contents = contentsOf(difference);
  if (JSON.stringify(contentsOf(opening)) === JSON.stringify(contents)) return;
  const seq = seqOf(opening.opening);
  yield* run({ text: UPDATE, values: [...contents, seq].map((value) => value ?? null) });
  if (opening.proposed !== undefined && saidBy(opening) !== saidBy(difference))
    yield* run(sql`update break_opening set proposed_at = null, settled_by = null, reason = null
      where seq = ${seq}`);
}

const UPDATE = `update break_opening set severity = ?, sentence = ?, reference = ?, payout_id = ?, deposit_id = ?,
    custody_account_id = ?, field = ?, expected = ?, found = ?, last_seen_at = ?, amount = ?, currency = ?
  where seq = ?`;

function* close(openings: readonly Pick<StoredBreak, "opening">[], at: Instant): Transaction<void> {
  yield* run(sql`update break_opening set closed_at = ${at} where seq in ${seqsOf(openings)}`);
}

/** In the order of the columns. All that may change while an opening lasts. */
function contentsOf(difference: Break): (string | undefined)[] {
  const { severity, sentence, reference, payoutId, depositId, custodyAccountId } = difference;
  const { field, expected, found, lastSeenAt, amount } = difference;
  const about = [severity, sentence, reference, payoutId, depositId, custodyAccountId];
  const money = [amount?.value.normalized().toString(), amount?.currency];
  return [...about, field, expected, found, lastSeenAt, ...money];
}

/**
 * The contents that a settlement covers. The sentence is left out, because some sentences mention how long the
 * break has been open.
 */
function saidBy({ severity, field, expected, found }: Break): string {
  return JSON.stringify([severity, field, expected, found]);
}

function listPresent(): Transaction<Opening[]> {
  return openingsIn(
    sql`select * from break_opening where closed_at is null order by opened_at desc, break_id`,
  );
}

type Row = Omit<Opening, "id" | "opening" | "amount" | "person" | "second" | "proposed"> & {
  readonly seq: number;
  readonly breakId: string;
  readonly amount?: string;
  readonly currency?: string;
  readonly proposedAt?: Instant;
  readonly settledBy?: string;
  readonly settledSecond?: string;
};

function* openingsIn(statement: Statement): Transaction<Opening[]> {
  return (yield* objects<Row>(statement)).map((row) => {
    const { seq, breakId, amount, currency, proposedAt, settledBy, settledSecond, reason, ...opening } = row;
    const isSettledRow = opening.settledAt !== undefined;
    const proposed =
      proposedAt !== undefined && !isSettledRow
        ? { at: proposedAt, person: settledBy ?? "", reason: reason ?? "" }
        : undefined;
    return {
      id: breakId,
      opening: openingName(seq),
      ...opening,
      ...present({
        amount: amount !== undefined && currency !== undefined ? amountOf(amount, currency) : undefined,
        proposed,
        ...(isSettledRow && { person: settledBy, second: settledSecond, reason }),
      }),
    };
  });
}

function openingName(seq: number): string {
  return `BR-${seq}`;
}

function seqsOf(openings: readonly Pick<StoredBreak, "opening">[]): readonly number[] {
  return openings.flatMap(({ opening }) => seqOf(opening) ?? []);
}

/** The number in "BR-12", in upper or lower case. */
function seqOf(opening: string): number | undefined {
  const digits = /^BR-(\d{1,15})$/i.exec(opening)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
