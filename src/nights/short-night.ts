/**
 * A short night: asks by id for elements that may have changed, and looks for new ones, newest first. Records only
 * those elements as missing that it asked for by id. If it could miss something, a full night is made instead.
 */
import { ServiceFault } from "../gateway/index.ts";
import { chunks } from "../model/chunks.ts";
import { IdSet } from "../model/id-set.ts";
import {
  type CustodyAccountId,
  DAY_MS,
  ENDED_DEPOSIT_STATES,
  ENDED_PAYOUT_STATES,
  type Instant,
  type ObservedBalance,
  shifted,
} from "../model/index.ts";
import {
  type AbsenceLook,
  DEPOSITS,
  type LookForNew,
  lookByReferences,
  lookForNew,
  type ObservationTools,
  type Observed,
  PAYOUTS,
} from "../observation/index.ts";
import { countPresent, noteAskedById, noteMissing } from "../store/absent.ts";
import type { ObservedKind } from "../store/observed.ts";
import {
  type LastLook,
  listIdsOfAccount,
  listMayYetShow,
  listToWatch,
  readLastLook,
} from "../store/short-nights.ts";
import type { Transaction } from "../store/sql.ts";
import { checkAgreement } from "../workplace/agreement.ts";
import { custodyAccountsElsewhere, type Workplace } from "../workplace/workplace.ts";
import type { ShortLook, WhyFull } from "./rules/night-look.ts";
import {
  absenceData,
  type ByKind,
  balancesUnder,
  idsNotShown,
  KINDS,
  lookForAbsentOf,
  mergeSweeps,
  provenAbsent,
  type SweptKeys,
} from "./sweep-keys.ts";

export interface ShortPlan {
  /** When the older one of the last complete sweeps began. */
  readonly fullAt: Instant;
  /** Elements that ended before this instant are not asked for. */
  readonly watchedSince: Instant;
  /** Elements created since then are new. */
  readonly createdSince: ByKind<Instant>;
  /** How many more elements the service counted than it showed. */
  readonly beyond: ByKind<number>;
  /** By key, the ids to ask for. */
  readonly watched: readonly ByKind<readonly string[]>[];
}

/** A service may show a payout some time after it has made it, and clocks differ. */
const OVERLAP_MS = 2 * DAY_MS;

/** A full night is due this much early, so that a job started a little sooner than last week still makes it. */
const EARLIER_MS = DAY_MS / 2;

/** The plan of a short night, or why tonight must be a full one. `account`: also ask for everything on it. */
export async function planShortNight(
  workplace: Workplace,
  account?: CustodyAccountId,
): Promise<ShortPlan | WhyFull> {
  const { store, config, context } = workplace;
  const { watchDays, fullSweepDays } = config.reconciliation;
  const now = context.clock.now();
  const { payout, deposit, present } = await store.read(function* () {
    return {
      payout: yield* readLastLook("payout"),
      deposit: yield* readLastLook("deposit"),
      present: { payout: yield* countPresent("payout"), deposit: yield* countPresent("deposit") },
    };
  });
  const [fullAt] = [payout.fullAt ?? "", deposit.fullAt ?? ""].sort();
  // A look in the future has the time of a clock that has since been set back.
  const isAhead = [payout, deposit].some(({ fullAt: at = "", lookedAt = "" }) => at > now || lookedAt > now);
  if (!fullAt || isAhead) return "first";
  if (now >= shifted(fullAt, fullSweepDays * DAY_MS - EARLIER_MS)) return "due";
  if (Math.max(present.payout, present.deposit) <= config.paging.size) return "few";
  const createdSince = {
    payout: newSince(payout, present.payout),
    deposit: newSince(deposit, present.deposit),
  };
  const isSorted = Object.keys(config.paging.sort).join() === "createdDate";
  if (!isSorted || createdSince.payout === undefined || createdSince.deposit === undefined) return "unsorted";
  const watchedSince = shifted(now, -watchDays * DAY_MS);
  const watched: ByKind<readonly string[]>[] = [];
  for (const view of workplace.underKeys) {
    const elsewhere = custodyAccountsElsewhere(workplace, view);
    watched.push(
      await store.read(function* () {
        return {
          payout: yield* listToWatch("payout", ENDED_PAYOUT_STATES, watchedSince, elsewhere),
          deposit: yield* listToWatch("deposit", ENDED_DEPOSIT_STATES, watchedSince, elsewhere),
        };
      }),
    );
  }
  const asked = watched.reduce((sum, ids) => sum + ids.payout.length + ids.deposit.length, 0);
  if (asked * 2 > present.payout + present.deposit) return "many";
  return {
    fullAt,
    watchedSince,
    createdSince: { payout: createdSince.payout, deposit: createdSince.deposit },
    beyond: { payout: payout.beyond ?? 0, deposit: deposit.beyond ?? 0 },
    watched: account === undefined ? watched : await withAccount(workplace, watched, account),
  };
}

