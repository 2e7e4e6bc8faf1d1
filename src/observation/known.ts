/** The last stored sighting of payouts and deposits: of all of them in windows, or of those asked for. */
import { chunks } from "../model/chunks.ts";
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
import {
  listOwnershipsAfter,
  listPayoutsNamed,
  listSightingsAfter,
  listSightingsOf,
  type ObservedKind,
  type PayoutOwnership,
  type StoredSighting,
} from "../store/observed.ts";
import type { Transaction } from "../store/sql.ts";
import type { Store } from "../store/store.ts";
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
  return windows(store, "payout", payoutFromSighting);
}

/** All payouts that no instruction has, in windows. */
export async function* unownedPayoutWindows(store: Store): Windows<ObservedPayout> {
  const payouts = inWindows<PayoutOwnership>(store, (last) =>
    listOwnershipsAfter(last?.id ?? "", OWNERSHIPS_TOGETHER),
  );
  for await (const window of payouts) {
    const unowned = window.filter(({ owned }) => owned === 0).map(({ id }) => id);
    for (const some of chunks(unowned, SIGHTINGS_TOGETHER))
      yield (await store.read(() => listSightingsOf("payout", some))).map(payoutFromSighting);
  }
}

/** All deposits ever seen, in windows ordered by id. */
export function depositWindows(store: Store): Windows<ObservedDeposit> {
  return windows(store, "deposit", depositFromSighting);
}

const SIGHTINGS_TOGETHER = 500;
const OWNERSHIPS_TOGETHER = 5_000;

async function* windows<Resource>(
  store: Store,
  kind: ObservedKind,
  read: (sighting: StoredSighting) => Known<Resource>,
): Windows<Resource> {
  const stored = inWindows<StoredSighting>(store, (last) =>
    listSightingsAfter(kind, last?.id ?? "", SIGHTINGS_TOGETHER),
  );
  for await (const window of stored) yield window.map(read);
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

function payoutFromSighting(sighting: StoredSighting): Known<ObservedPayout> {
  const payout = payoutFromStored(sighting.raw, sighting.stateSeenAt);
  return knownFrom(sighting, payout, payoutStateMeaning(payout.state));
}

function depositFromSighting(sighting: StoredSighting): Known<ObservedDeposit> {
  const deposit = depositFromStored(sighting.raw, sighting.stateSeenAt);
  return knownFrom(sighting, deposit, depositStateMeaning(deposit.state));
}

function knownFrom<Resource>(
  sighting: StoredSighting,
  resource: Resource,
  meaning: StateMeaning | undefined,
): Known<Resource> {
  return { ...sighting, resource, hasEnded: hasEnded(meaning) };
}
