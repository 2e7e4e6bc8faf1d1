/** Posts settled movements to the journal: each fact once, balanced, by the chart of accounts. */
import type { Config } from "../config/index.ts";
import { unlessStopped } from "../context/context.ts";
import type { Problem } from "../faults/index.ts";
import {
  correlatedCallbackUrl,
  generalLedgerOf,
  type Instant,
  type InstructionFields,
  type JournalEntry,
  type ObservedDeposit,
  type ObservedPayout,
  type PayoutId,
  withFeeBearer,
} from "../model/index.ts";
import {
  depositWindows,
  type Known,
  knownDepositsOf,
  payoutWindows,
  receiptClaims,
} from "../observation/index.ts";
import { exclusivelyOrFault } from "../pipeline/workplace/exclusively.ts";
import type { Workplace } from "../pipeline/workplace/workplace.ts";
import { anchorOf, checkAnchor } from "../store/anchor.ts";
import { listBalances } from "../store/balances.ts";
import { findByPayoutIds, listUnresolved } from "../store/instructions.ts";
import {
  insertEntries,
  listEntriesAbout,
  listEntriesAfter,
  type PostedEntry,
} from "../store/ledger-entries.ts";
import type { Store } from "../store/store.ts";
import { inWindows } from "../store/windows.ts";
import { openChart } from "./chart/chart-file.ts";
import { ledgerPolicy } from "./ledger-policy.ts";
import { AddressAccounts, deriveDeposits, PayoutDerivation } from "./rules/derive-facts.ts";
import type { Derived, NotBooked } from "./rules/derived.ts";
import { movedSinceBaseline } from "./rules/moved-since-baseline.ts";
import { type LedgerPolicy, refuseClosedAhead } from "./rules/policy.ts";
import { postFacts } from "./rules/post-facts.ts";
import { LedgerSums, type TrialBalance } from "./rules/trial-balance.ts";

export interface LedgerReport {
  /** How many entries this run has posted. */
  readonly posted: number;
  /** Problems of what was booked to suspense, held back, or booked with a question. */
  readonly problems: readonly Problem[];
  readonly notBooked: readonly NotBooked[];
  /** The trial balance over all entries ever posted. */
  readonly trialBalance: TrialBalance;
}

/** As `postSettled`, by itself. Throws UNDER_WAY while another process posts or exports. */
export function ledgerStep(workplace: Workplace): Promise<LedgerReport> {
  return exclusivelyOrFault(workplace, "ledger-export", postSettled);
}

/**
 * Posts in parts: what is posted before a problem stays, and the next run goes on behind it. Only one process may at a time:
 * it would take what another one has just posted for changed, by what it had read before. Throws CHART_UNUSABLE;
 * LEDGER_CURRENCY_CHANGED; INVARIANT_BROKEN before the entry is stored; what `refuseClosedAhead` throws; and what
 * `checkAnchor` throws, since to a restored database payments of ours are nobody's.
 */
export async function postSettled(workplace: Workplace): Promise<LedgerReport> {
  const { store, context, config } = workplace;
  await store.read(checkAnchor(anchorOf(config)));
  refuseClosedAhead(config.ledger, context.clock.now());
  const chart = await openChart(config.ledger.chart);
  const { sums, lastPostedAt } = await postedSoFar(store, config.ledger);
  const policy = ledgerPolicy(workplace, lastPostedAt);
  const problems: { readonly held: Problem[]; readonly booked: Problem[] } = { held: [], booked: [] };
  const notBooked: NotBooked[] = [];
  let posted = 0;
  for await (const settled of settledSources(store, policy)) {
    unlessStopped(context);
    const { posted: earlier, isInstructed } = settled;
    const { entries, ...told } = postFacts(settled, earlier, chart, { ...policy, isInstructed });
    sums.add(entries);
    if (entries.length > 0) await store.write(() => insertEntries(entries, context.clock.now()));
    posted += entries.length;
    problems.held.push(...told.held);
    problems.booked.push(...told.problems);
    notBooked.push(...settled.notBooked);
  }
  return {
    posted,
    problems: [...problems.held, ...problems.booked],
    notBooked,
    trialBalance: sums.trialBalance(),
  };
}

/** Some payouts or deposits with everything about them that is settled. */
interface Settled extends Derived {
  /**
   * All their entries so far, without those of what a baseline or a doubt sets aside: it has no facts to be judged by.
   */
  readonly posted: readonly JournalEntry[];
  readonly isInstructed: LedgerPolicy["isInstructed"];
}