/**
 * Elements created since the earlier of two times are new, because either the service's clock or ours may be
 * behind.
 */
function newSince({ lookedAt = "", newest }: LastLook, present: number): Instant | undefined {
  if (newest === undefined && present > 0) return undefined;
  const [earlier = lookedAt] = [lookedAt, newest ?? lookedAt].sort();
  return shifted(earlier, -OVERLAP_MS);
}

/**
 * Also asks for everything on the account. Elements that lead to it from another account are asked for under that
 * account's key.
 */
async function withAccount(
  workplace: Workplace,
  watched: ShortPlan["watched"],
  account: CustodyAccountId,
): Promise<ShortPlan["watched"]> {
  const all: ByKind<readonly string[]>[] = [];
  for (const [index, view] of workplace.underKeys.entries()) {
    const { payout = [], deposit = [] } = watched[index] ?? {};
    const elsewhere = custodyAccountsElsewhere(workplace, view);
    const own = await workplace.store.read(() => idsOfAccount(account, elsewhere));
    all.push({
      payout: [...new Set([...payout, ...own.payout])],
      deposit: [...new Set([...deposit, ...own.deposit])],
    });
  }
  return all;
}

/** Leaves out elements on the accounts `except`. */
export function* idsOfAccount(
  account: CustodyAccountId,
  except: readonly CustodyAccountId[] = [],
): Transaction<ByKind<readonly string[]>> {
  return {
    payout: yield* listIdsOfAccount("payout", account, except),
    deposit: yield* listIdsOfAccount("deposit", account, except),
  };
}

export interface SweptShortly {
  readonly swept: SweptKeys;
  readonly look: ShortLook;
  /** By kind, the latest creation that was shown. */
  readonly newest: ByKind<string | undefined>;
}

/**
 * Looks for new elements under each key, then asks by id and reads the balances under each. Returns why that is not
 * enough if it may have missed an element. Throws SERVICE_ faults and CONFIGURATION_DIFFERS.
 */
export async function sweepShortly(workplace: Workplace, plan: ShortPlan): Promise<SweptShortly | WhyFull> {
  await checkAgreement(workplace);
  const { store, context, config } = workplace;
  const begunAt = context.clock.now();
  const shownUntil = shifted(begunAt, -config.doubt.settleMinutes * 60_000);
  const found: Found = {
    seen: { payout: new IdSet(), deposit: new IdSet() },
    news: { payout: [], deposit: [] },
    looks: { payout: [], deposit: [] },
    leftOut: new Set(),
    balances: [],
  };
  const whyUnfit = await findNewOnes(workplace, plan, found);
  if (whyUnfit !== undefined) return whyUnfit;
  const before = {
    begunAt,
    shownUntil,
    unreadable: new Set<string>(),
    ...(await store.read(() => absenceData())),
  };
  const whyUnclear = await askByIds(workplace, plan, found, before);
  if (whyUnclear !== undefined) return whyUnclear;
  const missing = missingIn(found);
  const present = await store.write(function* () {
    for (const kind of KINDS) {
      yield* noteMissing(kind, begunAt, missing[kind]);
      yield* noteAskedById(kind, missing[kind]);
    }
    return { payout: yield* countPresent("payout"), deposit: yield* countPresent("deposit") };
  });
  const { seen, news, looks, leftOut, balances } = found;
  const payoutSweep = mergeSweeps([...news.payout, ...looks.payout]);
  const depositSweep = mergeSweeps([...news.deposit, ...looks.deposit]);
  const counted = { payout: payoutSweep.total ?? 0, deposit: depositSweep.total ?? 0 };
  // An empty answer proves nothing about elements that were not asked for.
  const isOff = (kind: ObservedKind) =>
    counted[kind] - present[kind] > plan.beyond[kind] || (counted[kind] === 0 && present[kind] > 0);
  if (KINDS.some(isOff)) return "miscounted";
  return {
    swept: {
      ...before,
      ...(await store.read(() => absenceData())),
      payoutSweep: { ...payoutSweep, elementsSeen: seen.payout.size },
      depositSweep: { ...depositSweep, elementsSeen: seen.deposit.size },
      absent: new Set([...missing.payout, ...missing.deposit].filter((id) => !leftOut.has(id))),
      balances,
    },
    look: {
      kind: "short",
      endedBefore: plan.watchedSince,
      seenSince: plan.fullAt,
      unseen: {
        payouts: Math.max(0, present.payout - seen.payout.size),
        deposits: Math.max(0, present.deposit - seen.deposit.size),
      },
    },
    newest: { payout: newestOf(news.payout), deposit: newestOf(news.deposit) },
  };
}

