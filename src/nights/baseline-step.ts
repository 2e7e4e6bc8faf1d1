/**
 * Takes the baseline: the present balances become the opening balances. Payouts and deposits that have moved money,
 * have ended, or are no longer shown need no explanation from then on. Those that have yet to move money are still
 * compared, because the opening balances do not include them, but do not raise the alarm that no file asked for
 * them. A later baseline (for one more custody account, or another service) restarts the balance proof, but not the
 * books: movements since the books began are still booked. A baseline of an earlier day takes the present balances
 * minus all movements since that day, and these movements must be explained.
 */
import { fault, type Problem } from "../faults/index.ts";
import {
  type BalanceProofRow,
  type Break,
  correlatedCallbackUrl,
  type Day,
  dayIn,
  type Instant,
  movedAfter,
  type ObservedDeposit,
  type ObservedFunds,
  type ObservedPayout,
  payoutId,
  startOfDay,
} from "../model/index.ts";
import { Decimal } from "../money/index.ts";
import { depositWindows, type Known, knownByIds, payoutWindows } from "../observation/index.ts";
import { appendAudit } from "../store/audit.ts";
import { type BalanceSnapshot, listBalances, recordBalance } from "../store/balances.ts";
import { listOpenBreaks, type StoredBreak, settleFound } from "../store/breaks.ts";
import { findByPayoutIds, listUnresolved } from "../store/instructions.ts";
import { isAnyEntryPosted } from "../store/ledger-entries.ts";
import { type BaselineMark, markBeforeBaseline } from "../store/observed.ts";
import type { Transaction } from "../store/sql.ts";
import type { Store } from "../store/store.ts";
import { notShownAsConfigured } from "../workplace/custody-accounts.ts";
import { exclusivelyOrFault } from "../workplace/exclusively.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { compareWithSweep } from "./compare-all.ts";
import { notShownSince, type SweptKeys, sweepKeys } from "./sweep-keys.ts";

export interface BaselineReport {
  readonly openings: readonly BalanceSnapshot[];
  readonly payoutsBefore: number;
  readonly depositsBefore: number;
  /**
   * Elements in the opening balances that are booked nevertheless, because they were known before or are our own
   * payments.
   */
  readonly payoutsBooked: number;
  readonly depositsBooked: number;
  /** Open payouts that no file asked for: followed and booked, without an alarm. */
  readonly strangersOpen: number;
  /** Whether no money moved while the balances were taken. If false, a movement may be counted twice. */
  readonly isAtRest: boolean;
  /** Unsettled alarms that this baseline settles, or that the next comparison will no longer find. */
  readonly alarmsEnded: readonly StoredBreak[];
  /**
   * For a baseline of an earlier day: the number of later movements without an amount. If there are any, an opening
   * balance may be wrong.
   */
  readonly uncounted: number;
  /** Accounts not shown as configured, and elements that could not be read or kept moving: breaks will follow. */
  readonly problems: readonly Problem[];
}

/**
 * Takes the baseline; with `from`, that of the beginning of this day in the company's time zone. Throws UNDER_WAY
 * while another process compares, and USAGE for a future day.
 */
export async function baselineStep(
  workplace: Workplace,
  person: string,
  from?: Day,
): Promise<BaselineReport> {
  const { timeZone } = workplace.config.ledger;
  const today = dayIn(timeZone, workplace.context.clock.now());
  if (from !== undefined && from > today)
    throw fault("USAGE", {
      what: `a baseline from ${from} on cannot be taken yet: today is ${today}`,
      how: "Give today or an earlier day as --from, or leave it out for the present balances.",
    });
  const since = from === undefined ? undefined : startOfDay(timeZone, from);
  return exclusivelyOrFault(workplace, "reconcile", (alone) => takeBaseline(alone, person, since));
}

