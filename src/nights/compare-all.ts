/**
 * Passes to a comparison, in windows, the elements that may differ: payouts and deposits that are new, have changed
 * or are in a break, with their payments. For the rest it adds the kept sums (kept.ts). Payouts without a payment
 * come first, so that a payment that may belong to one of them is compared with it and not cleared.
 */
import { unlessStopped } from "../context/context.ts";
import { chunks } from "../model/chunks.ts";
import {
  depositStateMeaning,
  FAILED_DEPOSIT_STATES,
  type Instant,
  type Instruction,
  type InstructionId,
  type ObservedDeposit,
  type ObservedPayout,
  type PayoutId,
  payoutStateMeaning,
  STANDINGS,
  transactionsOf,
  withFeeBearer,
} from "../model/index.ts";
import { answeringTargets } from "../model/ledger-table.ts";
import { present } from "../model/present.ts";
import { currencyScales } from "../money/index.ts";
import {
  departuresOfFailed,
  departureText,
  type Known,
  type KnownWaiting,
  knownPayoutsOf,
  payoutFromSighting,
  receiptClaims,
  sentClaims,
  statesBefore,
  waitingDepositWindows,
  waitingPayoutWindows,
  waitingUnownedWindows,
} from "../observation/index.ts";
import { type BalanceSnapshot, listBalances } from "../store/balances.ts";
import { listSettledPayments } from "../store/breaks.ts";
import { listMissingOrFailedDeposits, listRequestedDeposits } from "../store/changes.ts";
import { listSharedNames } from "../store/compared.ts";
import { listTroubledAnswers, listUnanswered } from "../store/erp-answers.ts";
import {
  findByPayoutIds,
  listAcceptedSince,
  listAcceptedUnshown,
  listInStandings,
  listNamed,
} from "../store/instructions.ts";
import { listFirstAddresses } from "../store/observed.ts";
import { listPaidAgain, listSubmittedSince } from "../store/pay-again.ts";
import { indexedName } from "../store/shared-names.ts";
import type { Transaction } from "../store/sql.ts";
import type { Store } from "../store/store.ts";
import { inWindows } from "../store/windows.ts";
import { writeJson } from "../wire/index.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { type Keepable, Keeping, letWait, openKept, takeWhatMayDiffer } from "./kept.ts";
import { readLedgerSide } from "./ledger-side.ts";
import {
  type Cleared,
  Comparison,
  type ComparisonInput,
  type Reconciliation,
  type ReconciliationPolicy,
  type Sighted,
} from "./rules/index.ts";
import { mayBeLeftOut, notShownSince, type SweptKeys } from "./sweep-keys.ts";

/** The reconciliation policy at the instant `at`, from the configuration. */
export function comparisonPolicy({ config }: Pick<Workplace, "config">, at: Instant): ReconciliationPolicy {
  return {
    now: at,
    ...config.reconciliation,
    correlation: config.service.correlation,
    batchFee: config.ledger.batchFee,
    depositFee: config.ledger.depositFee,
    custodyAccounts: new Map(config.custodyAccounts.map((custody) => [custody.id, custody])),
    scales: currencyScales(config.currencies),
  };
}

export interface ComparedWith {
  readonly withLedger?: boolean;
  /** By default, those of the latest baseline. */
  readonly openings?: readonly BalanceSnapshot[];
}

