/** A reconciliation difference between what we asked for and what the service shows. */

export type BreakKind =
  | "missing"
  | "unexpected"
  | "duplicate-reference"
  | "paid-twice"
  | "against-standing"
  | "reference"
  | "amount"
  | "currency"
  | "destination"
  | "custody-account"
  | "ledger-field"
  | "unknown-state"
  | "not-shown"
  | "mixed-up"
  | "stuck"
  | "failed"
  | "sent-amount"
  | "fee"
  | "deposit-under"
  | "deposit-over"
  | "deposit-late"
  | "deposit-after-void"
  | "balance";

/** alarm: money may have gone wrong. warning: a person should look. note: explains itself. */
export type BreakSeverity = "alarm" | "warning" | "note";

export interface Break {
  /** Deterministic, so that the same difference is the same break every night: "amount:payout:<id>". */
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
}
