/**
 * The nightly comparison, in both directions: everything the service shows against everything we asked for. A short
 * night asks for elements that may have changed and looks for new ones; a full night asks for everything.
 */
import { Fault, type Problem } from "../faults/index.ts";
import { type Break, type BreakKind, type CustodyAccountId, dayIn, type Instant } from "../model/index.ts";
import { present } from "../model/present.ts";
import { noteNamesOfHistory, type Sweep } from "../observation/index.ts";
import { countPresent } from "../store/absent.ts";
import { recordBalance } from "../store/balances.ts";
import { listOpenBreaks, listSettledBreaks, replaceOpenBreaks } from "../store/breaks.ts";
import { mistrustKept } from "../store/compared.ts";
import { beginComparison, endComparison, failComparison, type Incomplete } from "../store/comparison.ts";
import { markChanged } from "../store/mark-changed.ts";
import type { ObservedKind } from "../store/observed.ts";
import { earliestCreation, keepFullSweep, keepLook } from "../store/short-nights.ts";
import type { Transaction } from "../store/sql.ts";
import { custodyAccountNamed } from "../workplace/custody-accounts.ts";
import { exclusivelyOrFault } from "../workplace/exclusively.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { compareWithSweep } from "./compare-all.ts";
import { changedSinceLastNight, keepNight } from "./keep-night.ts";
import { doKeptAddUp } from "./kept.ts";
import { type BreaksReport, breaksStep } from "./register/breaks-step.ts";
import type { Reconciliation } from "./rules/index.ts";
import { differencesOf } from "./rules/kept-wrong.ts";
import type { NightLook, WhyFull } from "./rules/night-look.ts";
import { idsOfAccount, planShortNight, sweepShortly } from "./short-night.ts";
import { lookAgain, type SweptKeys, type SweptWhole, sweepKeys } from "./sweep-keys.ts";

export interface ReconciliationReport extends Omit<Reconciliation, "figures"> {
  /** The day of the comparison in the company's time zone. */
  readonly day: string;
  readonly payoutSweep: Sweep;
  readonly depositSweep: Sweep;
  /** Whether everything was asked for, and the age of the rest. */
  readonly look: NightLook;
  /** The time of the comparison; a break that opened then is new. */
  readonly comparedAt: Instant;
  /** The number of the night, which identifies its report. */
  readonly night: number;
  readonly openBreaks: BreaksReport["open"];
  readonly settledBreaks: BreaksReport["settled"];
  /** Since when no comparison has been complete, and why this one is not. */
  readonly incomplete?: Incomplete;
  readonly problems: readonly Problem[];
  /**
   * Differences between kept and repeated comparisons, a sentence each; absent if only elements that may have
   * changed were compared.
   */
  readonly keptWrong?: readonly string[];
}

export interface NightAsked {
  /** Asks for everything, even if a short night would be enough. */
  readonly full?: boolean;
  /** The name or id of a custody account: everything on it is asked for and compared again. */
  readonly account?: string;
  /** Compares everything again, including elements that agreed before and have not changed. */
  readonly verify?: boolean;
}

/**
 * Looks, compares, and stores the breaks. Throws a SERVICE_ fault if the service cannot be asked, NAME_UNKNOWN for
 * a custody account that is not configured, and UNDER_WAY while another process compares: an older sweep stored
 * last would close the breaks that the newer one found.
 */
export async function reconcileStep(
  workplace: Workplace,
  { account: name, ...how }: NightAsked = {},
): Promise<ReconciliationReport> {
  const account = name === undefined ? undefined : custodyAccountNamed(workplace.config, name);
  return exclusivelyOrFault(workplace, "reconcile", (alone) =>
    compare(alone, { ...how, ...present({ account }) }),
  );
}

interface Asked extends Omit<NightAsked, "account"> {
  readonly account?: { readonly id: CustodyAccountId; readonly name: string };
}

/** The reason while a comparison is under way, or if its process died. */
const NOT_ENDED = {
  code: "UNDER_WAY",
  message: "one has begun and not ended: it is under way, or its process died",
} as const satisfies Pick<Problem, "code" | "message">;

/** Stores it as incomplete before the service is asked, so that it stays known if this process dies. */
async function compare(workplace: Workplace, asked: Asked): Promise<ReconciliationReport> {
  const { store, context } = workplace;
  // A missing secret is the fault of the command, not of the comparison.
  for (const view of workplace.underKeys) view.service();
  await store.write(() => beginComparison(context.clock.now(), NOT_ENDED));
  try {
    return await compareAll(workplace, asked);
  } catch (error) {
    if (error instanceof Fault) await store.write(() => failComparison(error.problem));
    throw error;
  }
}

