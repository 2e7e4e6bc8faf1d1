/** Sweeps under every configured key: all payouts, all deposits, and the balances. */
import { unlessStopped } from "../context/context.ts";
import { problem } from "../faults/index.ts";
import { IdSet } from "../model/id-set.ts";
import {
  type CustodyAccountId,
  DAY_MS,
  ENDED_DEPOSIT_STATES,
  ENDED_PAYOUT_STATES,
  type Instant,
  minuteText,
  type ObservedBalance,
  OPEN_PAYOUT_STATES,
  secondsBetween,
  shifted,
} from "../model/index.ts";
import {
  type AbsenceLook,
  DEPOSITS,
  lookForAbsent,
  type ObservationTools,
  observeBalances,
  PAYOUTS,
  type Sweep,
  sweep,
  track,
} from "../observation/index.ts";
import {
  type AbsentSighting,
  countLately,
  countPresent,
  endSweep,
  listAbsentAfter,
  listFirstSeen,
  listIdsAfter,
  listMissingSharing,
  noteAskedById,
} from "../store/absent.ts";
import { listMissed } from "../store/breaks.ts";
import { listMissingOrFailedDeposits } from "../store/changes.ts";
import { waitIfMissed } from "../store/compared.ts";
import { listNeverShown } from "../store/comparison.ts";
import { listIdsNotIn, type ObservedKind, type StoredSighting } from "../store/observed.ts";
import type { Transaction } from "../store/sql.ts";
import type { Store } from "../store/store.ts";
import { inWindows } from "../store/windows.ts";
import { checkAgreement } from "../workplace/agreement.ts";
import { custodyAccountsOf } from "../workplace/custody-accounts.ts";
import { custodyAccountsElsewhere, type Workplace } from "../workplace/workplace.ts";

export type ByKind<Value> = Readonly<Record<ObservedKind, Value>>;

export const KINDS = ["payout", "deposit"] as const satisfies readonly ObservedKind[];

export interface SweptKeys {
  /**
   * The earliest time that the sweep's sightings can have in the store, even if the clock was set back meanwhile.
   */
  readonly begunAt: Instant;
  /** A payout accepted later may not show yet; if it never does, a later comparison reports it. */
  readonly shownUntil: Instant;
  readonly payoutSweep: Sweep;
  readonly depositSweep: Sweep;
  /** Payouts and deposits that the service shows in a form that cannot be read. */
  readonly unreadable: ReadonlySet<string>;
  /** Payouts and deposits that the service did not show even when asked for them by id. */
  readonly absent: ReadonlySet<string>;
  /** By kind and ended state: the earliest end among the elements that it showed. */
  readonly endsShownSince: ByKind<ReadonlyMap<string, Instant>>;
  /**
   * The payouts and deposits that the last comparison found missing, with the time when each was last seen. An
   * incomplete sweep keeps an element in this list; seeing it again removes it.
   */
  readonly missedBefore: ReadonlyMap<string, Instant | undefined>;
  /** The present balances of the configured custody accounts. */
  readonly balances: readonly ObservedBalance[];
}

/** A sweep of everything. */
export interface SweptWhole extends SweptKeys {
  /** By kind, for each key, one element that its last page showed. */
  readonly shownLast: ByKind<readonly string[]>;
}

/**
 * Sweeps under each key in turn (an element that two keys show counts twice), then asks by id for elements that the
 * pages did not show. Throws SERVICE_ faults and CONFIGURATION_DIFFERS.
 */
