/**
 * What is still to happen by itself, and when: the next step of a payout, funds that arrive, an expiry. In order of time.
 * Nothing is taken off before its time: what no longer applies is found out when it is due, and does nothing.
 */
import type { SandboxDatabase } from "./database.ts";

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
  /** A payoutId, part id or depositId; for a foreign payout its text of the seed. */
  readonly subject: string;
}

export interface Agenda {
  add(item: AgendaItem): void;
  /** Whether something may be due; asked with every request, so without reading the table. */
  isDue(nowMs: number): boolean;
  /** Takes off the earliest item that is due at `nowMs`. */
  take(nowMs: number): AgendaItem | undefined;
}

export function agendaIn(database: SandboxDatabase): Agenda {
  const insert = database.prepare("INSERT INTO agenda VALUES (?, ?, ?, ?)");
  const first = database.prepare<[], AgendaItem & { readonly seq: number }>(
    "SELECT seq, due_at AS dueAt, kind, subject FROM agenda ORDER BY due_at, seq LIMIT 1",
  );
  const remove = database.prepare("DELETE FROM agenda WHERE due_at = ? AND seq = ?");
  const highest = database.prepare<[], number>("SELECT coalesce(max(seq), 0) FROM agenda").pluck();
  let nextSeq = (highest.get() ?? 0) + 1;
  // Never later than the earliest item's time; earlier after a roll-back, which costs one look.
  let earliestMs = Number.NEGATIVE_INFINITY;
  return {
    add: ({ dueAt, kind, subject }) => {
      insert.run(dueAt, nextSeq, kind, subject);
      nextSeq += 1;
      earliestMs = Math.min(earliestMs, dueAt);
    },
    isDue: (nowMs) => earliestMs <= nowMs,
    take: (nowMs) => {
      const item = first.get();
      earliestMs = item?.dueAt ?? Number.POSITIVE_INFINITY;
      if (item === undefined || item.dueAt > nowMs) return undefined;
      remove.run(item.dueAt, item.seq);
      return item;
    },
  };
}
