/**
 * Turns sightings into facts to post: of waiting elements, or of everything for a check. Goes over addresses first,
 * then payouts, then deposits, because an own transfer can only be recognised from the other side.
 */

import { type Problem, problem } from "../../faults/index.ts";
import { chunks } from "../../model/chunks.ts";
import {
  type CustodyAccountId,
  comparableDestination,
  correlatedCallbackUrl,
  type DepositId,
  generalLedgerOf,
  type Instant,
  type InstructionFields,
  type JournalEntry,
  type ObservedDeposit,
  type ObservedFunds,
  type ObservedPayout,
  type PayoutId,
  payoutStateMeaning,
  type ReceiptClaims,
  type SentClaims,
  withFeeBearer,
} from "../../model/index.ts";
import {
  depositWindows,
  type Known,
  type KnownWaiting,
  knownDepositsOf,
  knownPayoutsOf,
  payoutWindows,
  receiptClaims,
  sentClaims,
  unpostedDepositWindows,
  unpostedPayoutWindows,
} from "../../observation/index.ts";
import { listBalances } from "../../store/balances.ts";
import { listNotToldApart } from "../../store/breaks.ts";
import { expectedParties } from "../../store/expected.ts";
import { heldKey, listSettledKeys } from "../../store/held.ts";
import { findByPayoutIds, listUnresolved } from "../../store/instructions.ts";
import { listEntriesOfKind } from "../../store/ledger-entries.ts";
import type { ObservedKind } from "../../store/observed.ts";
import { ITEMS_PER_STATEMENT } from "../../store/sql.ts";
import type { Store } from "../../store/store.ts";
import {
  accountsOfAddresses,
  listOwnTransfers,
  type ReceivingAddress,
  replaceReceivingAddresses,
} from "../../store/unposted.ts";
import type { DepositContext } from "../rules/deposit-facts.ts";
import { deriveDeposits, PayoutDerivation, receivingAddress } from "../rules/derive-facts.ts";
import { type Derived, type NotBooked, unclear, whereOf } from "../rules/derived.ts";
import { movedSinceBaseline } from "../rules/moved-since-baseline.ts";
import type { ReceivingAccounts } from "../rules/own-transfers.ts";
import type { LedgerPolicy } from "../rules/policy.ts";

/** Some payouts or deposits, and everything about them that is settled. */
export interface Settled extends Derived {
  readonly kind: ObservedKind;
  readonly sources: readonly Source[];
  /**
   * Their entries so far. Entries of elements that a baseline or a doubt sets aside are left out, because there are
   * no facts to check them against.
   */
  readonly posted: readonly JournalEntry[];
  /** The policy by which they are posted; it knows the instructions of these payouts. */
  readonly policy: LedgerPolicy;
}

export interface Source {
  readonly id: string;
  /** The number of the change that was read. */
  readonly seq: number;
  /**
   * It stays on the waiting list although it has not changed: it is still under way, or may yet turn out to be
   * ours.
   */
  readonly waits: boolean;
  /** For payouts: it transfers between own accounts. */
  readonly isTransfer: boolean;
  /** For payouts: it belongs to no instruction. */
  readonly isUnowned: boolean;
  /** When the network confirmed its first movement; undefined while none is confirmed. */
  readonly confirmedAt: Instant | undefined;
}

/** The payouts and deposits to derive, and where to find what is known about all others. */
interface Scope {
  readonly payouts: () => AsyncGenerator<readonly KnownWaiting<ObservedPayout>[]>;
  readonly deposits: () => AsyncGenerator<readonly KnownWaiting<ObservedDeposit>[]>;
  readonly claims: () => Promise<ReceiptClaims>;
  readonly sentClaims: () => Promise<SentClaims>;
  readonly noteAddresses: (shown: readonly ReceivingAddress[]) => Promise<void>;
  readonly accountsOf: (addresses: readonly string[]) => Promise<ReceivingAccounts>;
  /** All own transfers. `read`: those among the payouts of this scope. Called after the last payout. */
  readonly transfers: (read: readonly PayoutId[]) => Promise<readonly PayoutId[]>;
}

/** These payouts and deposits, waiting or not; pass their neighbours too. Stores nothing. */
export function scopeOf(store: Store, ids: readonly string[]): Scope {
  const sorted = [...ids].sort();
  return {
    payouts: () =>
      withoutSeq(
        windowsOf(sorted, async (some) => [
          ...(await store.read(() => knownPayoutsOf(some as readonly PayoutId[]))).values(),
        ]),
      ),
    deposits: () =>
      withoutSeq(
        windowsOf(sorted, (some) => store.read(() => knownDepositsOf(some as readonly DepositId[]))),
      ),
    claims: () => receiptClaims(store),
    sentClaims: () => sentClaims(store),
    noteAddresses: async () => undefined,
    ...keptByPosting(store),
  };
}