export async function sweepKeys(workplace: Workplace): Promise<SweptWhole> {
  await checkAgreement(workplace);
  const { store, config } = workplace;
  const { sweeps, begunAt } = await sweepPages(workplace);
  const problems = [...sweeps.payout, ...sweeps.deposit].flatMap((each) => each.problems);
  const unreadable = problems.flatMap(
    ({ payoutId, depositId }) => (payoutId ?? depositId)?.toLowerCase() ?? [],
  );
  const known = {
    begunAt,
    shownUntil: shifted(begunAt, -config.doubt.settleMinutes * 60_000),
    unreadable: new Set(unreadable),
    ...(await store.read(() => absenceData())),
  };
  const { looks, leftOut, balances } = await lookUnderKeys(workplace, sweeps, known);
  const absent = provenAbsent(looks);
  await store.write(function* (): Transaction<void> {
    for (const kind of KINDS) yield* noteAskedById(kind, absent[kind]);
  });
  const payouts = mergeSweeps([...sweeps.payout, ...looks.payout]);
  const deposits = mergeSweeps([...sweeps.deposit, ...looks.deposit]);
  return {
    ...known,
    payoutSweep: await unlessEmpty(workplace, PAYOUTS, payouts, begunAt),
    depositSweep: await unlessEmpty(workplace, DEPOSITS, deposits, begunAt),
    absent: new Set([...absent.payout, ...absent.deposit].filter((id) => !leftOut.has(id))),
    balances,
    shownLast: {
      payout: sweeps.payout.flatMap(({ shownId }) => shownId ?? []),
      deposit: sweeps.deposit.flatMap(({ shownId }) => shownId ?? []),
    },
  };
}

/** Sweeps the pages under each key, and stores which elements they no longer show. */
async function sweepPages(workplace: Workplace) {
  const sweeps = { payout: [] as Sweep[], deposit: [] as Sweep[] };
  const seen = { payout: new IdSet(), deposit: new IdSet() };
  for (const view of workplace.underKeys) {
    const { tools } = view.service();
    sweeps.payout.push(await sweep(tools, PAYOUTS, {}, seen.payout));
    sweeps.deposit.push(await sweep(tools, DEPOSITS, {}, seen.deposit));
  }
  const [begunAt = ""] = [...sweeps.payout, ...sweeps.deposit].flatMap((each) => each.begunAt).sort();
  for (const kind of KINDS) {
    await writeMissing(workplace, kind, begunAt, seen[kind]);
    seen[kind].clear();
  }
  return { sweeps, begunAt };
}

/** Asks under each key by id for what its pages should have shown and did not, and reads its balances. */
async function lookUnderKeys(
  workplace: Workplace,
  sweeps: ByKind<readonly Sweep[]>,
  known: Parameters<typeof idsNotShown>[3],
) {
  const looks = { payout: [] as AbsenceLook[], deposit: [] as AbsenceLook[] };
  const leftOut = new Set<string>();
  const balances: ObservedBalance[] = [];
  for (const [index, view] of workplace.underKeys.entries()) {
    const { tools } = view.service();
    const elsewhere = custodyAccountsElsewhere(workplace, view);
    for (const kind of KINDS) {
      const notShown = await idsNotShown(workplace.store, kind, elsewhere, known);
      looks[kind].push(await lookForAbsentOf(kind, tools, notShown.ids, sweeps[kind][index]?.shownId));
      for (const id of notShown.leftOut) leftOut.add(id);
    }
    balances.push(...(await balancesUnder(view)));
  }
  return { looks, leftOut, balances };
}

export function lookForAbsentOf(
  kind: ObservedKind,
  tools: ObservationTools,
  ids: readonly string[],
  shownId: string | undefined,
): Promise<AbsenceLook> {
  return kind === "payout"
    ? lookForAbsent(tools, PAYOUTS, ids, shownId)
    : lookForAbsent(tools, DEPOSITS, ids, shownId);
}

/**
 * The sweep, incomplete if it showed nothing of what the service showed within watchDays: an empty answer may be a
 * failure of the service, and proves nothing.
 */
async function unlessEmpty(
  { store, config }: Workplace,
  { kind, operation }: Pick<typeof PAYOUTS | typeof DEPOSITS, "kind" | "operation">,
  sweep: Sweep,
  begunAt: Instant,
): Promise<Sweep> {
  if (sweep.elementsSeen > 0) return sweep;
  const since = shifted(begunAt, -config.reconciliation.watchDays * DAY_MS);
  const { count, lastSeenAt } = await store.read(() => countLately(kind, since));
  if (count === 0 || lastSeenAt === null) return sweep;
  const were = count === 1 ? `a ${kind} was` : `${count} ${kind}s were`;
  const reason = `they show nothing, although ${were} shown until ${minuteText(lastSeenAt)}`;
  const empty = problem("PAGING_UNSTABLE", { operation, reason }, { operation });
  return { ...sweep, complete: false, problems: [...sweep.problems, empty] };
}