async function takeBaseline(
  workplace: Workplace,
  person: string,
  since: Instant | undefined,
): Promise<BaselineReport> {
  const { store, context } = workplace;
  const { swept, sweptAt, isAtRest } = await sweptAtRest(workplace);
  const balances = swept.balances.map((balance) => ({ ...balance, observedAt: since ?? balance.observedAt }));
  const openBreaks = await store.read(() => listOpenBreaks());
  const isBooked = await bookedNevertheless(store, sweptAt);
  const payouts = await idsBefore(payoutWindows(store), swept, isBooked, since);
  const deposits = await idsBefore(depositWindows(store), swept, isBooked, since);
  // Without the openings, these marks change no proof: a baseline that is cut short ends no proof and opens no break.
  await store.write(function* (): Transaction<void> {
    for (const mark of MARKS) {
      yield* markBeforeBaseline("payout", payouts[mark], mark);
      yield* markBeforeBaseline("deposit", deposits[mark], mark);
    }
  });
  const { breaks, balanceProof } = await compareWithSweep(workplace, swept, context.clock.now(), {
    openings: balances,
  });
  const openings = since === undefined ? balances : lessMovedSince(balances, balanceProof);
  const isFromBefore = await createdBefore(store, breaks, since);
  const { strangers = [], others = [] } = Object.groupBy(breaks, (each) =>
    each.kind === "unexpected" && each.field === undefined && isFromBefore(each) ? "strangers" : "others",
  );
  // With a day, the balances were compared before the movements since then were taken off.
  const judged = others.filter(({ kind }) => since === undefined || kind !== "balance");
  const stillOpen = new Set(judged.map(({ id }) => id));
  const reason = "it was there when the baseline was taken";
  await store.write(function* (): Transaction<void> {
    for (const opening of openings) yield* recordBalance("opening", opening);
    const at = context.clock.now();
    yield* settleFound(strangers, { settledAt: at, person, reason });
    const count = (ids: IdsBefore) => MARKS.reduce((sum, mark) => sum + ids[mark].length, 0);
    const detail = {
      balances: balances.length,
      payouts: count(payouts),
      deposits: count(deposits),
      ...(since !== undefined && { from: since }),
    };
    yield* appendAudit({ at, person, action: "baseline", subject: "reconciliation", detail });
  });
  const shown = new Map(openings.map(({ custodyAccountId: id, total }) => [id as string, total.currency]));
  const problems = [
    ...notShownAsConfigured(workplace.config, shown),
    ...swept.payoutSweep.problems,
    ...swept.depositSweep.problems,
  ];
  return {
    openings,
    payoutsBefore: payouts["set aside"].length + payouts.gone.length,
    depositsBefore: deposits["set aside"].length + deposits.gone.length,
    payoutsBooked: payouts["still booked"].length,
    depositsBooked: deposits["still booked"].length,
    strangersOpen: strangers.length,
    isAtRest,
    alarmsEnded: openBreaks.filter(({ id, severity }) => severity === "alarm" && !stillOpen.has(id)),
    uncounted: since === undefined ? 0 : balanceProof.reduce((sum, row) => sum + row.uncountedMovements, 0),
    problems,
  };
}

/** The present balances include the movements since the baseline's day, so this subtracts them. */
function lessMovedSince(
  present: readonly BalanceSnapshot[],
  proof: readonly BalanceProofRow[],
): readonly BalanceSnapshot[] {
  const differences = new Map(proof.map((row) => [row.custodyAccountId, row.difference]));
  return present.map((opening) => {
    const { currency, value } = opening.total;
    const difference = differences.get(opening.custodyAccountId) ?? Decimal.zero;
    return { ...opening, total: { currency, value: value.plus(difference).normalized() } };
  });
}

/** Whether the payout of a break existed before the baseline's day. Without a day, all did. */
async function createdBefore(
  store: Store,
  breaks: readonly Break[],
  since: Instant | undefined,
): Promise<(one: Break) => boolean> {
  if (since === undefined) return () => true;
  const strangers = breaks.flatMap(({ kind, payoutId: id }) =>
    kind === "unexpected" && id !== undefined ? [payoutId(id)] : [],
  );
  const known = await store.read(() => knownByIds(strangers));
  return ({ payoutId: id }) => {
    const createdAt = id === undefined ? undefined : known.get(payoutId(id))?.createdAt;
    return createdAt === undefined || createdAt < since;
  };
}

type Seen = Known<ObservedPayout | ObservedDeposit>;

type IsBooked = (window: readonly Seen[]) => Promise<(one: Seen) => boolean>;

const MARKS = ["set aside", "still booked", "gone"] as const satisfies readonly BaselineMark[];

type IdsBefore = Readonly<Record<BaselineMark, readonly string[]>>;

