/** The only way in for what the service says: every reading is stored, raw, before anything is concluded from it. */
import type { Reading } from "../gateway/index.ts";
import {
  correlatedCallbackUrl,
  type Instant,
  type Instruction,
  type InstructionId,
  type ObservedDeposit,
  type ObservedPayout,
  type PayoutId,
} from "../model/index.ts";
import { present } from "../model/present.ts";
import {
  keepSightings,
  listPayoutsNamed,
  listSightings,
  listSightingsOf,
  type ObservedKind,
  type Sighting,
  type StoredSighting,
} from "../store/observed.ts";
import type { Transaction } from "../store/sql.ts";
import type { Store } from "../store/store.ts";
import type { Deposit, Payout } from "../wire/index.ts";
import { depositFromStored, payoutFromStored } from "./from-wire.ts";
import { saysTheSame } from "./same-meaning.ts";

export interface StateChange {
  readonly kind: "payout" | "deposit";
  readonly id: string;
  readonly reference?: string;
  /** Absent at the first sighting. */
  readonly from?: string;
  readonly to: string;
}

/** Stores payouts that were read; returns those of which something else is said than at the last look. */
export function keepPayouts(store: Store, reading: Reading<Payout>, at: Instant): Promise<StateChange[]> {
  const sightings = reading.found.map(({ element, raw }) => ({
    ...sightingOf(element.payoutId, element.payoutState, element.reference, raw),
    ...present({ callbackUrl: element.callbackUrl }),
  }));
  return store.write(() => keepAll("payout", sightings, at));
}

/** Stores what was read: `keepPayouts` or `keepDeposits`. */
export type Keep<Element> = (store: Store, reading: Reading<Element>, at: Instant) => Promise<StateChange[]>;

/** Stores deposits that were read; returns the same of them. */
export function keepDeposits(store: Store, reading: Reading<Deposit>, at: Instant): Promise<StateChange[]> {
  const sightings = reading.found.map(({ element, raw }) =>
    sightingOf(element.depositId, element.depositState, element.reference, raw),
  );
  return store.write(() => keepAll("deposit", sightings, at));
}

export interface Known<Resource> {
  readonly resource: Resource;
  readonly firstSeenAt: Instant;
  readonly lastSeenAt: Instant;
  readonly beforeBaseline: boolean;
}

/** The last state of everything of a kind that was ever seen, by id; nothing else of it is read. */
export async function knownStates(store: Store, kind: ObservedKind): Promise<ReadonlyMap<string, string>> {
  return new Map((await store.read(() => listSightings(kind))).map(({ id, state }) => [id, state]));
}

/** All payouts ever seen, as they were seen last. */
export async function knownPayouts(store: Store): Promise<Known<ObservedPayout>[]> {
  return (await store.read(() => listSightings("payout"))).map(payoutFromSighting);
}

/** What the service said last about the payouts of some instructions, by payoutId. */
export function* payoutsOf(
  instructions: readonly Pick<Instruction, "payoutId">[],
): Transaction<ReadonlyMap<PayoutId, ObservedPayout>> {
  return yield* knownByIds(instructions.flatMap(({ payoutId }) => payoutId ?? []));
}

/** What the service said last about some payouts; those that were never seen are left out. */
export function* knownByIds(
  payoutIds: readonly PayoutId[],
): Transaction<ReadonlyMap<PayoutId, ObservedPayout>> {
  const known = (yield* listSightingsOf("payout", payoutIds)).map(payoutFromSighting);
  return new Map(known.map(({ resource }) => [resource.payoutId, resource]));
}

/** Every payout ever shown with an instruction's reference or its own callbackUrl, as it was seen last. */
export function* knownForInstruction(instruction: Instruction): Transaction<readonly ObservedPayout[]> {
  return (yield* knownForInstructions([instruction])).get(instruction.id) ?? [];
}

/** The same for several, by instruction; those of which nothing was seen are left out. */
export function* knownForInstructions(
  instructions: readonly Instruction[],
): Transaction<ReadonlyMap<InstructionId, readonly ObservedPayout[]>> {
  const byReference = new Map(instructions.map(({ id, fields }) => [fields.reference, id]));
  const byCallbackUrl = new Map(instructions.map((one) => [correlatedCallbackUrl(one), one.id]));
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

/** All deposits ever seen, as they were seen last. */
export async function knownDeposits(store: Store): Promise<Known<ObservedDeposit>[]> {
  return (await store.read(() => listSightings("deposit"))).map((sighting) => ({
    resource: depositFromStored(sighting.raw, sighting.stateSeenAt),
    firstSeenAt: sighting.firstSeenAt,
    lastSeenAt: sighting.lastSeenAt,
    beforeBaseline: sighting.beforeBaseline,
  }));
}

function payoutFromSighting(sighting: StoredSighting): Known<ObservedPayout> {
  return {
    resource: payoutFromStored(sighting.raw, sighting.stateSeenAt),
    firstSeenAt: sighting.firstSeenAt,
    lastSeenAt: sighting.lastSeenAt,
    beforeBaseline: sighting.beforeBaseline,
  };
}

function sightingOf(id: string, state: string, reference: string | undefined, raw: string): Sighting {
  return { id, ...present({ reference }), state, raw };
}

function* keepAll(
  kind: ObservedKind,
  sightings: readonly Sighting[],
  at: Instant,
): Transaction<StateChange[]> {
  const changes = yield* keepSightings(kind, sightings, at, saysTheSame);
  return changes.map(({ seen: { id, reference, state }, stateBefore }) => ({
    kind,
    id,
    ...present({ reference, from: stateBefore }),
    to: state,
  }));
}