/** Compares everything asked for with everything ever shown. Throws INVARIANT_BROKEN. */
export async function compareWithSweep(
  workplace: Workplace,
  swept: SweptKeys,
  at: Instant,
  { withLedger = true, openings }: ComparedWith = {},
): Promise<Reconciliation> {
  const { store, context } = workplace;
  const policy = comparisonPolicy(workplace, at);
  const clearedTooEarly = new Set<InstructionId>();
  for (;;) {
    unlessStopped(context);
    const input = { ...(await readInput(workplace, swept, at)), ...present({ openings }) };
    await openKept(store, policyText(workplace, input));
    const replaced = [input.paidAgain, input.submittedSince, input.settled].flatMap((by) => [...by.keys()]);
    const { sums, isAnythingKept } = await takeWhatMayDiffer(store, replaced);
    // If little is compared, all its transactions fit into memory.
    const shared = isAnythingKept ? {} : { isSharedTransaction: await sharedTransactions(store) };
    const ledger = withLedger ? await store.read(() => readLedgerSide()) : undefined;
    const whole = {
      ...input,
      ...present({ ledger }),
      ...shared,
      sentClaims: await sentClaims(store, "waiting"),
    };
    const comparison = new Comparison(whole, policy, sums);
    const named = await addUnownedPayouts(comparison, workplace, swept);
    if (await letWait(store, named)) continue;
    const notCleared = new Set([...clearedTooEarly, ...named]);
    const { added, namedByAdded, seqOf } = await addPayments(comparison, workplace, swept, notCleared);
    // Rare: a payout read later may belong to a payment that was already cleared. Start over and compare these
    // payments.
    const cleared = namedByAdded.filter((id) => !added.has(id) && !clearedTooEarly.has(id));
    for (const id of cleared) clearedTooEarly.add(id);
    await letWait(store, cleared);
    if (cleared.length > 0) continue;
    await addDeposits(comparison, workplace, swept);
    const { addedPayouts } = comparison;
    const before = await store.read(() => statesBefore("payout", openStates(addedPayouts)));
    const result = comparison.finish(await store.read(() => departureTexts(addedPayouts)), before);
    const apart = new Keeping(store, "payout");
    for (const [id, share] of comparison.toldApart(result))
      await apart.add(keepable({ id, seq: seqOf.get(id) ?? 0 }, { share }));
    await apart.end();
    return result;
  }
}

/** Raise it when a rule finds new breaks: then everything is compared again. */
const RULES_EDITION = 3;

/** Everything that decides the result of a comparison, except what was asked for and seen. */
function policyText({ config }: Workplace, { balances, openings }: ComparisonInput): string {
  const { service, ledger, custodyAccounts, currencies } = config;
  // These settings decide which elements are asked for, and when. They do not change the result for an element.
  const { watchDays: _watchDays, fullSweepDays: _fullSweepDays, ...reconciliation } = config.reconciliation;
  const shown = balances.map(({ custodyAccountId, total }) => [custodyAccountId, total.currency]).sort();
  const opened = openings.map(({ custodyAccountId, total, observedAt }) => [
    custodyAccountId,
    total.currency,
    total.value,
    observedAt,
  ]);
  return writeJson([
    RULES_EDITION,
    reconciliation,
    [service.correlation, ledger.batchFee, ledger.depositFee],
    custodyAccounts.map(({ id, name, currency }) => [id, name, currency]),
    currencies,
    shown,
    opened,
  ]);
}

async function sharedTransactions(store: Store): Promise<(txHash: string) => boolean> {
  const names = new Set(await store.read(() => listSharedNames()));
  return (txHash) => transactionsOf({ txHash }).some((name) => names.has(indexedName(name)));
}

async function readInput({ store, config }: Workplace, swept: SweptKeys, now: Instant) {
  const answering = answeringTargets(config.ledger.exports);
  const { balances, missedBefore, shownUntil, unreadable, absent } = swept;
  return store.read(function* () {
    const deposits = yield* listMissingOrFailedDeposits(shownUntil, FAILED_DEPOSIT_STATES);
    return {
      balances,
      unreadable,
      missingOrFailedDeposits: deposits.filter(
        ({ state, depositId }) => state !== undefined || absent.has(depositId) || missedBefore.has(depositId),
      ),
      openings: yield* listBalances("opening"),
      paidAgain: yield* listPaidAgain(),
      submittedSince: yield* listSubmittedSince(),
      settled: yield* listSettledPayments(),
      troubledAnswers: yield* listTroubledAnswers(),
      unanswered: yield* listUnanswered(answering, now, { olderThanHours: config.export.answerWithinHours }),
    };
  });
}

/** Adds the payouts without a payment; returns the payments that one of them may belong to. */
async function addUnownedPayouts(
  comparison: Comparison,
  { store, context }: Workplace,
  swept: SweptKeys,
): Promise<readonly InstructionId[]> {
  const named: InstructionId[] = [];
  const keeping = new Keeping(store, "payout");
  for await (const window of waitingUnownedWindows(store)) {
    unlessStopped(context);
    const namedBy = await store.read(() => paymentsNamedBy(window.map(({ resource }) => resource)));
    const toKeep: Keepable[] = [];
    for (const known of window) {
      const ids = namedBy(known.resource);
      named.push(...ids);
      if (known.beforeBaseline && ids.length === 0)
        toKeep.push(...keepable(known, comparison.setAside(known.resource)));
      else comparison.addPayout(known.resource, sighted(known, swept));
    }
    await keeping.add(toKeep);
  }
  await keeping.end();
  return named;
}