async function* windowsOf<Resource>(
  ids: readonly string[],
  read: (some: readonly string[]) => Promise<readonly Known<Resource>[]>,
): AsyncGenerator<readonly Known<Resource>[]> {
  for (const some of chunks(ids, ITEMS_PER_STATEMENT)) yield await read(some);
}

/** Elements that wait to be posted. */
export function unpostedScope(store: Store): Scope {
  return {
    payouts: () => unpostedPayoutWindows(store),
    deposits: () => unpostedDepositWindows(store),
    claims: () => receiptClaims(store, "unposted"),
    sentClaims: () => sentClaims(store, "unposted"),
    noteAddresses: (shown) => store.write(() => replaceReceivingAddresses(shown)),
    ...keptByPosting(store),
  };
}

function keptByPosting(store: Store): Pick<Scope, "accountsOf" | "transfers"> {
  return {
    accountsOf: (addresses) => store.read(() => accountsOfAddresses(addresses)),
    transfers: async () => (await store.read(() => listOwnTransfers())) as readonly PayoutId[],
  };
}

/** Everything ever seen, derived from zero, without anything that posting keeps. */
export function wholeScope(store: Store): Scope {
  const accounts = new Map<string, CustodyAccountId>();
  return {
    payouts: () => withoutSeq(payoutWindows(store)),
    deposits: () => withoutSeq(depositWindows(store)),
    claims: () => receiptClaims(store),
    sentClaims: () => sentClaims(store),
    noteAddresses: async (shown) => {
      for (const { address, custodyAccountId } of shown)
        if (address !== undefined && !accounts.has(address)) accounts.set(address, custodyAccountId);
    },
    accountsOf: async (addresses) =>
      new Map(
        addresses.flatMap((address) => {
          const account = accounts.get(address);
          return account === undefined ? [] : [[address, account] as const];
        }),
      ),
    transfers: async (read) => read,
  };
}

/** Outside the waiting list elements have no `seq`; these scopes end no waiting. */
async function* withoutSeq<Resource>(windows: AsyncGenerator<readonly Known<Resource>[]>) {
  for await (const window of windows) yield window.map((known) => ({ ...known, seq: 0 }));
}

/**
 * Payouts in windows, then deposits. The caller must store the entries of each part before it asks for the next:
 * whether a receipt belongs to a booked transfer is read from stored entries.
 */
export async function* settledSources(
  store: Store,
  policy: LedgerPolicy,
  scope: Scope,
): AsyncGenerator<Settled> {
  for await (const window of scope.deposits())
    await scope.noteAddresses(
      window.map(({ resource }) => ({ ...resource, address: receivingAddress(resource) })),
    );
  const openings = await store.read(() => listBalances("opening"));
  const openedAt = new Map(openings.map((opening) => [opening.custodyAccountId, opening.observedAt]));
  const run: Run = { store, policy, scope, openedAt, isSettled: await settledByController(store) };
  const payouts = new Payouts(run);
  const transfers: PayoutId[] = [];
  for await (const window of scope.payouts()) {
    const settled = await payouts.settledIn(window);
    transfers.push(...settled.sources.filter(({ isTransfer }) => isTransfer).map(({ id }) => id as PayoutId));
    yield settled;
  }
  const claims = await scope.claims();
  // Made for the first deposit only, because it reads all own transfers; their entries are stored by now.
  let context: DepositContext | undefined;
  const settledIn = async (window: readonly KnownWaiting<ObservedDeposit>[]): Promise<Settled> => {
    context ??= await new Payouts(run).depositContext(await scope.transfers(transfers), claims);
    return settledDeposits(run, window, context);
  };
  const groups = claims.groups();
  const grouped = new Set(groups.flat());
  const seqOf = new Map<DepositId, number>();
  for await (const window of scope.deposits()) {
    const [together, alone] = splitBy(window, ({ resource }) => grouped.has(resource.depositId));
    for (const { resource, seq } of together) seqOf.set(resource.depositId, seq);
    if (alone.length > 0) yield await settledIn(alone);
  }
  // In one part, and so in one transaction: a receipt that moved must be in the entries of exactly one deposit.
  for (const group of groups) {
    const known = await store.read(() => knownDepositsOf(group));
    yield await settledIn(known.map((each) => ({ ...each, seq: seqOf.get(each.resource.depositId) ?? 0 })));
  }
}

interface Run {
  readonly store: Store;
  readonly policy: LedgerPolicy;
  readonly scope: Scope;
  /** When the opening balances were taken. */
  readonly openedAt: ReadonlyMap<CustodyAccountId, Instant>;
  readonly isSettled: DepositContext["isSettled"];
}

