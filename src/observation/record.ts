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
import {
  type Break,
  breakId,
  type Instant,
  payoutStateMeaning,
  payoutSubject,
  transactionsOf,
} from "../model/index.ts";
import { present } from "../model/present.ts";
import { Decimal } from "../money/index.ts";
import { keepPassedBreak } from "../store/breaks.ts";
import {
  type ChangedSighting,
  type ObservedKind,
  recordSightings,
  type Sighting,
} from "../store/observed.ts";
import type { NamedBy } from "../store/shared-names.ts";
import type { Store } from "../store/store.ts";
import type { Deposit, Payout } from "../wire/index.ts";
import { depositFromStored, payoutFromStored } from "./from-wire.ts";

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

/** By one name, the original and its duplicate. */
function originalNames(depositId: string, original: string | undefined): NamedBy[] {
  if (!original) return [];
  return [original, depositId].flatMap((id) => namedBy([`duplicates of ${original}`], "deposit", id));
}

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

/**
 * Whether two sightings of one payout or deposit mean the same. Their texts seldom match: confirmations keep counting,
 * and a service may spell amounts, instants and members differently each time. Sightings that mean the same are not
 * added to the history. `before` and `now`: the raw JSON texts of the element.
 */
function saysTheSame(kind: ObservedKind, before: string, now: string): boolean {
  return before === now || meaningOf(kind, before) === meaningOf(kind, now);
}

function meaningOf(kind: ObservedKind, raw: string): string {
  return text(kind === "payout" ? payoutFromStored(raw, "") : depositFromStored(raw, ""));
}

/** Members that change although nothing has happened. */
const FLEETING: ReadonlySet<string> = new Set(["confirmations", "measuredAt"]);

/** A canonical text: independent of amount scale and of the order of members and funds. */
function text(value: unknown): string {
  if (value instanceof Decimal) return value.normalized().toString();
  if (Array.isArray(value)) return `[${value.map(text).sort().join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).filter(([name]) => !FLEETING.has(name));
  return `{${members
    .map(([name, member]) => `${name}:${text(member)}`)
    .sort()
    .join()}}`;
}
