/** The only way into the store for the service's answers: each is stored, raw, before anything is concluded. */
import {
  depositPages,
  type Find,
  type FindPages,
  type Found,
  findDeposits,
  findPayouts,
  type OperationName,
  payoutPages,
} from "../gateway/index.ts";
import { type Break, breakId, type Instant, payoutStateMeaning, payoutSubject } from "../model/index.ts";
import { present } from "../model/present.ts";
import { keepPassedBreak } from "../store/breaks.ts";
import {
  type ChangedSighting,
  type ObservedKind,
  recordSightings,
  type Sighting,
} from "../store/observed.ts";
import type { Store } from "../store/store.ts";
import type { Deposit, Payout } from "../wire/index.ts";
import { saysTheSame } from "./same-meaning.ts";

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
  readonly sightingOf: (element: Element) => Omit<Sighting, "raw">;
}

export const PAYOUTS: Observed<Payout> = {
  kind: "payout",
  operation: "findPayoutFilteredV2",
  pages: payoutPages,
  find: findPayouts,
  sightingOf: ({ payoutId: id, payoutState: state, reference, callbackUrl }) => ({
    id,
    state,
    ...present({ reference, callbackUrl }),
  }),
};

export const DEPOSITS: Observed<Deposit> = {
  kind: "deposit",
  operation: "findDepositFilteredV2",
  pages: depositPages,
  find: findDeposits,
  sightingOf: ({ depositId: id, depositState: state, reference }) => ({
    id,
    state,
    ...present({ reference }),
  }),
};

/** Stores what was read; returns the elements that are new or mean something else than at their last sighting. */
export function record<Element>(
  store: Store,
  { kind, sightingOf }: Observed<Element>,
  found: readonly Found<Element>[],
  at: Instant,
): Promise<StateChange[]> {
  const sightings = found.map(({ element, raw }) => ({ ...sightingOf(element), raw }));
  return store.write(function* () {
    const changes = yield* recordSightings(kind, sightings, at, saysTheSame);
    if (kind === "payout")
      for (const passed of changes.flatMap(passedBreak)) yield* keepPassedBreak(passed, at);
    return changes.map(({ seen: { id, reference, state }, stateBefore }) => ({
      kind,
      id,
      ...present({ reference, from: stateBefore }),
      to: state,
    }));
  });
}

/** The break that a payout was in which had failed, or was in no known state, and goes on after all. */
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
