/**
 * What will happen, and when: the next step of a payout, funds that arrive, an expiry; in order of time. Items are
 * never removed early: one that no longer applies does nothing when it is due.
 */
import { dueIndex } from "./due-index.ts";
import { plainKind } from "./rows.ts";
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