/** Whether a controller has decided that what is held for this reason will never be booked. */
export async function settledByController(store: Store): Promise<DepositContext["isSettled"]> {
  const keys = await store.read(() => listSettledKeys());
  return ({ payoutId, depositId, code, message }) =>
    keys.has(heldKey({ id: payoutId ?? depositId ?? "", code, message }));
}

/** Why a payout is held whose movement another one lists too. */
function claimedProblem(payout: Pick<ObservedPayout, "payoutId" | "reference">, claims: SentClaims): Problem {
  const [first] = claims.othersOf(payout.payoutId);
  return unclear(
    payout,
    `payout ${first} lists the same movement, and no balance shows yet that it left twice`,
  );
}

/** Derives payouts, and knows which of them are own transfers. */
class Payouts {
  private readonly run: Run;
  private readonly accounts = new Map<string, CustodyAccountId>();
  private readonly derivation: PayoutDerivation;
  private sentClaims: SentClaims | undefined;

  constructor(run: Run) {
    this.run = run;
    this.derivation = new PayoutDerivation(run.policy, this.accounts);
  }

  async settledIn(window: readonly KnownWaiting<ObservedPayout>[]): Promise<Settled> {
    const { known, setAside, entries, ownership, transfers } = await this.noted(window);
    const { isInstructed, payeeOf, isUndecided, asInstructed } = ownership;
    const booked = new Set(entries.map(({ sourceId }) => sourceId));
    const claimed = await this.claimedTwice(known.filter(({ payoutId }) => !booked.has(payoutId)));
    const undecided = new Set<string>(known.filter(isUndecided).map(({ payoutId }) => payoutId));
    const decided = known.filter(({ payoutId: id }) => !undecided.has(id) && !claimed.has(id));
    const derived = this.derivation.derive(decided.map(asInstructed));
    const unbooked = known.filter(({ payoutId }) => undecided.has(payoutId) && !booked.has(payoutId));
    const [moved, others] = splitBy(unbooked, ({ sentFunds }) => firstConfirmed(sentFunds) !== undefined);
    const isTransfer = new Set<string>(transfers.map(({ payoutId }) => payoutId));
    return {
      ...derived,
      held: [...derived.held, ...claimed.values(), ...moved.map(undecidedMovement)],
      kind: "payout",
      sources: window.map(({ id, seq, resource }) => ({
        id,
        seq,
        waits: undecided.has(id) || isUnderWay(resource),
        isTransfer: isTransfer.has(id),
        isUnowned: !isInstructed(resource.payoutId),
        confirmedAt: firstConfirmed(resource.sentFunds),
      })),
      notBooked: [
        ...derived.notBooked,
        ...others.map(undecidedRow),
        ...movedSinceBaseline(setAside, this.run.openedAt),
      ],
      posted: entries.filter(({ sourceId }) => !undecided.has(sourceId)),
      policy: { ...this.run.policy, isInstructed, payeeOf },
    };
  }

  /**
   * Those held because another payout lists the same movement, and no balance shows yet that it left twice. One is
   * booked nevertheless once a controller has settled the others, or once somebody has settled the break.
   */
  private async claimedTwice(payouts: readonly ObservedPayout[]): Promise<ReadonlyMap<PayoutId, Problem>> {
    this.sentClaims ??= await this.run.scope.sentClaims();
    const claims = this.sentClaims;
    const claimed = payouts.flatMap((payout) => {
      const others = claims.othersOf(payout.payoutId);
      return others.length === 0 ? [] : [{ payout, others, group: [payout.payoutId, ...others] }];
    });
    const ids = claimed.flatMap(({ group }) => group);
    const breakSettledOf = await this.run.store.read(() => listNotToldApart(ids));
    const isSettled = (payoutId: PayoutId) => this.run.isSettled(claimedProblem({ payoutId }, claims));
    const held = claimed.filter(({ payout, others, group }) => {
      if (!group.some((id) => breakSettledOf.has(id))) return false;
      if (isSettled(payout.payoutId)) return true;
      const areBreaksSettled = group.every((id) => breakSettledOf.get(id) ?? true);
      return !areBreaksSettled && !others.every(isSettled);
    });
    return new Map(held.map(({ payout }) => [payout.payoutId, claimedProblem(payout, claims)]));
  }

  /** `transfers`: all own transfers. */
  async depositContext(transfers: readonly PayoutId[], claims: ReceiptClaims): Promise<DepositContext> {
    for (const ids of chunks(transfers, ITEMS_PER_STATEMENT)) {
      const known = await this.run.store.read(() => knownPayoutsOf(ids));
      await this.noted([...known.values()]);
    }
    return { ...this.derivation.depositContext(claims), isSettled: this.run.isSettled };
  }

