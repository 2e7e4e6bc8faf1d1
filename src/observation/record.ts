/** The only way into the store for the service's answers: each is stored, raw, before any conclusion. */
import {
  depositPages,
  type Find,
  type FindPages,
  type Found,
  findDeposits,
  findPayouts,
  type OperationName,
  payoutPages,
  type Recognise,
} from "../gateway/index.ts";
import {
  type Break,
  breakId,
  compareText,
  type Instant,
  type InstructionId,
  isItsPayout,
  type ObservedFunds,
  type PayoutEnd,
  payoutEndOf,
  payoutStateMeaning,
  payoutSubject,
  transactionsOf,
} from "../model/index.ts";
import { present } from "../model/present.ts";
import { Decimal } from "../money/index.ts";
import { keepPassedBreak } from "../store/breaks.ts";
import { getInstruction } from "../store/instructions.ts";
import {
  type ChangedSighting,
  isAnyNameUnsorted,
  isAnyObserved,
  listRecognised,
  type ObservedKind,
  recordSightings,
  type SaysTheSame,
  type Sighting,
  sortPayoutNames,
} from "../store/observed.ts";
import { storePayoutEnds } from "../store/payout-ends.ts";
import type { NamedBy } from "../store/shared-names.ts";
import type { Transaction } from "../store/sql.ts";
import type { Deposit, Payout } from "../wire/index.ts";
import { depositFromStored, payoutFromStored } from "./from-wire.ts";
import { markOf } from "./mark.ts";
import type { ObservationTools } from "./tools.ts";

export interface StateChange {
  readonly kind: ObservedKind;
  readonly id: string;
  readonly reference?: string;
  /** Absent at the first sighting, and if something other than the state changed. */
  readonly from?: string;
  readonly to: string;
}

export interface Observed<Element> {
  readonly kind: ObservedKind;
  /** The operation that returns their pages. */
  readonly operation: OperationName;
  readonly pages: FindPages<Element>;
  readonly find: Find<Element>;
  readonly sightingOf: (element: Element) => Omit<Sighting, "raw" | "mark">;
}

export const PAYOUTS: Observed<Payout> = {
  kind: "payout",
  operation: "findPayoutFilteredV2",
  pages: payoutPages,
  find: findPayouts,
  sightingOf: ({ payoutId: id, payoutState: state, reference, callbackUrl, sentFunds }) => ({
    id,
    state,
    names: (sentFunds ?? []).flatMap((funds) => namedBy(transactionsOf(funds), "payout", id)),
    ...present({ reference, callbackUrl }),
  }),
};

export const DEPOSITS: Observed<Deposit> = {
  kind: "deposit",
  operation: "findDepositFilteredV2",
  pages: depositPages,
  find: findDeposits,
  sightingOf: ({
    depositId: id,
    depositState: state,
    reference,
    receivedFunds,
    duplicatedFromDepositId,
  }) => ({
    id,
    state,
    names: [
      ...(receivedFunds ?? []).flatMap((funds) => namedBy(transactionsOf(funds), "deposit", id)),
      ...originalNames(id, duplicatedFromDepositId),
    ],
    ...present({ reference }),
  }),
};

function namedBy(names: readonly string[], kind: ObservedKind, id: string): NamedBy[] {
  return names.map((name) => ({ name, kind, id }));
}

/** One name for the original and its duplicate. */
function originalNames(depositId: string, original: string | undefined): NamedBy[] {
  if (!original) return [];
  return [original, depositId].flatMap((id) => namedBy([`duplicates of ${original}`], "deposit", id));
}

type RecordingTools = Pick<ObservationTools, "store" | "confirmationsMin">;

const CONFIRMATIONS_MIN = 1;

/** Recognises elements that were stored before, by their texts, as sightings at `at`. */
export function recogniseAt(
  { store, confirmationsMin = CONFIRMATIONS_MIN }: RecordingTools,
  kind: ObservedKind,
  at: Instant,
): Recognise {
  let isAnySeen: Promise<boolean> | undefined;
  return async (texts) => {
    // In a first sweep no text is known.
    isAnySeen ??= store.read(() => isAnyObserved(kind));
    if (!(await isAnySeen)) return texts.map(() => undefined);
    const marks = texts.map((text) => markOf(text, confirmationsMin));
    const known = await store.read(() => listRecognised(kind, marks, at));
    return marks.map((mark) => known.get(mark));
  };
}

/** As `recordSightingsAt`, for elements that were read. */
export function record<Element>(
  tools: RecordingTools,
  observed: Observed<Element>,
  found: readonly Found<Element>[],
  at: Instant,
): Promise<StateChange[]> {
  const sightings = found.map((each) => sightingIn(tools, observed, each));
  return recordSightingsAt(tools, observed.kind, sightings, at);
}

/** The parts of an element that the store needs: much less memory than the element itself. */
export function sightingIn<Element>(
  { confirmationsMin = CONFIRMATIONS_MIN }: Pick<RecordingTools, "confirmationsMin">,
  { sightingOf }: Observed<Element>,
  { element, raw }: Found<Element>,
): Sighting {
  return { ...sightingOf(element), raw, mark: markOf(raw, confirmationsMin) };
}

/** After the last of many sightings: sorts their names into the index of names. */
export async function endRecording({ store }: RecordingTools, kind: ObservedKind): Promise<void> {
  if (kind === "payout" && (await store.read(() => isAnyNameUnsorted())))
    await store.write(() => sortPayoutNames());
}

