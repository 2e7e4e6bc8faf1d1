/**
 * Reconciliation breaks: they open, stay while the difference stays, and close when it is gone. A break that a person
 * settled counts as open again as soon as it says something else, or comes again after it was gone. Nothing is deleted.
 */
import type { Break, BreakSeverity, Instant, InstructionId } from "../model/index.ts";
import { all, objects, run, sql, type Transaction } from "./sql.ts";

export interface StoredBreak extends Break {
  readonly openedAt: Instant;
}

export interface SettledBreak extends StoredBreak {
  readonly settledAt: Instant;
  readonly person: string;
  readonly reason: string;
}

/** Opens the breaks in `found` that are new or come back, and closes those no longer found. */
export function* replaceOpenBreaks(found: readonly Break[], at: Instant): Transaction<void> {
  const ids = found.map(({ id }) => id);
  yield* run(sql`update break set closed_at = ${at}
    where closed_at is null and id not in ${ids}`);
  // A difference that comes again after it was gone is a new one, which nobody has settled.
  yield* run(sql`update break_settlement set said = '' where break_id in ${ids}
    and exists (select 1 from break where id = break_id and closed_at is not null and closed_at >= settled_at)`);
  for (const difference of found) {
    yield* run(sql`insert into break (id, kind, body, opened_at) values (${difference.id}, ${difference.kind}, ${JSON.stringify(difference)}, ${at})
      on conflict (id) do update set body = excluded.body, closed_at = null,
        opened_at = case when break.closed_at is null then break.opened_at else excluded.opened_at end`);
  }
}

/**
 * Keeps a break that came and went between two comparisons as one that has closed: a payment sent meanwhile may have
 * replaced its payment. One that a comparison opened stays for the next comparison to close.
 */
export function* keepPassedBreak(passed: Break, at: Instant): Transaction<void> {
  yield* run(sql`insert into break (id, kind, body, opened_at, closed_at) values (${passed.id}, ${passed.kind}, ${JSON.stringify(passed)}, ${at}, ${at})
    on conflict (id) do update set closed_at = excluded.closed_at where break.closed_at is not null`);
}

/** Present breaks that need somebody, newest first. */
export function* listOpenBreaks(): Transaction<StoredBreak[]> {
  return (yield* presentBreaks()).flatMap(({ found, settled }) => (settled === undefined ? [found] : []));
}

/**
 * By id, the payouts and deposits that the last comparison found to be not shown, settled or not, and when each had been
 * seen last: undefined for one that was never shown.
 */
export function* listMissed(): Transaction<ReadonlyMap<string, Instant | undefined>> {
  const found = (yield* presentBreaks()).map((present) => present.found);
  const missed = found.filter(({ kind }) => kind === "not-shown" || kind === "missing");
  return new Map(
    missed.map(({ payoutId, depositId, lastSeenAt }) => [payoutId ?? depositId ?? "", lastSeenAt]),
  );
}

export type BreakCounts = Readonly<Record<BreakSeverity, number>>;

export function* countOpenBreaks(): Transaction<BreakCounts> {
  return countBySeverity(yield* listOpenBreaks());
}

export function countBySeverity(breaks: readonly Pick<Break, "severity">[]): BreakCounts {
  const count = (severity: BreakSeverity) => breaks.filter((each) => each.severity === severity).length;
  return { alarm: count("alarm"), warning: count("warning"), note: count("note") };
}

/** Present breaks that a person settled, newest first. */
export function* listSettledBreaks(): Transaction<SettledBreak[]> {
  return (yield* presentBreaks()).flatMap(({ found, settled }) =>
    settled === undefined ? [] : [{ ...found, ...settled }],
  );
}

export type SettledBy = Pick<SettledBreak, "person" | "reason">;

/** By accepted payment whose payout was reported as failed, unknown or missing, who settled that, also once it has closed. */
export function* listSettledPayments(): Transaction<ReadonlyMap<InstructionId, SettledBy>> {
  const rows = yield* all<SettledBy & { readonly id: InstructionId }>(sql`
    select instruction.id, person, break_settlement.reason from break_settlement join break on break.id = break_id
      join instruction on payout_id = json_extract(body, '$.payoutId')
    where kind in ('failed', 'unknown-state', 'missing') and standing = 'accepted'`);
  return new Map(rows.map(({ id, ...by }) => [id, by]));
}

/** Settles breaks by a person's word; each stays settled while it says the same. */
export function* settleBreaks(
  breaks: readonly Pick<Break, "id" | "severity" | "field" | "expected" | "found">[],
  { settledAt, person, reason }: Pick<SettledBreak, "settledAt" | "person" | "reason">,
): Transaction<void> {
  for (const found of breaks)
    yield* run(sql`insert into break_settlement (break_id, said, settled_at, person, reason)
      values (${found.id}, ${saidBy(found)}, ${settledAt}, ${person}, ${reason})
      on conflict (break_id) do update set said = excluded.said, settled_at = excluded.settled_at, person = excluded.person, reason = excluded.reason`);
}

/** What a settlement covers. Not the sentence: some mention how long the break has been open. */
function saidBy({ severity, field, expected, found }: Parameters<typeof settleBreaks>[0][number]): string {
  return JSON.stringify([severity, field, expected, found]);
}

function* presentBreaks() {
  const rows = yield* objects<
    Omit<SettledBreak, keyof Break> & {
      readonly body: string;
      /** Absent if the break was never settled, as are the other members about the settlement. */
      readonly said?: string;
    }
  >(sql`select body, opened_at, said, settled_at, person, reason
    from break left join break_settlement on break_id = id where closed_at is null order by opened_at desc, id`);
  return rows.map(({ body, openedAt, said, ...settlement }) => {
    const found: StoredBreak = { ...(JSON.parse(body) as Break), openedAt };
    return { found, settled: said === saidBy(found) ? settlement : undefined };
  });
}