/** What a short night collects, key by key. */
interface Found {
  readonly seen: ByKind<IdSet>;
  readonly news: ByKind<LookForNew[]>;
  readonly looks: ByKind<AbsenceLook[]>;
  /** Asked for by id, although they may be absent. */
  readonly leftOut: Set<string>;
  readonly balances: ObservedBalance[];
}

/** Looks for new elements under each key; returns why that is not enough, if so. */
async function findNewOnes(
  { underKeys }: Workplace,
  { createdSince }: ShortPlan,
  found: Found,
): Promise<WhyFull | undefined> {
  for (const view of underKeys) {
    const { tools } = view.service();
    const why =
      (await newOnes(tools, PAYOUTS, createdSince.payout, found)) ??
      (await newOnes(tools, DEPOSITS, createdSince.deposit, found));
    if (why !== undefined) return why;
  }
  return undefined;
}

/** Asks under each key for what may have changed and was not seen yet; returns why that is not enough, if so. */
async function askByIds(
  workplace: Workplace,
  plan: ShortPlan,
  { seen, news, looks, leftOut, balances }: Found,
  before: Parameters<typeof idsNotShown>[3],
): Promise<WhyFull | undefined> {
  const { store, underKeys } = workplace;
  const references = await store.read(() => listMayYetShow(plan.watchedSince));
  for (const [index, view] of underKeys.entries()) {
    const { tools } = view.service();
    const elsewhere = custodyAccountsElsewhere(workplace, view);
    for (const kind of KINDS) {
      const watched = plan.watched[index]?.[kind] ?? [];
      const notShown = await idsNotShown(store, kind, elsewhere, before);
      for (const id of notShown.leftOut) leftOut.add(id);
      for (const id of watched) leftOut.delete(id);
      const unseen = [...notShown.ids, ...watched].filter((id) => !seen[kind].has(id));
      const shownId = news[kind][index]?.shownId;
      for (const some of chunks(unseen, ASKED_TOGETHER)) {
        const look = await lookForAbsentOf(kind, tools, some, shownId);
        if (!look.complete) return "unclear";
        looks[kind].push(look);
        const absent = new Set(look.absent);
        for (const id of some) if (!absent.has(id)) seen[kind].add(id);
      }
    }
    const named = await lookByReferences(tools, references);
    if (!named.complete) return "unclear";
    for (const { payoutId } of [...named.byReference.values()].flat()) seen.payout.add(payoutId);
    balances.push(...(await balancesUnder(view)));
  }
  return undefined;
}

/** The ids that are proven absent under every key. */
function missingIn({ seen, looks }: Found): ByKind<readonly string[]> {
  const { payout, deposit } = provenAbsent(looks);
  return {
    payout: payout.filter((id) => !seen.payout.has(id)),
    deposit: deposit.filter((id) => !seen.deposit.has(id)),
  };
}

/** Limits the answers in memory until they are judged. */
const ASKED_TOGETHER = 2_000;

/** Adds a look for new elements under a key; returns why it is not enough, if so. */
async function newOnes<Element>(
  tools: ObservationTools,
  observed: Observed<Element>,
  createdSince: Instant,
  { seen, news }: Found,
): Promise<WhyFull | undefined> {
  const { kind } = observed;
  try {
    const look = await lookForNew(tools, observed, createdSince, seen[kind]);
    news[kind].push(look);
    if (!look.sortHeld) return "unsorted";
    return look.complete ? undefined : "unclear";
  } catch (error) {
    // The service answers, but does not accept this sort order.
    if (error instanceof ServiceFault && error.problem.code === "SERVICE_REFUSED_SEARCH") return "unsorted";
    throw error;
  }
}

/** With several keys, the earliest: older elements are not new under any key. */
function newestOf(looks: readonly LookForNew[]): string | undefined {
  return looks.flatMap(({ newest }) => newest ?? []).sort()[0];
}