/** Stores sightings; returns those that are new or mean something else than the last sighting of the element. */
export async function recordSightingsAt(
  { store, confirmationsMin = CONFIRMATIONS_MIN }: RecordingTools,
  kind: ObservedKind,
  sightings: readonly Sighting[],
  at: Instant,
): Promise<StateChange[]> {
  if (sightings.length === 0) return [];
  const saysTheSame: SaysTheSame = (before, now) =>
    before === now || meanTheSame(meaningOf(kind, before), meaningOf(kind, now), confirmationsMin);
  return store.write(function* () {
    const changes = yield* recordSightings(kind, sightings, at, saysTheSame);
    if (kind === "payout") {
      for (const passed of changes.flatMap(passedBreak)) yield* keepPassedBreak(passed, at);
      yield* keepEnds(changes);
    }
    return changes.map(({ seen: { id, reference, state }, stateBefore }) => ({
      kind,
      id,
      ...present({ reference, from: stateBefore }),
      to: state,
    }));
  });
}

/** Stores with each accepted payment how its payout has ended. A payout that is another's ends nothing. */
function* keepEnds(changes: readonly ChangedSighting[]): Transaction<void> {
  // Of an element that was seen twice, the last change counts.
  const byPayout = new Map(changes.map((change) => [change.seen.id, change]));
  const ends: { readonly id: InstructionId; readonly end: PayoutEnd | undefined }[] = [];
  for (const { seen, payment } of byPayout.values()) {
    if (payment?.standing !== "accepted") continue;
    const shown = payoutEndOf(seen.state);
    // Only a payout with another reference has to be parsed.
    const isOwn =
      shown === undefined || seen.reference === payment.reference
        ? true
        : isItsPayout(yield* getInstruction(payment.id), payoutFromStored(seen.raw, ""));
    const end = isOwn ? shown : undefined;
    if ((payment.end ?? undefined) !== end) ends.push({ id: payment.id, end });
  }
  for (const [end, some] of Map.groupBy(ends, (each) => each.end))
    yield* storePayoutEnds(
      some.map(({ id }) => id),
      end,
    );
}

/** The earlier break of a payout that had failed, or was in an unknown state, and continues. */
function passedBreak({ seen: { id, state }, stateBefore }: ChangedSighting): Break[] {
  if (stateBefore === undefined) return [];
  const kind = brokenBy(stateBefore);
  if (kind === undefined || kind === brokenBy(state)) return [];
  return [
    {
      id: breakId(kind, payoutSubject(id)),
      kind,
      severity: "warning",
      payoutId: id,
      field: "payoutState",
      found: stateBefore,
      sentence: `Payout ${id} was ${stateBefore} before it was ${state}.`,
    },
  ];
}

function brokenBy(state: string): "failed" | "unknown-state" | undefined {
  const meaning = payoutStateMeaning(state);
  if (meaning === "failed") return "failed";
  return meaning === "unknown" || meaning === undefined ? "unknown-state" : undefined;
}

/**
 * The meaning of a sighting: sightings with the same meaning are one entry of the history. Their texts seldom
 * match, because confirmations keep counting, and a service may spell amounts, instants and members differently
 * each time.
 */
function meaningOf(kind: ObservedKind, raw: string): unknown {
  return kind === "payout" ? payoutFromStored(raw, "") : depositFromStored(raw, "");
}

/** Ignores the scale of amounts and the order of members and funds. Ends at the first difference. */
function meanTheSame(one: unknown, other: unknown, confirmationsMin: number): boolean {
  if (one === other) return true;
  if (one instanceof Decimal) return other instanceof Decimal && one.equals(other);
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (Array.isArray(one)) return Array.isArray(other) && haveTheSame(one, other, confirmationsMin);
  const [members, others] = [one as Members, other as Members];
  for (const name in members)
    if (!isMemberSame(name, members[name], others[name], confirmationsMin)) return false;
  // Members that the first one lacks.
  for (const name in others)
    if (!(name in members) && !isMemberSame(name, undefined, others[name], confirmationsMin)) return false;
  return true;
}

type Members = Readonly<Record<string, unknown>>;

/** In any order; long lists are compared in the order of their transactions. */
function haveTheSame(
  some: readonly unknown[],
  others: readonly unknown[],
  confirmationsMin: number,
): boolean {
  if (some.length !== others.length) return false;
  const areSame = (left: readonly unknown[], right: readonly unknown[]) =>
    left.every((each, at) => meanTheSame(each, right[at], confirmationsMin));
  if (areSame(some, others)) return true;
  if (some.length > LONG_LIST) return areSame(some.toSorted(byTransaction), others.toSorted(byTransaction));
  const left = [...others];
  for (const each of some) {
    const at = left.findIndex((candidate) => meanTheSame(each, candidate, confirmationsMin));
    if (at < 0) return false;
    left.splice(at, 1);
  }
  return true;
}

const LONG_LIST = 100;

function byTransaction(one: unknown, other: unknown): number {
  const nameOf = (each: unknown) => transactionsOf(each as ObservedFunds).join();
  return compareText(nameOf(one), nameOf(other));
}

function isMemberSame(name: string, one: unknown, other: unknown, confirmationsMin: number): boolean {
  // The time when a rate was measured changes although nothing has happened.
  if (name === "measuredAt") return true;
  if (name !== "confirmations") return meanTheSame(one, other, confirmationsMin);
  return confirmed(one, confirmationsMin) === confirmed(other, confirmationsMin);
}

function confirmed(confirmations: unknown, confirmationsMin: number): "none" | "fewer" | "enough" {
  if (typeof confirmations !== "number" || confirmations === 0) return "none";
  return confirmations >= confirmationsMin ? "enough" : "fewer";
}
