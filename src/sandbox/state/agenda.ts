/** What is still to happen by itself, and when: the next step of a payout, funds that arrive, an expiry. In order of time. */
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
  /** Takes off the earliest item that is due at `nowMs`. */
  take(nowMs: number): AgendaItem | undefined;
  drop(subject: string): void;
}

export function agendaIn(database: SandboxDatabase): Agenda {
  const insert = database.prepare("INSERT INTO agenda (due_at, kind, subject) VALUES (?, ?, ?)");
  const first = database.prepare<[number], AgendaItem & { readonly seq: number }>(
    `SELECT seq, due_at AS dueAt, kind, subject FROM agenda WHERE due_at <= ? ORDER BY due_at, seq LIMIT 1`,
  );
  const remove = database.prepare("DELETE FROM agenda WHERE seq = ?");
  const removeSubject = database.prepare("DELETE FROM agenda WHERE subject = ?");
  return {
    add: ({ dueAt, kind, subject }) => {
      insert.run(dueAt, kind, subject);
    },
    take: (nowMs) => {
      const item = first.get(nowMs);
      if (item !== undefined) remove.run(item.seq);
      return item;
    },
    drop: (subject) => {
      removeSubject.run(subject);
    },
  };
}
