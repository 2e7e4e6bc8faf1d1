/** A reconciliation difference between what we asked for and what the service shows. */
import type { Amount } from "../money/index.ts";
import type { Instant } from "./instant.ts";

/** In the order of a report, within one severity. */
export const BREAK_KINDS = [
  "duplicate-reference",
  "paid-twice",
  "against-standing",
  "unexpected",
  "missing",
  "mixed-up",
  "not-shown",
  "destination",
  "receiver-address",
  "amount",
  "currency",
  "custody-account",
  "sent-amount",
  "failed",
  "state-went-back",
  "unconfirmed-too-long",
  "sent-claimed-twice",
  "receipt-claimed-twice",
  "receipt-moved",
  "deposit-duplicated",
  "balance",
  "ledger-treasury",
  "unknown-state",
  "stuck",
  "fee",
  "reference",
  "ledger-field",
  "fee-policy",
  "deposit-after-void",
  "deposit-rate",
  "deposit-late",
  "deposit-under",
  "deposit-over",
  "erp-answer",
  "erp-unanswered",
] as const;

export type BreakKind = (typeof BREAK_KINDS)[number];

/** The subjects of breaks. */
export const BREAK_GROUPS = ["payouts", "deposits", "balance", "books"] as const;

export type BreakGroup = (typeof BREAK_GROUPS)[number];

/** alarm: money may have gone wrong. warning: a person should look. note: explains itself. */
export type BreakSeverity = "alarm" | "warning" | "note";

/** The same difference has the same id every night: "amount:payout:<id>". */
export function breakId(kind: BreakKind, subject: string): string {
  return `${kind}:${subject}`;
}

/** The subject of a break about a payout. */
export function payoutSubject(payoutId: string): string {
  return `payout:${payoutId}`;
}

export interface Break {
  /** Made by `breakId`. */
  readonly id: string;
  readonly kind: BreakKind;
  readonly severity: BreakSeverity;
  /** The whole story in one sentence for treasury. */
  readonly sentence: string;
  readonly reference?: string;
  readonly payoutId?: string;
  readonly depositId?: string;
  readonly custodyAccountId?: string;
  /** The field that differs, with both values as text. */
  readonly field?: string;
  readonly expected?: string;
  readonly found?: string;
  /** The amount at stake, never negative; absent if no money is at stake, or the amount is not known. */
  readonly amount?: Amount;
  /** For an element that is no longer shown: when it was last seen. */
  readonly lastSeenAt?: Instant;
}
