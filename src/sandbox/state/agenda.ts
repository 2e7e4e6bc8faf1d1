/**
 * What will happen, and when: the next step of a payout, funds that arrive, an expiry; in order of time. Items are
 * never removed early: one that no longer applies does nothing when it is due.
 */
import { type Entry, plainKind } from "./rows.ts";
import type { Store } from "./store.ts";

export type AgendaKind =
  | "payout-step"
  | "deposit-created"
  | "part-arrives"
  | "part-confirms"
  | "deposit-expires"
  | "foreign-payout";

export interface AgendaItem {
  readonly dueAt: number;
  readonly kind: AgendaKind;
  /** A payoutId, part id or depositId; for a foreign payout its text from the seed. */
  readonly subject: string;
}

export function agendaIn(store: Store) {
  const waiting: Entry<AgendaItem>[] = [];
  const items = store.rows(AGENDA, [
    {
      enter: (entry) => waiting.splice(placeOf(entry, waiting), 0, entry),
      leave: (entry) => waiting.splice(waiting.indexOf(entry), 1),
    },
  ]);
  return {
    add: (kind: AgendaKind, subject: string, dueAt: number) => items.insert({ dueAt, kind, subject }),
    /** Whether something may be due; called with every request. */
    isDue: (nowMs: number) => (waiting[0]?.row.dueAt ?? Number.POSITIVE_INFINITY) <= nowMs,
    take: (nowMs: number) => {
      const [first] = waiting;
      if (first === undefined || first.row.dueAt > nowMs) return undefined;
      items.remove(first);
      return first.row;
    },
  };
}

/** Behind everything that is due earlier, or at the same instant and was added before. */
function placeOf({ row, seq }: Entry<AgendaItem>, waiting: readonly Entry<AgendaItem>[]): number {
  let [from, to] = [0, waiting.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    const other = waiting[middle];
    const isLater =
      other === undefined ||
      other.row.dueAt > row.dueAt ||
      (other.row.dueAt === row.dueAt && other.seq > seq);
    if (isLater) to = middle;
    else from = middle + 1;
  }
  return from;
}

const AGENDA = plainKind<AgendaItem>("agenda", (_item, seq) => String(seq));