async function compareAll(workplace: Workplace, asked: Asked): Promise<ReconciliationReport> {
  const { store, config } = workplace;
  const { swept, look, at, found, keepLooks } = await lookAndCompare(workplace, asked);
  const { payoutSweep, depositSweep } = swept;
  const problems = [...payoutSweep.problems, ...depositSweep.problems];
  const [first] = problems;
  const { balances, unjudged } = found;
  const { verify = false } = asked;
  const doAddUp = !verify || (await doKeptAddUp(store));
  const result = verify ? await compareFromZero(workplace, { ...swept, balances }, at) : found.result;
  const keptWrong = verify ? wrongIn(differencesOf(found.result, result), doAddUp) : undefined;
  const changed = await changedSinceLastNight(workplace);
  const night = await store.write(function* (): Transaction<number> {
    for (const balance of balances) yield* recordBalance("latest", balance);
    yield* replaceOpenBreaks(result.breaks, at, verify ? [] : unjudged);
    yield* endComparison(at, first);
    if (first === undefined) yield* keepLooks();
    return yield* keepNight(workplace, at, { result, look }, problems, changed);
  });
  const { incomplete, open, settled } = await breaksStep(workplace);
  const { figures: _, ...shown } = result;
  return {
    ...shown,
    day: dayIn(config.ledger.timeZone, at),
    payoutSweep,
    depositSweep,
    look,
    comparedAt: at,
    night,
    openBreaks: open,
    settledBreaks: settled,
    ...present({ incomplete, keptWrong }),
    problems,
  };
}

/** A wrong share of one element shows in no difference until the element changes. */
function wrongIn(differences: readonly string[], doAddUp: boolean): readonly string[] {
  if (differences.length > 0 || doAddUp) return differences;
  return ["What is kept of the single payouts and deposits does not add up to what is kept as their sums."];
}

/** Discards everything that was compared before; what shares a transaction is found in the whole history again. */
async function compareFromZero(workplace: Workplace, swept: SweptKeys, at: Instant): Promise<Reconciliation> {
  await noteNamesOfHistory(workplace.store);
  await workplace.store.write(() => mistrustKept());
  return compareWithSweep(workplace, swept, at);
}

interface Compared {
  readonly at: Instant;
  readonly found: Awaited<ReturnType<typeof compareAtRest>>;
  /** The custody account asked for. */
  readonly account: NightLook["account"];
}

interface LookedAndCompared extends Omit<Compared, "account"> {
  readonly swept: SweptKeys;
  readonly look: NightLook;
  /** Keeps the data for the next short night. */
  readonly keepLooks: () => Transaction<void>;
}

/** Looks shortly if that is enough and its result allows it; otherwise fully. */
async function lookAndCompare(workplace: Workplace, asked: Asked): Promise<LookedAndCompared> {
  const plan = asked.full ? "asked" : await planShortNight(workplace, asked.account?.id);
  if (typeof plan === "string") return lookFully(workplace, plan, asked);
  const shortly = await sweepShortly(workplace, plan);
  if (typeof shortly === "string") return lookFully(workplace, shortly, asked);
  const { swept, look, newest } = shortly;
  const { account, ...compared } = await compareNow(workplace, swept, asked);
  const { found } = compared;
  const why = whyNotEnough(found.result, swept, await knownDifferences(workplace, found.result));
  if (why !== undefined) return lookFully(workplace, why, asked);
  const keepLooks = function* (): Transaction<void> {
    yield* keepLook("payout", swept.begunAt, newest.payout);
    yield* keepLook("deposit", swept.begunAt, newest.deposit);
  };
  return { swept, look: { ...look, ...present({ account }) }, ...compared, keepLooks };
}

async function lookFully(workplace: Workplace, why: WhyFull, asked: Asked): Promise<LookedAndCompared> {
  const swept = await sweepKeys(workplace);
  const { account, ...compared } = await compareNow(workplace, swept, asked);
  const keepLooks = function* (): Transaction<void> {
    if (!swept.payoutSweep.complete || !swept.depositSweep.complete) return;
    yield* keepWhole("payout", swept);
    yield* keepWhole("deposit", swept);
  };
  return { swept, look: { kind: "full", why, ...present({ account }) }, ...compared, keepLooks };
}

