/**
 * Takes the baseline: the present balances become the opening balances. What has already moved money or ended, or is no
 * longer shown, is not ours to explain. What has yet to move money stays ours, because the opening balances do not
 * include it, but never raises the alarm that no file asked for it. A later baseline (for one more custody account, or
 * another service) restarts the balance proof, but not the books: what was seen or moved since they began is still booked.
 */
import type { Problem } from "../faults/index.ts";
import {
  correlatedCallbackUrl,
  type Instant,
  movedAfter,
  type ObservedDeposit,
  type ObservedFunds,
  type ObservedPayout,
  payoutId,
} from "../model/index.ts";
import { depositWindows, type Known, payoutWindows } from "../observation/index.ts";
import { notShownAsConfigured } from "../pipeline/workplace/custody-accounts.ts";
import { exclusivelyOrFault } from "../pipeline/workplace/exclusively.ts";
import type { Workplace } from "../pipeline/workplace/workplace.ts";
import { appendAudit } from "../store/audit.ts";
import { type BalanceSnapshot, listBalances, recordBalance } from "../store/balances.ts";
import { listOpenBreaks, type StoredBreak, settleFound } from "../store/breaks.ts";
import { findByPayoutIds, listUnresolved } from "../store/instructions.ts";
import { isAnyEntryPosted } from "../store/ledger-entries.ts";
import { type BaselineMark, markBeforeBaseline } from "../store/observed.ts";
import type { Transaction } from "../store/sql.ts";
import type { Store } from "../store/store.ts";
import { compareWithSweep } from "./compare-all.ts";
import { notShownSince, type SweptKeys, sweepKeys } from "./sweep-keys.ts";

export interface BaselineReport {
  readonly openings: readonly BalanceSnapshot[];
  readonly payoutsBefore: number;
  readonly depositsBefore: number;
  /** Those in the opening balances that are booked all the same. */
  readonly payoutsBooked: number;
  readonly depositsBooked: number;
  /** Open payouts that no file asked for: followed and booked, without an alarm. */
  readonly strangersOpen: number;
  /** Whether no money moved while the balances were taken; otherwise a movement may be counted twice. */
  readonly isAtRest: boolean;
  /** Alarms of the last comparison that this ends, though nobody settled them: what they are about is before our time now. */
  readonly alarmsEnded: readonly StoredBreak[];
  /** What could not be read, or kept moving: it is not in the baseline and will be a break. */
  readonly problems: readonly Problem[];
}

/** Takes the baseline. Throws UNDER_WAY while another process compares. */
export function baselineStep(workplace: Workplace, person: string): Promise<BaselineReport> {
  return exclusivelyOrFault(workplace, "reconcile", (alone) => takeBaseline(alone, person));
}

async function takeBaseline(workplace: Workplace, person: string): Promise<BaselineReport> {
  const { store, context } = workplace;
  const { swept, sweptAt, isAtRest } = await sweptAtRest(workplace);
  const openings = swept.balances;
  const openBreaks = await store.read(() => listOpenBreaks());
  const isBooked = await bookedAllTheSame(store, sweptAt);
  const payouts = await idsBefore(payoutWindows(store), ({ sentFunds }) => sentFunds, swept, isBooked);
  const deposits = await idsBefore(
    depositWindows(store),
    ({ receivedFunds }) => receivedFunds,
    swept,
    isBooked,
  );
  await store.write(function* (): Transaction<void> {
    for (const opening of openings) yield* recordBalance("opening", opening);
    for (const mark of MARKS) {
      yield* markBeforeBaseline("payout", payouts[mark], mark);
      yield* markBeforeBaseline("deposit", deposits[mark], mark);
    }
    const at = context.clock.now();
    const count = (ids: IdsBefore) => MARKS.reduce((sum, mark) => sum + ids[mark].length, 0);
    const detail = { balances: openings.length, payouts: count(payouts), deposits: count(deposits) };
    yield* appendAudit({ at, person, action: "baseline", subject: "reconciliation", detail });
  });
  const { breaks } = await compareWithSweep(workplace, swept, context.clock.now());
  const { strangers = [], others = [] } = Object.groupBy(breaks, ({ kind, field }) =>
    kind === "unexpected" && field === undefined ? "strangers" : "others",
  );
  const stillTold = new Set(others.map(({ id }) => id));
  const reason = "it was there when the baseline was taken";
  await store.write(() => settleFound(strangers, { settledAt: context.clock.now(), person, reason }));
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
    alarmsEnded: openBreaks.filter(({ id, severity }) => severity === "alarm" && !stillTold.has(id)),
    problems,
  };
}

type Seen = Known<ObservedPayout | ObservedDeposit>;

type IsBooked = (window: readonly Seen[]) => Promise<(one: Seen) => boolean>;

const MARKS = ["set aside", "still booked", "gone"] as const satisfies readonly BaselineMark[];

type IdsBefore = Readonly<Record<BaselineMark, readonly string[]>>;

/** The ids that had moved money or ended by now, or that are no longer shown. */
async function idsBefore<Resource extends ObservedPayout | ObservedDeposit>(
  windows: AsyncIterable<readonly Known<Resource>[]>,
  fundsOf: (resource: Resource) => readonly ObservedFunds[],
  swept: SweptKeys,
  bookedOf: IsBooked,
): Promise<IdsBefore> {
  const before: Record<BaselineMark, string[]> = { "set aside": [], "still booked": [], gone: [] };
  for await (const window of windows) {
    const isBooked = await bookedOf(window);
    for (const known of window) {
      const isGone = notShownSince(known, swept) !== undefined;
      if (!known.hasEnded && fundsOf(known.resource).length === 0 && !isGone) continue;
      const mark = !isBooked(known) ? "set aside" : isGone ? "gone" : "still booked";
      before[mark].push(known.id);
    }
  }
  return before;
}

/**
 * What is booked though the opening balances hold its movements: what the books knew or missed before, and payments of
 * ours. Known before is all that was not first seen by the baseline's own sweeps, whatever clock it was seen by.
 */
async function bookedAllTheSame(store: Store, sweptAt: ReadonlySet<Instant>): Promise<IsBooked> {
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

/** Whether all its movements came after an earlier baseline of its custody account, though nobody has seen it until now. */
function hasMovedSince(
  openedAt: ReadonlyMap<string, Instant>,
  resource: ObservedPayout | ObservedDeposit,
): boolean {
  const funds = "depositId" in resource ? resource.receivedFunds : resource.sentFunds;
  const opened = openedAt.get(resource.custodyAccountId);
  return opened !== undefined && funds.length > 0 && movedAfter(funds, opened).length === funds.length;
}

const LOOKS_MAX = 5;

/**
 * Sweeps between two readings of the balances until these are equal. Otherwise a payout that moved between the sweep
 * and the balances would be in them and still count as ours, and its movement be counted twice for ever.
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
