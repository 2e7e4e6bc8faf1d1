/** What reconciliation is given and what it answers. Everything is a value; nothing is asked of the service or stored here. */
import type {
  BalanceProofRow,
  BatchFee,
  Break,
  BreakSeverity,
  ControlTotal,
  Instant,
  Instruction,
  InstructionId,
  ObservedBalance,
  ObservedPayout,
  OpeningBalance,
  PayoutId,
} from "../model/index.ts";
import type { Decimal } from "../money/index.ts";

/** What proves that a payout is an instruction's: the callbackUrl with its unguessable end, or the reference alone. */
export type Correlation = "callbackUrl" | "reference";

/** What is known before anything is compared. */
export interface ComparisonGround {
  /** Payments that are paid again: the references of those which pay them, and have left or may have. */
  readonly paidAgain?: ReadonlyMap<InstructionId, readonly string[]>;
  readonly balances: readonly ObservedBalance[];
  readonly openings: readonly OpeningBalance[];
}

/** Of payouts that are said to have failed, and were seen to have left before: when and how, in words. */
export type Departures = ReadonlyMap<PayoutId, string>;

/** What a whole sweep does not show any more, by payoutId or depositId: when it was seen last. */
export type NotShown = ReadonlyMap<string, Instant>;

export interface ReconciliationPolicy {
  readonly now: Instant;
  /** How long a payout may stay in one open state, and a deposit half paid. */
  readonly stuckAfterMinutes: number;
  /** The highest fee of one payout, by currency. */
  readonly feeLimit?: Readonly<Record<string, Decimal>>;
  readonly correlation: Correlation;
  /** What the fee of a payout that shares its transaction is; `perPayout` by default. */
  readonly batchFee?: BatchFee;
  /** Whether receivedFunds.fee is only told (the default) or was taken off what arrived; the interface does not say. */
  readonly depositFee?: "memo" | "deducted";
  /** What people call the custody accounts, by id. */
  readonly custodyNames?: ReadonlyMap<string, string>;
}

export interface Match {
  readonly instruction: Instruction;
  readonly payout: ObservedPayout;
  /** The instruction whose callbackUrl the payout bears, where that is another one: then it says nothing about this one. */
  readonly mixedUpWith?: Instruction;
}

/** accepted = matched + missing, in count and sum; seen = matched + duplicate + unexpected + beforeBaseline. */
export interface ReconciliationTotals {
  readonly accepted: readonly ControlTotal[];
  readonly matched: readonly ControlTotal[];
  readonly missing: readonly ControlTotal[];
  readonly payouts: {
    readonly seen: number;
    readonly matched: number;
    readonly duplicate: number;
    readonly unexpected: number;
    readonly beforeBaseline: number;
  };
  readonly deposits: { readonly seen: number; readonly beforeBaseline: number };
  readonly breaks: Readonly<Record<BreakSeverity, number>>;
}

export interface Reconciliation {
  /** Alarms first, then by kind and id. */
  readonly breaks: readonly Break[];
  /** In the order of custody account id. */
  readonly balanceProof: readonly BalanceProofRow[];
  readonly totals: ReconciliationTotals;
}
