/** Sweeps under every configured key: all payouts, all deposits, and the balances. */
import {
  DAY_MS,
  ENDED_DEPOSIT_STATES,
  ENDED_PAYOUT_STATES,
  type Instant,
  type ObservedBalance,
  OPEN_PAYOUT_STATES,
  type PayoutId,
  payoutId,
  secondsBetween,
  shifted,
} from "../../model/index.ts";
import {
  DEPOSITS,
  type Known,
  observeBalances,
  PAYOUTS,
  type Sweep,
  sweep,
  track,
} from "../../observation/index.ts";
import { listMissed } from "../../store/breaks.ts";
import { listFirstSeen, listIdsNotIn, type ObservedKind } from "../../store/observed.ts";
import { checkAgreement } from "../workplace/agreement.ts";
import { custodyAccountsOf } from "../workplace/custody-accounts.ts";
import { custodyAccountsElsewhere, type Workplace } from "../workplace/workplace.ts";

export interface SweptKeys {
  /** The earliest instant by which anything it showed can have been stored, also where the clock was set back meanwhile. */
  readonly begunAt: Instant;
  /** What was accepted later may not show yet; if it never does, a later comparison says so. */
  readonly shownUntil: Instant;
  readonly payoutSweep: Sweep;
  readonly depositSweep: Sweep;
  /** Payouts that the service shows in a form that cannot be read. */
  readonly unreadable: ReadonlySet<PayoutId>;
  /** Of what it showed as ended, by kind and state: when the first one had. */
  readonly endsShownSince: Readonly<Record<ObservedKind, ReadonlyMap<string, Instant>>>;
  /**
   * The payouts and deposits that the last comparison found missing, and when each had been seen last: an incomplete sweep
   * does not end that, but a look that has shown it since does.
   */
  readonly missedBefore: ReadonlyMap<string, Instant | undefined>;
  /** The present balances of the configured custody accounts. */
  readonly balances: readonly ObservedBalance[];
}

/** Sweeps under each key in turn; what two see counts twice. Throws SERVICE_ faults, CONFIGURATION_DIFFERS. */
export async function sweepKeys(workplace: Workplace): Promise<SweptKeys> {
  await checkAgreement(workplace);
  const payoutSweeps: Sweep[] = [];
  const depositSweeps: Sweep[] = [];
  const balances: ObservedBalance[] = [];
  for (const view of workplace.underKeys) {
    const { tools } = view.service();
    payoutSweeps.push(await sweep(tools, PAYOUTS));
    depositSweeps.push(await sweep(tools, DEPOSITS));
    balances.push(...(await balancesUnder(view)));
  }
  const payoutSweep = together(payoutSweeps);
  const depositSweep = together(depositSweeps);
  const begunAt = [...payoutSweep.begunAt, ...depositSweep.begunAt].sort()[0] ?? "";
  const shownUntil = shifted(begunAt, -workplace.config.doubt.settleMinutes * 60_000);
  const unreadable = new Set(payoutSweep.problems.flatMap(({ payoutId: id }) => (id ? [payoutId(id)] : [])));
  const known = await workplace.store.read(function* () {
    const endsShownSince = {
      payout: yield* listFirstSeen("payout", ENDED_PAYOUT_STATES, begunAt),
      deposit: yield* listFirstSeen("deposit", ENDED_DEPOSIT_STATES, begunAt),
    };
    return { endsShownSince, missedBefore: yield* listMissed() };
  });
  return { begunAt, shownUntil, payoutSweep, depositSweep, unreadable, ...known, balances };
}

/**
 * Repeats the balances and everything that was not final, including payouts that the service has received since the
 * sweep, because their money may have left before the balances were read. Throws a SERVICE_ fault.
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

function balancesUnder(view: Workplace): Promise<ObservedBalance[]> {
  return observeBalances(
    view.service().tools,
    custodyAccountsOf(view.config).map(({ id }) => id),
  );
}

const LEFT_OUT_AFTER_SECONDS = DAY_MS / 1000;

/**
 * When an element was last seen that a complete sweep does not show; undefined if this one shows it, or proves nothing.
 * A service may drop what has ended after a while. What was seen only once may never have existed. What was shown for less
 * than a day was lost, as when the service went back to a backup of its own, if what had ended so before it still shows.
 */
export function notShownSince(
  { id, kind, state, firstSeenAt, stateSeenAt, lastSeenAt, hasEnded }: Omit<Known<unknown>, "resource">,
  { payoutSweep, depositSweep, begunAt, endsShownSince, missedBefore }: SweptKeys,
): Instant | undefined {
  if (lastSeenAt >= begunAt) return undefined;
  const { complete } = kind === "payout" ? payoutSweep : depositSweep;
  if (!complete) return missedBefore.get(id) === lastSeenAt ? lastSeenAt : undefined;
  const earliest = endsShownSince[kind].get(state) ?? stateSeenAt;
  const wasKeptLong = secondsBetween(firstSeenAt, lastSeenAt) >= LEFT_OUT_AFTER_SECONDS;
  const mayBeLeftOut = hasEnded && firstSeenAt < lastSeenAt && (wasKeptLong || stateSeenAt <= earliest);
  return mayBeLeftOut ? undefined : lastSeenAt;
}

function together(sweeps: readonly Sweep[]): Sweep {
  return {
    begunAt: sweeps.flatMap(({ begunAt }) => begunAt),
    elementsSeen: sweeps.reduce((sum, { elementsSeen }) => sum + elementsSeen, 0),
    pagesRead: sweeps.reduce((sum, { pagesRead }) => sum + pagesRead, 0),
    complete: sweeps.every(({ complete }) => complete),
    changes: sweeps.flatMap(({ changes }) => changes),
    problems: sweeps.flatMap(({ problems }) => problems),
  };
}