const PAYMENTS_TOGETHER = 500;

interface AddedPayments {
  /** Payments that were not cleared. */
  readonly added: ReadonlySet<InstructionId>;
  /** Payments that their payouts name. */
  readonly namedByAdded: readonly InstructionId[];
  /** By payout that was not cleared, the number of the change that was read. */
  readonly seqOf: ReadonlyMap<string, number>;
}

/** Adds the payments. Those in `notCleared` are never cleared. */
async function addPayments(
  comparison: Comparison,
  { store, context }: Workplace,
  swept: SweptKeys,
  notCleared: ReadonlySet<InstructionId>,
): Promise<AddedPayments> {
  const added = new Set<InstructionId>();
  const namedByAdded: InstructionId[] = [];
  const seqOf = new Map<string, number>();
  const add = async (window: readonly Instruction[]) => {
    const { payouts, awaited } = await store.read(() => payoutsAndAwaited(window, swept));
    const addedPayouts: ObservedPayout[] = [];
    for (const instruction of window) {
      added.add(instruction.id);
      if (awaited.has(instruction.id)) comparison.addAwaited(instruction);
      else comparison.addInstruction(instruction);
      const known = instruction.payoutId && payouts.get(instruction.payoutId);
      if (!known) continue;
      const payout = withFeeBearer(known.resource, instruction.fields);
      comparison.addPayout(payout, sighted(known, swept));
      addedPayouts.push(payout);
    }
    const namedBy = await store.read(() => paymentsNamedBy(addedPayouts));
    namedByAdded.push(...addedPayouts.flatMap(namedBy));
  };
  // Payments that are not accepted come first. If one is accepted meanwhile, it was added and is skipped below.
  const others = await store.read(() => listInStandings(NOT_ACCEPTED));
  for (const window of chunks(others, PAYMENTS_TOGETHER)) await add(window);
  const unshown = inWindows<Instruction>(store, (last) => listAcceptedUnshown(last, PAYMENTS_TOGETHER));
  for await (const window of unshown) await add(window.filter(({ id }) => !added.has(id)));
  const keeping = new Keeping(store, "payout");
  for await (const window of waitingPayoutWindows(store)) {
    unlessStopped(context);
    const instructed = await store.read(() => findByPayoutIds(window.map(({ id }) => id as PayoutId)));
    const instructions = new Map(instructed.map((instruction) => [instruction.payoutId, instruction]));
    const toKeep: Keepable[] = [];
    const differing: Instruction[] = [];
    for (const waiting of window) {
      const instruction = instructions.get(waiting.id as PayoutId);
      if (instruction === undefined || added.has(instruction.id)) continue;
      const known = payoutFromSighting(waiting);
      const payout = withFeeBearer(known.resource, instruction.fields);
      const cleared = notCleared.has(instruction.id)
        ? undefined
        : comparison.clear(instruction, payout, sighted(known, swept));
      if (cleared === undefined) {
        differing.push(instruction);
        seqOf.set(known.id, known.seq);
      } else toKeep.push(...keepable(known, cleared));
    }
    await keeping.add(toKeep);
    await add(differing);
  }
  await keeping.end();
  return { added, namedByAdded, seqOf };
}

const NOT_ACCEPTED = STANDINGS.filter((standing) => standing !== "accepted");

function keepable({ id, seq }: Pick<KnownWaiting<unknown>, "id" | "seq">, { share }: Cleared): Keepable[] {
  return share === undefined ? [] : [{ id, seq, share }];
}

/**
 * The known payouts of instructions; `awaited`: accepted ones whose payout may not show yet, or whose absence is
 * not proven.
 */
