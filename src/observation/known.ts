/** The last stored sightings of payouts and deposits: all of them in windows, or those requested by the caller. */
import {
  correlatedCallbackUrl,
  type DepositId,
  depositStateMeaning,
  hasEnded,
  type Instruction,
  type InstructionId,
  type ObservedDeposit,
  type ObservedPayout,
  type PayoutId,
  payoutStateMeaning,
  type StateMeaning,
} from "../model/index.ts";
import { listUnownedWaiting, listWaiting, type Waiting } from "../store/compared.ts";
import {
  listPayoutsNamed,
  listSightingsAfter,
  listSightingsOf,
  type StoredSighting,
} from "../store/observed.ts";
import type { Transaction } from "../store/sql.ts";
import type { Store } from "../store/store.ts";
import { listUnposted } from "../store/unposted.ts";
import { inWindows } from "../store/windows.ts";
import { depositFromStored, payoutFromStored } from "./from-wire.ts";

export interface Known<Resource> extends StoredSighting {
  readonly resource: Resource;
  /** Its state is final: no further change is expected. */
  readonly hasEnded: boolean;
}

type Windows<Resource> = AsyncGenerator<readonly Known<Resource>[]>;

/** All payouts ever seen, in windows ordered by id. */
export function payoutWindows(store: Store): Windows<ObservedPayout> {
  const list = (afterId: string) => listSightingsAfter("payout", afterId, SIGHTINGS_TOGETHER);
  return windows(store, list, payoutFromSighting<StoredSighting>);
}

/** All deposits ever seen, in windows ordered by id. */
export function depositWindows(store: Store): Windows<ObservedDeposit> {
  const list = (afterId: string) => listSightingsAfter("deposit", afterId, SIGHTINGS_TOGETHER);
  return windows(store, list, depositFromSighting<StoredSighting>);
}

const SIGHTINGS_TOGETHER = 500;
/** What a longer window holds in memory would outlive collections of garbage, each of which copies it. */
const WAITING_TOGETHER = 100;

async function* windows<Sighting extends StoredSighting, Read>(
  store: Store,
  list: (afterId: string) => Transaction<Sighting[]>,
  read: (sighting: Sighting) => Read,
): AsyncGenerator<readonly Read[]> {
  const stored = inWindows<Sighting>(store, (last) => list(last?.id ?? ""));
  for await (const window of stored) yield window.map(read);
}

/** An element that waits to be compared or posted; `seq`: the number of the change that was read. */
export type KnownWaiting<Resource> = Known<Resource> & Pick<Waiting, "seq">;

type WaitingWindows<Resource> = AsyncGenerator<readonly KnownWaiting<Resource>[]>;

/**
 * Payouts that wait to be compared, in windows ordered by id. Not parsed: `payoutFromSighting` parses them one at a
 * time, so that nearly all are finished before the next is parsed.
 */
export function waitingPayoutWindows(store: Store): AsyncGenerator<readonly Waiting[]> {
  return inWindows<Waiting>(store, (last) => listWaiting("payout", last?.id ?? "", WAITING_TOGETHER));
}

/** Payouts that wait to be compared and belong to no instruction, in windows ordered by id. */
export function waitingUnownedWindows(store: Store): WaitingWindows<ObservedPayout> {
  const list = (afterId: string) => listUnownedWaiting(afterId, WAITING_TOGETHER);
  return windows(store, list, payoutFromSighting<Waiting>);
}

/** Deposits that wait to be compared, in windows ordered by id. */
export function waitingDepositWindows(store: Store): WaitingWindows<ObservedDeposit> {
  const list = (afterId: string) => listWaiting("deposit", afterId, WAITING_TOGETHER);
  return windows(store, list, depositFromSighting<Waiting>);
}

