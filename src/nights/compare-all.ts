/**
 * Feeds a comparison everything ever asked for and ever seen, in windows. Payouts without a payment come first: a
 * payment that one of them may belong to is compared with it instead of being cleared.
 */
import { unlessStopped } from "../context/context.ts";
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
  withFeeBearer,
} from "../model/index.ts";
import { present } from "../model/present.ts";
import { currencyScales } from "../money/index.ts";
import {
  departuresOfFailed,
  departureText,
  depositWindows,
  type Known,
  knownPayoutsOf,
  receiptClaims,
  statesBefore,
  unownedPayoutWindows,
} from "../observation/index.ts";
import type { Workplace } from "../pipeline/workplace/workplace.ts";
import { listBalances } from "../store/balances.ts";
import { listSettledPayments } from "../store/breaks.ts";
import { listMissingOrFailedDeposits, listRequestedDeposits } from "../store/changes.ts";
import { listAcceptedSince, listInstructionsAfter, listNamed } from "../store/instructions.ts";
import { listFirstAddresses } from "../store/observed.ts";
import { listPaidAgain, listSubmittedSince } from "../store/pay-again.ts";
import type { Transaction } from "../store/sql.ts";
import type { Store } from "../store/store.ts";
import { inWindows } from "../store/windows.ts";
import { Comparison, type Reconciliation, type ReconciliationPolicy, type Sighted } from "./rules/index.ts";
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

/** Compares everything asked for with everything ever shown; changes nothing. Throws INVARIANT_BROKEN. */
export async function compareWithSweep(
  workplace: Workplace,
  swept: SweptKeys,
  at: Instant,
): Promise<Reconciliation> {
  const { store } = workplace;
  const policy = comparisonPolicy(workplace, at);
  const clearedTooEarly = new Set<InstructionId>();
  for (;;) {
    const comparison = new Comparison(await readInput(store, swept), policy);
    const named = await addUnownedPayouts(comparison, store, swept);
    const notCleared = new Set([...clearedTooEarly, ...named]);
    const { kept, namedByKept } = await addPayments(comparison, workplace, swept, notCleared);
    // A payout that may belong to them was read only after they had been cleared: rare, so everything is read once more.
    const cleared = namedByKept.filter((id) => !kept.has(id));
    if (cleared.length === 0) {
      await addDeposits(comparison, store, swept);
      const { addedPayouts } = comparison;
      const before = await store.read(() => statesBefore("payout", openStates(addedPayouts)));
      return comparison.finish(await store.read(() => departureTexts(addedPayouts)), before);
    }
    for (const id of cleared) clearedTooEarly.add(id);
  }
}

async function readInput(store: Store, swept: SweptKeys) {
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
    };
  });
}

/** Adds the payouts without a payment; returns the payments that one of them may belong to. */
async function addUnownedPayouts(
  comparison: Comparison,
  store: Store,
  swept: SweptKeys,
): Promise<readonly InstructionId[]> {
  const named: InstructionId[] = [];
  for await (const window of unownedPayoutWindows(store)) {
    const namedBy = await store.read(() => paymentsNamedBy(window.map(({ resource }) => resource)));
    for (const known of window) {
      const ids = namedBy(known.resource);
      named.push(...ids);
      if (known.beforeBaseline && ids.length === 0) comparison.setAside(known.resource);
      else comparison.addPayout(known.resource, sighted(known, swept));
    }
  }
  return named;
}

const PAYMENTS_TOGETHER = 500;

/** Adds the payments. `kept`: those not cleared; those in `notCleared` never are. */
async function addPayments(
  comparison: Comparison,
  { store, context }: Workplace,
  swept: SweptKeys,
  notCleared: ReadonlySet<InstructionId>,
): Promise<{ readonly kept: ReadonlySet<InstructionId>; readonly namedByKept: readonly InstructionId[] }> {
  const kept = new Set<InstructionId>();
  const namedByKept: InstructionId[] = [];
  const all = inWindows<Instruction>(store, (last) => listInstructionsAfter(last, PAYMENTS_TOGETHER));
  for await (const window of all) {
    unlessStopped(context);
    const { payouts, awaited } = await store.read(() => payoutsAndAwaited(window, swept));
    const keptPayouts: ObservedPayout[] = [];
    for (const instruction of window) {
      const known = instruction.payoutId && payouts.get(instruction.payoutId);
      if (!known) {
        kept.add(instruction.id);
        if (awaited.has(instruction.id)) comparison.addAwaited(instruction);
        else comparison.addInstruction(instruction);
        continue;
      }
      const how = sighted(known, swept);
      const payout = withFeeBearer(known.resource, instruction.fields);
      if (!notCleared.has(instruction.id) && comparison.clear(instruction, payout, how)) continue;
      kept.add(instruction.id);
      comparison.addInstruction(instruction);
      comparison.addPayout(payout, how);
      keptPayouts.push(payout);
    }
    const namedBy = await store.read(() => paymentsNamedBy(keptPayouts));
    namedByKept.push(...keptPayouts.flatMap(namedBy));
  }
  return { kept, namedByKept };
}

/**
 * The known payouts of instructions; `awaited`: accepted ones whose payout may not show yet, or whose absence nothing
 * proves.
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

async function addDeposits(comparison: Comparison, store: Store, swept: SweptKeys): Promise<void> {
  const claims = await receiptClaims(store);
  for await (const window of depositWindows(store)) {
    const ids = window.map(({ resource }) => resource.depositId);
    const { requested, firstAddresses, before } = await store.read(function* () {
      return {
        before: yield* statesBefore("deposit", openStates(window.map(({ resource }) => resource))),
        requested: yield* listRequestedDeposits(ids),
        firstAddresses: yield* listFirstAddresses(ids),
      };
    });
    for (const known of window) {
      const { depositId } = known.resource;
      const of = present({
        requested: requested.get(depositId),
        firstAddress: firstAddresses.get(depositId),
        stateBefore: before.get(depositId),
      });
      const listed = { claims: claims.claimsOf(depositId), movedAway: claims.movedAwayFrom(depositId) };
      comparison.addDeposit({ ...known.resource, ...of, ...listed }, sighted(known, swept));
    }
  }
}

/** What a comparison says of one that was seen: whether it is shown, and what its absence means. */
export function sighted(known: Known<unknown>, swept: SweptKeys): Sighted {
  const { beforeBaseline } = known;
  const since = notShownSince(known, swept);
  const whereNotShown = beforeBaseline || mayBeLeftOut(known, swept) ? "gone" : "undecided";
  const notShown = since === undefined || beforeBaseline ? whereNotShown : "notShown";
  return {
    beforeBaseline,
    notShownSince: since,
    payoutClass: known.lastSeenAt >= swept.begunAt ? "agree" : notShown,
  };
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

/** By id, the states of those that have not ended: only these may have been further. */
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