/** All settled sources ever seen, in windows: the books grow without bound. */
async function* settledSources(store: Store, policy: LedgerPolicy): AsyncGenerator<Settled> {
  const addresses = new AddressAccounts();
  for await (const window of depositWindows(store)) addresses.add(window.map(({ resource }) => resource));
  const derivation = new PayoutDerivation(policy, addresses.accounts);
  const openings = await store.read(() => listBalances("opening"));
  const openedAt = new Map(openings.map((opening) => [opening.custodyAccountId, opening.observedAt]));
  for await (const window of payoutWindows(store)) {
    const { known, setAside } = splitSetAside(window);
    const { isInstructed, isUndecided, asInstructed } = await store.read(() => ownership(known));
    const entries = await store.read(() => listEntriesAbout(known.map(({ payoutId }) => payoutId)));
    const booked = new Set(entries.map(({ sourceId }) => sourceId));
    const transfers = derivation.noteTransfers([...known.map(asInstructed), ...setAside], entries);
    const undecided = known.filter(isUndecided);
    const derived = derivation.derive(known.filter((payout) => !isUndecided(payout)).map(asInstructed));
    const notBooked = [
      ...derived.notBooked,
      ...undecided.filter(({ payoutId }) => !booked.has(payoutId)).map(undecidedRow),
      ...movedSinceBaseline(setAside, openedAt),
    ];
    const withoutFacts = new Set<string>(undecided.map(({ payoutId }) => payoutId));
    const posted = entries.filter(({ sourceId }) => !withoutFacts.has(sourceId));
    yield { ...derived, notBooked, posted, isInstructed };
    // By now those that have settled are posted.
    const ids = transfers.map(({ payoutId }) => payoutId);
    if (ids.length > 0) derivation.noteTransfers(transfers, await store.read(() => listEntriesAbout(ids)));
  }
  const claims = await receiptClaims(store);
  const context = derivation.depositContext(claims);
  const groups = claims.groups();
  const grouped = new Set(groups.flat());
  const settledIn = async (window: readonly Known<ObservedDeposit>[]): Promise<Settled> => {
    const { known, setAside } = splitSetAside(window);
    const posted = await store.read(() => listEntriesAbout(known.map(({ depositId }) => depositId)));
    const derived = deriveDeposits(known, context, posted, policy);
    const notBooked = [...derived.notBooked, ...movedSinceBaseline(setAside, openedAt)];
    return { ...derived, notBooked, posted, isInstructed: policy.isInstructed };
  };
  for await (const window of depositWindows(store))
    yield await settledIn(window.filter(({ resource }) => !grouped.has(resource.depositId)));
  // In one part, and so in one transaction: a receipt that moved must never be in no deposit's entries, or in two's.
  for (const group of groups) yield await settledIn(await store.read(() => knownDepositsOf(group)));
}

/** Splits a window; `setAside`: what a baseline has set aside, which is not booked. */
function splitSetAside<Resource>(sightings: readonly Known<Resource>[]) {
  const resourcesOf = (some: readonly Known<Resource>[]) => some.map(({ resource }) => resource);
  return {
    known: resourcesOf(sightings.filter(({ isSetAside }) => !isSetAside)),
    setAside: resourcesOf(sightings.filter(({ isSetAside }) => isSetAside)),
  };
}

const ENTRIES_TOGETHER = 1_000;

/** Sums all entries. `lastPostedAt`: the latest time at which one was posted, empty if there is none. */
async function postedSoFar(store: Store, { functionalCurrency }: Config["ledger"]) {
  const sums = new LedgerSums(functionalCurrency);
  let lastPostedAt: Instant = "";
  const posted = inWindows<PostedEntry>(store, (last) => listEntriesAfter(last?.seq ?? 0, ENTRIES_TOGETHER));
  for await (const window of posted) {
    sums.add(window.map(({ entry }) => entry));
    for (const { postedAt } of window) if (postedAt > lastPostedAt) lastPostedAt = postedAt;
  }
  return { sums, lastPostedAt };
}

function undecidedRow({ payoutId, state, reference }: ObservedPayout): NotBooked {
  const reason = "whether it is ours is in doubt or held; it is booked once that is decided";
  return { sourceId: payoutId, sourceState: state, reference, reason };
}

/**
 * The payout with the general-ledger fields of its approved file: a service need not show them, or not in full. A
 * difference is a break.
 */
function withOwnNames(payout: ObservedPayout, fields: InstructionFields | undefined): ObservedPayout {
  if (fields === undefined) return payout;
  return { ...withFeeBearer(payout, fields), reference: fields.reference, ...generalLedgerOf(fields) };
}

/**
 * Finds the payouts' instructions. A payout without an accepted instruction is booked as unexpected, for good.
 * `isUndecided`: it has the reference or callbackUrl of an instruction in doubt or held, so it may still turn out to be
 * ours and is not booked yet. In one transaction, because a payment accepted between two reads would be in neither.
 */
function* ownership(payouts: readonly ObservedPayout[]) {
  const instructed = yield* findByPayoutIds(payouts.map(({ payoutId }) => payoutId));
  const owned = new Map(instructed.map(({ payoutId, fields }) => [payoutId, fields]));
  const undecided = new Set<string>();
  if (payouts.some(({ payoutId }) => !owned.has(payoutId)))
    for (const instruction of yield* listUnresolved())
      undecided.add(instruction.fields.reference).add(correlatedCallbackUrl(instruction));
  return {
    isInstructed: (payoutId: PayoutId) => owned.has(payoutId),
    asInstructed: (payout: ObservedPayout) => withOwnNames(payout, owned.get(payout.payoutId)),
    isUndecided: ({ payoutId, reference = "", callbackUrl = "" }: ObservedPayout) =>
      !owned.has(payoutId) && (undecided.has(reference) || undecided.has(callbackUrl)),
  };
}
