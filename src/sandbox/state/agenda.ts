/**
 * Future events in order of time: the next step of a payout, funds that arrive, an expiry. Items are never removed
 * early: one that no longer applies does nothing when it is due.
 */
import { type Entry, plainKind } from "./rows.ts";
import type { Store } from "./store.ts";

export type AgendaKind =
  | "payout-step"
  | "deposit-created"
  | "part-arrives"
  | "part-confirms"
  | "part-moves"
  | "deposit-expires"
  | "foreign-payout";

export interface AgendaItem {
  readonly dueAt: number;
  readonly kind: AgendaKind;
  /** A payoutId, part id or depositId; for a foreign payout and a part that moves, a text in JSON. */
  readonly subject: string;
}

export function agendaIn(store: Store) {
  const due = dueIndex<AgendaItem>();
  const items = store.rows(AGENDA, [due]);
  const first = () => {
    for (let entry = due.first(); entry !== undefined; entry = due.first()) {
      if (items.entry(String(entry.seq)) === entry) return entry;
      due.dropFirst();
    }
    return undefined;
  };
  return {
    add: (kind: AgendaKind, subject: string, dueAt: number) => items.insert({ dueAt, kind, subject }),
    /** Whether something may be due; called with every request. */
    isDue: (nowMs: number) => (first()?.row.dueAt ?? Number.POSITIVE_INFINITY) <= nowMs,
    take: (nowMs: number) => {
      const entry = first();
      if (entry === undefined || entry.row.dueAt > nowMs) return undefined;
      due.dropFirst();
      items.remove(entry);
      return entry.row;
    },
  };
}

const AGENDA = plainKind<AgendaItem>("agenda", (_item, seq) => String(seq));

/**
 * Orders rows by the instant they are due, in a binary heap. A removed row stays in the heap until it reaches the
 * top, so callers must check whether the first row still exists.
 */
export function dueIndex<Row extends { readonly dueAt: number }>() {
  const heap: Entry<Row>[] = [];
  return {
    /** The earliest row; of equals the oldest. May have been removed already. */
    first: () => heap[0],
    dropFirst: () => {
      const last = heap.pop();
      if (last !== undefined && heap.length > 0) sink(heap, last);
    },
    enter: (entry: Entry<Row>) => rise(heap, entry),
    leave: () => undefined,
  };
}

type Due = Entry<{ readonly dueAt: number }>;

/** Moves an entry from the end up to its place. */
function rise<One extends Due>(heap: One[], entry: One): void {
  let at = heap.length;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    const above = heap[parent];
    if (above === undefined || isBefore(above, entry)) break;
    heap[at] = above;
    at = parent;
  }
  heap[at] = entry;
}

/** Moves an entry from the top down to its place. */
function sink<One extends Due>(heap: One[], entry: One): void {
  let at = 0;
  for (;;) {
    const left = 2 * at + 1;
    const child = isBefore(heap[left + 1], heap[left]) ? left + 1 : left;
    const below = heap[child];
    if (below === undefined || isBefore(entry, below)) break;
    heap[at] = below;
    at = child;
  }
  heap[at] = entry;
}

function isBefore(entry: Due | undefined, other: Due | undefined): boolean {
  if (entry === undefined || other === undefined) return false;
  const difference = entry.row.dueAt - other.row.dueAt;
  return difference === 0 ? entry.seq < other.seq : difference < 0;
}