function* payoutsAndAwaited(
  window: readonly Instruction[],
  { shownUntil, unreadable, absent, missedBefore }: SweptKeys,
) {
  const payouts = yield* knownPayoutsOf(window.flatMap(({ payoutId }) => payoutId ?? []));
  const notShown = window.filter(
    ({ standing, payoutId }) =>
      standing === "accepted" &&
      payoutId !== undefined &&
      !payouts.has(payoutId) &&
      !unreadable.has(payoutId),
  );
  const isProven = ({ payoutId: id = "" as PayoutId }: Instruction) => absent.has(id) || missedBefore.has(id);
  const ids = notShown.map(({ id }) => id);
  const late = ids.length === 0 ? [] : yield* listAcceptedSince(ids, shownUntil);
  const unproven = notShown.filter((instruction) => !isProven(instruction));
  return { payouts, awaited: new Set([...late, ...unproven.map(({ id }) => id)]) };
}

async function addDeposits(
  comparison: Comparison,
  { store, context }: Workplace,
  swept: SweptKeys,
): Promise<void> {
  const claims = await receiptClaims(store, "waiting");
  const keeping = new Keeping(store, "deposit");
  for await (const window of waitingDepositWindows(store)) {
    unlessStopped(context);
    const ids = window.map(({ resource }) => resource.depositId);
    const { requested, firstAddresses, before } = await store.read(function* () {
      return {
        before: yield* statesBefore("deposit", openStates(window.map(({ resource }) => resource))),
        requested: yield* listRequestedDeposits(ids),
        firstAddresses: yield* listFirstAddresses(ids),
      };
    });
    const toKeep: Keepable[] = [];
    for (const known of window) {
      const { depositId } = known.resource;
      const of = present({
        requested: requested.get(depositId),
        firstAddress: firstAddresses.get(depositId),
        stateBefore: before.get(depositId),
      });
      const listed = { claims: claims.claimsOf(depositId), movedAway: claims.movedAwayFrom(depositId) };
      const cleared = comparison.addDeposit({ ...known.resource, ...of, ...listed }, sighted(known, swept));
      toKeep.push(...keepable(known, cleared));
    }
    await keeping.add(toKeep);
  }
  await keeping.end();
}

/** How a comparison judges an element: whether it is shown, and what its absence means. */
export function sighted(known: Known<unknown>, swept: SweptKeys): Sighted {
  const { beforeBaseline } = known;
  if (!known.isMissing) return { beforeBaseline, payoutClass: "agree" };
  const since = notShownSince(known, swept);
  const sighting = { beforeBaseline, notShownSince: since };
  if (beforeBaseline) return { ...sighting, payoutClass: "gone" };
  if (since !== undefined) return { ...sighting, payoutClass: "notShown" };
  return { ...sighting, payoutClass: mayBeLeftOut(known, swept) ? "gone" : "undecided" };
}

/** The payments named by a payout: by its reference, or by the id at the end of its callbackUrl. */
function* paymentsNamedBy(
  payouts: readonly ObservedPayout[],
): Transaction<(payout: ObservedPayout) => readonly InstructionId[]> {
  const names = payouts.flatMap(namesOf);
  const named = names.length === 0 ? [] : yield* listNamed(names);
  const byName = Map.groupBy(
    named.flatMap(({ id, reference }) => [
      { name: reference, id },
      { name: id as string, id },
    ]),
    ({ name }) => name,
  );
  return (payout) => namesOf(payout).flatMap((name) => (byName.get(name) ?? []).map(({ id }) => id));
}

function namesOf({ reference, callbackUrl }: ObservedPayout): string[] {
  return [reference, callbackUrl?.slice(callbackUrl.lastIndexOf("/") + 1)].flatMap((name) => name ?? []);
}

/** By id, the states of elements that have not ended: only these can have gone back. */
export function openStates(
  resources: readonly (ObservedPayout | ObservedDeposit)[],
): ReadonlyMap<string, string> {
  return new Map(
    resources.flatMap((each) => {
      const isPayout = "payoutId" in each;
      const meaning = isPayout ? payoutStateMeaning(each.state) : depositStateMeaning(each.state);
      return meaning === "open" ? [[isPayout ? each.payoutId : each.depositId, each.state] as const] : [];
    }),
  );
}

function* departureTexts(payouts: readonly ObservedPayout[]): Transaction<ReadonlyMap<PayoutId, string>> {
  const departures = yield* departuresOfFailed(payouts);
  return new Map([...departures].map(([payoutId, departure]) => [payoutId, departureText(departure)]));
}