/** Payouts that wait to be posted, in windows ordered by id. */
export function unpostedPayoutWindows(store: Store): WaitingWindows<ObservedPayout> {
  const list = (afterId: string) => listUnposted("payout", afterId, SIGHTINGS_TOGETHER);
  return windows(store, list, payoutFromSighting<Waiting>);
}

/** Deposits that wait to be posted, in windows ordered by id. */
export function unpostedDepositWindows(store: Store): WaitingWindows<ObservedDeposit> {
  const list = (afterId: string) => listUnposted("deposit", afterId, SIGHTINGS_TOGETHER);
  return windows(store, list, depositFromSighting<Waiting>);
}

/** The given deposits, without those that were never seen. */
export function* knownDepositsOf(depositIds: readonly DepositId[]): Transaction<Known<ObservedDeposit>[]> {
  return (yield* listSightingsOf("deposit", depositIds)).map(depositFromSighting);
}

/** The last sighting of each payout, by payoutId; payouts never seen are left out. */
export function* knownByIds(
  payoutIds: readonly PayoutId[],
): Transaction<ReadonlyMap<PayoutId, ObservedPayout>> {
  const known = yield* knownPayoutsOf(payoutIds);
  return new Map([...known].map(([payoutId, { resource }]) => [payoutId, resource]));
}

/** As `knownByIds`, including when each was seen. */
export function* knownPayoutsOf(
  payoutIds: readonly PayoutId[],
): Transaction<ReadonlyMap<PayoutId, Known<ObservedPayout>>> {
  const known = (yield* listSightingsOf("payout", payoutIds)).map(payoutFromSighting);
  return new Map(known.map((sighting) => [sighting.resource.payoutId, sighting]));
}

/** Every payout ever seen with the instruction's reference or callbackUrl, as last seen. */
export function* knownForInstruction(instruction: Instruction): Transaction<readonly ObservedPayout[]> {
  return (yield* knownForInstructions([instruction])).get(instruction.id) ?? [];
}

/** As `knownForInstruction` for several, by instruction id; instructions without a sighting are left out. */
export function* knownForInstructions(
  instructions: readonly Instruction[],
): Transaction<ReadonlyMap<InstructionId, readonly ObservedPayout[]>> {
  const byReference = new Map(instructions.map(({ id, fields }) => [fields.reference, id]));
  const byCallbackUrl = new Map(
    instructions.map((instruction) => [correlatedCallbackUrl(instruction), instruction.id]),
  );
  const known = new Map<InstructionId, ObservedPayout[]>();
  if (instructions.length === 0) return known;
  for (const sighting of yield* listPayoutsNamed([...byReference.keys(), ...byCallbackUrl.keys()])) {
    const { resource, beforeBaseline } = payoutFromSighting(sighting);
    const { name } = sighting;
    const owner = byCallbackUrl.get(name) ?? (beforeBaseline ? undefined : byReference.get(name));
    if (owner === undefined) continue;
    const others = known.get(owner) ?? [];
    if (!others.some(({ payoutId }) => payoutId === resource.payoutId))
      known.set(owner, [...others, resource]);
  }
  return known;
}

export function payoutFromSighting<Sighting extends StoredSighting>(
  sighting: Sighting,
): Sighting & Known<ObservedPayout> {
  const payout = payoutFromStored(sighting.raw, sighting.stateSeenAt);
  return knownFrom(sighting, payout, payoutStateMeaning(payout.state));
}

function depositFromSighting<Sighting extends StoredSighting>(
  sighting: Sighting,
): Sighting & Known<ObservedDeposit> {
  const deposit = depositFromStored(sighting.raw, sighting.stateSeenAt);
  return knownFrom(sighting, deposit, depositStateMeaning(deposit.state));
}

function knownFrom<Sighting extends StoredSighting, Resource>(
  sighting: Sighting,
  resource: Resource,
  meaning: StateMeaning | undefined,
): Sighting & Known<Resource> {
  return { ...sighting, resource, hasEnded: hasEnded(meaning) };
}