  private async noted(window: readonly Known<ObservedPayout>[]) {
    const addresses = window.flatMap(({ resource }) =>
      comparableDestination(resource.destinationAddress ?? ""),
    );
    for (const [address, account] of await this.run.scope.accountsOf(addresses))
      this.accounts.set(address, account);
    const { known, setAside } = splitSetAside(window);
    const { entries, ownership } = await this.run.store.read(function* () {
      const ids = known.map(({ payoutId }) => payoutId);
      return { entries: yield* listEntriesOfKind("payout", ids), ownership: yield* ownershipOf(known) };
    });
    const transfers = this.derivation.noteTransfers(
      [...known.map(ownership.asInstructed), ...setAside],
      entries,
    );
    return { known, setAside, entries, ownership, transfers };
  }
}

async function settledDeposits(
  { store, policy, openedAt }: Run,
  window: readonly KnownWaiting<ObservedDeposit>[],
  context: DepositContext,
): Promise<Settled> {
  const { known, setAside } = splitSetAside(window);
  const { posted, parties } = await store.read(function* () {
    const ids = known.map(({ depositId }) => depositId);
    return { posted: yield* listEntriesOfKind("deposit", ids), parties: yield* expectedParties(ids) };
  });
  const derived = deriveDeposits(known, { ...context, parties }, posted, policy);
  return {
    ...derived,
    kind: "deposit",
    sources: window.map(({ id, seq, resource }) => ({
      id,
      seq,
      waits: false,
      isTransfer: false,
      isUnowned: false,
      confirmedAt: firstConfirmed(resource.receivedFunds),
    })),
    notBooked: [...derived.notBooked, ...movedSinceBaseline(setAside, openedAt)],
    posted,
    policy,
  };
}

function firstConfirmed(funds: readonly ObservedFunds[]): Instant | undefined {
  return funds.flatMap(({ confirmedAt }) => confirmedAt ?? []).sort()[0];
}

/** A payout under way and not booked may still become a transfer, by an address that a deposit shows later. */
function isUnderWay({ state }: ObservedPayout): boolean {
  return state !== "SENT" && payoutStateMeaning(state) === "open";
}

/** Splits a window. `setAside`: elements that a baseline has set aside, which are not booked. */
function splitSetAside<Resource>(sightings: readonly Known<Resource>[]) {
  const [setAside, known] = splitBy(sightings, ({ isSetAside }) => isSetAside);
  const resourcesOf = (some: readonly Known<Resource>[]) => some.map(({ resource }) => resource);
  return { known: resourcesOf(known), setAside: resourcesOf(setAside) };
}

function splitBy<Item>(items: readonly Item[], goesFirst: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(goesFirst), items.filter((item) => !goesFirst(item))];
}

/** Held, not left out: its money has left the treasury, so no month with it is complete before that is decided. */
function undecidedMovement(payout: ObservedPayout): Problem {
  return problem("LEDGER_UNDECIDED", {}, whereOf(payout));
}

function undecidedRow({ payoutId, state, reference }: ObservedPayout): NotBooked {
  const reason = "whether it is ours is in doubt or held; it is booked once that is decided";
  return { sourceId: payoutId, sourceState: state, reference, reason };
}

/**
 * The payout with the general-ledger fields of its approved file, because a service may show them in part or not at
 * all. A difference is a break.
 */
function withOwnNames(payout: ObservedPayout, fields: InstructionFields | undefined): ObservedPayout {
  if (fields === undefined) return payout;
  return { ...withFeeBearer(payout, fields), reference: fields.reference, ...generalLedgerOf(fields) };
}

/**
 * Finds the payouts' instructions. A payout without an accepted instruction is booked as unexpected, for good.
 * `isUndecided`: it has the reference or callbackUrl of an instruction in doubt or held, so it may still turn out
 * to be ours and is not booked yet. Runs in one transaction, because two reads could miss a payment that is
 * accepted between them.
 */
function* ownershipOf(payouts: readonly ObservedPayout[]) {
  const instructed = yield* findByPayoutIds(payouts.map(({ payoutId }) => payoutId));
  const owned = new Map(instructed.map(({ payoutId, fields }) => [payoutId, fields]));
  const undecided = new Set<string>();
  if (payouts.some(({ payoutId }) => !owned.has(payoutId)))
    for (const instruction of yield* listUnresolved())
      undecided.add(instruction.fields.reference).add(correlatedCallbackUrl(instruction));
  return {
    isInstructed: (payoutId: PayoutId) => owned.has(payoutId),
    payeeOf: (payoutId: PayoutId) => owned.get(payoutId)?.customerId,
    asInstructed: (payout: ObservedPayout) => withOwnNames(payout, owned.get(payout.payoutId)),
    isUndecided: ({ payoutId, reference = "", callbackUrl = "" }: ObservedPayout) =>
      !owned.has(payoutId) && (undecided.has(reference) || undecided.has(callbackUrl)),
  };
}