/** The ids that are proven absent and undecided under no key. */
export function provenAbsent(looks: ByKind<readonly AbsenceLook[]>): ByKind<readonly string[]> {
  const undecided = new Set([...looks.payout, ...looks.deposit].flatMap((look) => look.undecided));
  const provenBy = (some: readonly AbsenceLook[]) =>
    some.flatMap(({ absent }) => absent).filter((id) => !undecided.has(id));
  return { payout: provenBy(looks.payout), deposit: provenBy(looks.deposit) };
}

/** The data for judging an absence. */
export function* absenceData(): Transaction<Pick<SweptKeys, "endsShownSince" | "missedBefore">> {
  const endsShownSince = {
    payout: yield* listFirstSeen("payout", ENDED_PAYOUT_STATES),
    deposit: yield* listFirstSeen("deposit", ENDED_DEPOSIT_STATES),
  };
  return { endsShownSince, missedBefore: yield* listMissed() };
}

/**
 * The ids that should be shown under a key and are not, without the custody accounts `elsewhere`, and without
 * elements that the pages show in an unreadable form. Deposits never shown are asked for under every key.
 * `leftOut`: those of them whose absence is expected, and which are asked for because another deposit may list their
 * receipts now.
 */
export async function idsNotShown(
  store: Store,
  kind: ObservedKind,
  elsewhere: readonly CustodyAccountId[],
  swept: Pick<SweptKeys, "shownUntil" | "endsShownSince" | "unreadable">,
): Promise<{ readonly ids: readonly string[]; readonly leftOut: readonly string[] }> {
  const { shownUntil, unreadable } = swept;
  const ids: string[] = await store.read(function* () {
    if (kind === "payout") return yield* listNeverShown(elsewhere);
    const missing = yield* listMissingOrFailedDeposits(shownUntil, []);
    return missing.map(({ depositId }) => depositId);
  });
  const leftOut: string[] = [];
  const missed: string[] = [];
  const sharing = kind === "deposit" ? await store.read(() => listMissingSharing()) : new Set<string>();
  const unseen = inWindows<AbsentSighting>(store, (last) =>
    listAbsentAfter(kind, elsewhere, last?.id ?? "", SIGHTINGS_TOGETHER),
  );
  for await (const window of unseen)
    for (const sighting of window) {
      const isLeftOut = mayBeLeftOut(sighting, swept);
      if (isLeftOut && !sharing.has(sighting.id)) continue;
      (isLeftOut ? leftOut : missed).push(sighting.id);
      ids.push(sighting.id);
    }
  // A comparison may have kept what it expected to be absent, until an element that ended earlier is shown again.
  if (missed.length > 0) await store.write(() => waitIfMissed(kind, missed));
  return { ids: ids.filter((id) => !unreadable.has(id)), leftOut };
}

const SIGHTINGS_TOGETHER = 500;
const IDS_TOGETHER = 5_000;

/** Stores which elements ever seen the sweeps did not show. */
async function writeMissing(
  { store, context }: Workplace,
  kind: ObservedKind,
  begunAt: Instant,
  seen: IdSet,
): Promise<void> {
  const missing: string[] = [];
  // Everything shown is stored now. So counting detects the common case, in which no element is missing.
  if ((await store.read(() => countPresent(kind))) !== seen.size) {
    const all = inWindows<{ readonly id: string }>(store, (last) =>
      listIdsAfter(kind, last?.id ?? "", IDS_TOGETHER),
    );
    for await (const window of all) {
      unlessStopped(context);
      missing.push(...window.flatMap(({ id }) => (seen.has(id) ? [] : [id])));
    }
  }
  await store.write(() => endSweep(kind, begunAt, missing));
}