/**
 * The ids of elements that had moved money or ended by then, or that are no longer shown. `since`: the baseline's
 * day; now if absent.
 */
async function idsBefore<Resource extends ObservedPayout | ObservedDeposit>(
  windows: AsyncIterable<readonly Known<Resource>[]>,
  swept: SweptKeys,
  bookedOf: IsBooked,
  since: Instant | undefined,
): Promise<IdsBefore> {
  const before: Record<BaselineMark, string[]> = { "set aside": [], "still booked": [], gone: [] };
  for await (const window of windows) {
    const isBooked = await bookedOf(window);
    for (const known of window) {
      const isGone = notShownSince(known, swept) !== undefined;
      if (!isGone && !isBefore(known, since)) continue;
      const mark = !isBooked(known) ? "set aside" : isGone ? "gone" : "still booked";
      before[mark].push(known.id);
    }
  }
  return before;
}

function isBefore({ hasEnded, resource }: Seen, since: Instant | undefined): boolean {
  const funds = fundsOf(resource);
  if (funds.length === 0) return hasEnded && (since === undefined || (resource.createdAt ?? "") < since);
  return since === undefined || movedAfter(funds, since).length < funds.length;
}

function fundsOf(resource: ObservedPayout | ObservedDeposit): readonly ObservedFunds[] {
  return "depositId" in resource ? resource.receivedFunds : resource.sentFunds;
}

/**
 * Elements that are booked although the opening balance includes them: those known before the baseline, and our own
 * payments. Known before means: not first seen by the baseline's own sweeps, whatever the clock said.
 */
async function bookedNevertheless(store: Store, sweptAt: ReadonlySet<Instant>): Promise<IsBooked> {
  const { openedAt, haveBooksBegun, callbackUrls } = await store.read(function* () {
    const openings = yield* listBalances("opening");
    return {
      openedAt: new Map(openings.map((opening) => [opening.custodyAccountId, opening.observedAt])),
      haveBooksBegun: openings.length > 0 || (yield* isAnyEntryPosted()),
      callbackUrls: new Set((yield* listUnresolved()).map(correlatedCallbackUrl)),
    };
  });
  return async (window) => {
    const ids = window.map(({ id }) => payoutId(id));
    const instructed = await store.read(() => findByPayoutIds(ids));
    const ours = new Set<string>(instructed.map((instruction) => instruction.payoutId));
    const isOurs = ({ id, resource }: Seen) =>
      ours.has(id) || ("callbackUrl" in resource && callbackUrls.has(resource.callbackUrl ?? ""));
    const isKnown = (seen: Seen) =>
      (haveBooksBegun && !sweptAt.has(seen.firstSeenAt)) ||
      hasMovedSince(openedAt, seen.resource) ||
      isOurs(seen);
    return (seen) => (!seen.isSetAside || seen.isGone) && isKnown(seen);
  };
}

/**
 * Whether all its movements came after an earlier baseline of its custody account, although it was not seen until
 * now.
 */
function hasMovedSince(
  openedAt: ReadonlyMap<string, Instant>,
  resource: ObservedPayout | ObservedDeposit,
): boolean {
  const funds = fundsOf(resource);
  const opened = openedAt.get(resource.custodyAccountId);
  return opened !== undefined && funds.length > 0 && movedAfter(funds, opened).length === funds.length;
}

const LOOKS_MAX = 5;

/**
 * Sweeps between two readings of the balances until these are equal. Otherwise a payout that moved between the
 * sweep and the balances would be in them and also count as ours, so its movement would be counted twice for ever.
 */
async function sweptAtRest(workplace: Workplace) {
  /** When the sweeps began. */
  const sweptAt = new Set<Instant>();
  let before: string | undefined;
  for (let look = 0; ; look += 1) {
    const swept = await sweepKeys(workplace);
    for (const at of [...swept.payoutSweep.begunAt, ...swept.depositSweep.begunAt]) sweptAt.add(at);
    const isAtRest = totalsOf(swept) === before;
    if (isAtRest || look === LOOKS_MAX) return { swept, sweptAt, isAtRest };
    before = totalsOf(swept);
  }
}

function totalsOf({ balances }: SweptKeys): string {
  return balances
    .map(({ custodyAccountId, total }) => `${custodyAccountId} ${total.value.normalized()} ${total.currency}`)
    .sort()
    .join();
}