async function compareNow(workplace: Workplace, swept: SweptKeys, asked: Asked): Promise<Compared> {
  const account = await waitAgain(workplace, asked);
  const at = workplace.context.clock.now();
  return { account, at, found: await compareAtRest(workplace, swept, at) };
}

function* keepWhole(
  kind: ObservedKind,
  { shownLast, payoutSweep, depositSweep }: SweptWhole,
): Transaction<void> {
  const { total = 0 } = kind === "payout" ? payoutSweep : depositSweep;
  const beyond = Math.max(0, total - (yield* countPresent(kind)));
  const newest = yield* earliestCreation(kind, shownLast[kind]);
  yield* keepFullSweep(kind, { ...present({ newest }), beyond });
}

/** By break: the balance differences that were found before, also those that a person has settled. */
async function knownDifferences(
  { store }: Workplace,
  { breaks }: Reconciliation,
): Promise<ReadonlyMap<string, string | undefined>> {
  if (!breaks.some(({ kind }) => kind === "balance")) return new Map();
  const known = await store.read(function* () {
    return [...(yield* listOpenBreaks()), ...(yield* listSettledBreaks())];
  });
  return new Map(known.map(({ id, found }) => [id, found]));
}

/**
 * Findings that need a full look: a balance difference that the last night did not have to the last digit (the full
 * look that found it did not explain it), and absences that the last night did not have.
 */
function whyNotEnough(
  result: Reconciliation,
  { missedBefore }: SweptKeys,
  known: ReadonlyMap<string, string | undefined>,
): WhyFull | undefined {
  const isNewDifference = ({ kind, id, found }: Break) =>
    kind === "balance" && found !== undefined && known.get(id) !== found;
  if (result.breaks.some(isNewDifference)) return "untied";
  const isNews = ({ kind, payoutId, depositId }: Break) =>
    (kind === "missing" || kind === "not-shown") && !missedBefore.has(payoutId ?? depositId ?? "");
  return result.breaks.some(isNews) ? "missing" : undefined;
}

/** Has everything on the custody account asked for compared again. */
async function waitAgain({ store }: Workplace, { account }: Asked) {
  if (account === undefined) return undefined;
  return store.write(function* () {
    const { payout, deposit } = yield* idsOfAccount(account.id);
    yield* markChanged("payout", payout);
    yield* markChanged("deposit", deposit);
    return { name: account.name, payouts: payout.length, deposits: deposit.length };
  });
}

const LOOKS_MAX = 3;

/**
 * Compares, and repeats the balances until the proofs tie or the differences stop changing. Money that moves
 * between the sweep and the balances makes a correct proof differ, and so do sightings while the ledger is read.
 */
async function compareAtRest(workplace: Workplace, swept: SweptKeys, at: Instant) {
  let [latest, result] = [swept, await compareWithSweep(workplace, swept, at)];
  let [before, ledgerBefore] = ["", ""];
  for (let look = 1; look < LOOKS_MAX; look += 1) {
    const differs = differences(result);
    if (differs === "" || differs === before) break;
    [before, ledgerBefore] = [differs, ledgerDifferences(result).join()];
    latest = await lookAgain(workplace, latest);
    result = await compareWithSweep(workplace, latest, at);
  }
  // A difference counts as the ledger's only if two looks found the same one.
  const isLedgerAtRest = ["", ledgerBefore].includes(ledgerDifferences(result).join());
  if (!isLedgerAtRest) result = await compareWithSweep(workplace, latest, at, { withLedger: false });
  const unjudged: readonly BreakKind[] = isLedgerAtRest ? [] : ["ledger-treasury"];
  return { result, balances: latest.balances, unjudged };
}

/** The balance differences as text, and those of the ledger; empty if all proofs tie. */
function differences(result: Reconciliation): string {
  return [...balanceDifferences(result), ...ledgerDifferences(result)].join();
}

function balanceDifferences({ balanceProof }: Reconciliation): string[] {
  const off = balanceProof.filter(({ ties, difference }) => !ties && difference !== undefined);
  return off.map(({ custodyAccountId, expected, found }) => `${custodyAccountId} ${expected} ${found}`);
}

function ledgerDifferences({ breaks }: Reconciliation): string[] {
  return breaks.filter(({ kind }) => kind === "ledger-treasury").map(({ id, found }) => `${id} ${found}`);
}