/**
 * Repeats the balances and every element that was not final. Includes payouts that the service has received since
 * the sweep, because their money may have left before the balances were read. Throws a SERVICE_ fault.
 */
export async function lookAgain(workplace: Workplace, swept: SweptKeys): Promise<SweptKeys> {
  const { store } = workplace;
  const balances: ObservedBalance[] = [];
  for (const view of workplace.underKeys) {
    const { tools } = view.service();
    const elsewhere = custodyAccountsElsewhere(workplace, view);
    await sweep(tools, PAYOUTS, { states: OPEN_PAYOUT_STATES });
    const payoutIds = await store.read(() => listIdsNotIn("payout", ENDED_PAYOUT_STATES, elsewhere));
    await track(tools, PAYOUTS, payoutIds);
    const depositIds = await store.read(() => listIdsNotIn("deposit", ENDED_DEPOSIT_STATES, elsewhere));
    await track(tools, DEPOSITS, depositIds);
    balances.push(...(await balancesUnder(view)));
  }
  return { ...swept, balances };
}

export function balancesUnder(view: Workplace): Promise<ObservedBalance[]> {
  return observeBalances(
    view.service().tools,
    custodyAccountsOf(view.config).map(({ id }) => id),
  );
}

const LEFT_OUT_AFTER_SECONDS = DAY_MS / 1000;

/**
 * When an element was last seen that the service no longer shows; undefined if it does, or if its absence is not
 * proven.
 */
export function notShownSince(
  known: StoredSighting,
  swept: Omit<SweptKeys, "balances">,
): Instant | undefined {
  const { id, kind, lastSeenAt } = known;
  if (!known.isMissing) return undefined;
  if (swept.absent.has(id)) return lastSeenAt;
  const { complete } = kind === "payout" ? swept.payoutSweep : swept.depositSweep;
  const isLeftOut = complete && mayBeLeftOut(known, swept);
  return !isLeftOut && swept.missedBefore.get(id) === lastSeenAt ? lastSeenAt : undefined;
}

/**
 * Whether an absence is expected: a service may drop ended elements after a while. Two exceptions:
 * - An element seen only once may never have existed.
 * - An element shown for less than a day was lost (the service may have restored a backup), if one that ended
 *   earlier in the same state is still shown.
 */
export function mayBeLeftOut(
  { kind, state, firstSeenAt, stateSeenAt, lastSeenAt }: AbsentSighting,
  { endsShownSince }: Pick<SweptKeys, "endsShownSince">,
): boolean {
  const hasEnded = (kind === "payout" ? ENDED_PAYOUT_STATES : ENDED_DEPOSIT_STATES).includes(state);
  const earliest = endsShownSince[kind].get(state) ?? stateSeenAt;
  const wasKeptLong = secondsBetween(firstSeenAt, lastSeenAt) >= LEFT_OUT_AFTER_SECONDS;
  return hasEnded && firstSeenAt < lastSeenAt && (wasKeptLong || stateSeenAt <= earliest);
}

/** One sweep with the counts of all. Of several that stayed inconsistent, names the first. */
export function mergeSweeps(sweeps: readonly Sweep[]): Sweep {
  const problems = sweeps.flatMap((each) => each.problems);
  const firstUnstable = problems.find(({ code }) => code === "PAGING_UNSTABLE");
  const totals = sweeps.flatMap(({ total }) => total ?? []);
  return {
    begunAt: sweeps.flatMap(({ begunAt }) => begunAt),
    ...(totals.length > 0 && { total: totals.reduce((sum, total) => sum + total, 0) }),
    elementsSeen: sweeps.reduce((sum, { elementsSeen }) => sum + elementsSeen, 0),
    pagesRead: sweeps.reduce((sum, { pagesRead }) => sum + pagesRead, 0),
    complete: sweeps.every(({ complete }) => complete),
    changesCount: sweeps.reduce((sum, { changesCount }) => sum + changesCount, 0),
    changes: sweeps.flatMap(({ changes }) => changes),
    problems: problems.filter((each) => each.code !== "PAGING_UNSTABLE" || each === firstUnstable),
  };
}
