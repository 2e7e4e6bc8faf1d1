/** The data that a short night builds on: the last complete sweep, and the elements that may still change. */
import { chunks } from "../model/chunks.ts";
import type { Instant, ObservedKind, Standing } from "../model/index.ts";
import { listOpenStates } from "./observed.ts";
import { column, ITEMS_PER_STATEMENT, objects, run, sql, type Transaction } from "./sql.ts";

export interface LastLook {
  /** When the last complete sweep began whose night was kept; absent if another sweep has ended since. */
  readonly fullAt?: Instant;
  /** When the last sweep or look for new elements began. */
  readonly lookedAt?: Instant;
  /** The latest creation date that it showed; with several keys, the earliest of theirs. Absent if not known. */
  readonly newest?: Instant;
  /**
   * How many more elements the service counted than it showed. Its count may be wrong, but by a constant number.
   */
  readonly beyond?: number;
}

export function* readLastLook(kind: ObservedKind): Transaction<LastLook> {
  const [look = {}] = yield* objects<LastLook>(
    sql`select full_at, looked_at, newest, beyond from sweep where kind = ${kind}`,
  );
  return look;
}

/** Records a look for new elements. */
export function* keepLook(kind: ObservedKind, lookedAt: Instant, newest: string | undefined) {
  yield* run(sql`update sweep set looked_at = ${lookedAt}, newest = ${newest} where kind = ${kind}`);
}

/** Records a complete sweep. Runs in the transaction that keeps its night. */
export function* keepFullSweep(kind: ObservedKind, { newest, beyond }: Pick<LastLook, "newest" | "beyond">) {
  yield* run(sql`update sweep set full_at = at, looked_at = at, newest = ${newest}, beyond = ${beyond}
    where kind = ${kind}`);
}

/**
 * The ids that a short night must ask for: elements that have not ended, that ended or changed after their end
 * since `since`, that wait to be compared, or that have a break, settled or not. Without missing elements and
 * without the custody accounts `except`, given in lower case.
 */
export function* listToWatch(
  kind: ObservedKind,
  ended: readonly string[],
  since: Instant,
  except: readonly string[],
): Transaction<readonly string[]> {
  const open = yield* listOpenStates(kind, ended);
  const ids: string[] = [];
  const chosen = [
    sql`select id from observed where kind = ${kind} and state in ${open}`,
    ...ended.map(
      (state) => sql`select id from observed
        where kind = ${kind} and state = ${state} and state_seen_at >= ${since}`,
    ),
    sql`select id from observed where kind = ${kind} and said_at > state_seen_at and said_at >= ${since}`,
    sql`select id from uncompared where kind = ${kind}`,
    kind === "payout"
      ? sql`select payout_id as id from break_opening where closed_at is null and payout_id is not null`
      : sql`select deposit_id as id from break_opening where closed_at is null and deposit_id is not null`,
  ];
  for (const statement of chosen) ids.push(...(yield* column<string>(statement)));
  const shown: string[] = [];
  for (const some of chunks([...new Set(ids)], ITEMS_PER_STATEMENT)) {
    const found = yield* column<string>(sql`select id from observed
      where kind = ${kind} and id in ${some} and coalesce(lower(json_extract(raw, '$.accountId')), '') not in ${except}
        and not exists (select 1 from absent where absent.kind = observed.kind and absent.id = observed.id)`);
    shown.push(...found);
  }
  return shown;
}

/**
 * The elements from or to a custody account, without missing ones and without those on the accounts `except`; all
 * in lower case.
 */
export function listIdsOfAccount(
  kind: ObservedKind,
  account: string,
  except: readonly string[],
): Transaction<readonly string[]> {
  return column(sql`select id from observed where kind = ${kind}
      and (lower(json_extract(raw, '$.accountId')) = ${account}
        or lower(json_extract(raw, '$.destinationAccountId')) = ${account})
      and coalesce(lower(json_extract(raw, '$.accountId')), '') not in ${except}
      and not exists (select 1 from absent where absent.kind = observed.kind and absent.id = observed.id)`);
}

/**
 * References of payments that have a submission and may still get a payout: those approved again, sending, in doubt
 * or held, and those that ended without a payout since `since`.
 */
export function listMayYetShow(since: Instant): Transaction<readonly string[]> {
  const inDoubt = ["approved", "sending", "in doubt", "held"] as const satisfies readonly Standing[];
  const ended = ["refused", "abandoned", "withdrawn"] as const satisfies readonly Standing[];
  return column(sql`select reference from instruction
    where payout_id is null and (standing in ${inDoubt} or (standing in ${ended} and changed_at >= ${since}))
      and exists (select 1 from submission where instruction_id = instruction.id)`);
}

/** When the first of these elements was created; undefined if any creation date is missing. */
export function* earliestCreation(
  kind: ObservedKind,
  ids: readonly string[],
): Transaction<Instant | undefined> {
  const created = yield* column<string | null>(sql`select json_extract(raw, '$.createdDate')
    from observed where kind = ${kind} and id in ${ids}`);
  const dates = created.map((at) => Date.parse(at ?? ""));
  return dates.length === 0 || dates.some(Number.isNaN)
    ? undefined
    : new Date(Math.min(...dates)).toISOString();
}
