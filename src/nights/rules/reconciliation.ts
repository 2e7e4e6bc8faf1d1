/**
 * The input and output of reconciliation. Everything is a value; this module neither asks the service nor stores.
 */
import type {
  BalanceProofRow,
  BatchFee,
  Break,
  BreakSeverity,
  ControlTotal,
  DepositClaims,
  FormerState,
  Instant,
  Instruction,
  InstructionId,
  MissingOrFailedDeposit,
  ObservedBalance,
  ObservedDeposit,
  ObservedFunds,
  ObservedPayout,
  OpeningBalance,
  PayoutId,
  RequestedDeposit,
  SentClaims,
  TroubledAnswer,
  UnansweredBatch,
} from "../../model/index.ts";
import type { CurrencyScales, Decimal } from "../../money/index.ts";
import type { LedgerSide } from "./books-tie.ts";
import type { AccountShare } from "./shares.ts";

/**
 * What proves that a payout belongs to an instruction: the callbackUrl with its unguessable end, or only the
 * reference.
 */
export type Correlation = "callbackUrl" | "reference";

/** The start of a comparison; payments, payouts and deposits are then added one by one. */
export interface ComparisonInput {
  /** By payment that is paid again, the references of the payments that pay it again and have left or may have. */
  readonly paidAgain?: ReadonlyMap<InstructionId, readonly string[]>;
  /**
   * By payment that was abandoned or reported as failed, later payments of the same amount to the same destination
   * that have left or may have.
   */
  readonly submittedSince?: ReadonlyMap<InstructionId, readonly string[]>;
  /** By payment whose payout was reported as failed, unknown or missing, the person who settled that, and why. */
  readonly settled?: ReadonlyMap<InstructionId, { readonly person: string; readonly reason: string }>;
  readonly missingOrFailedDeposits?: readonly MissingOrFailedDeposit[];
  /** Payouts that the service shows in a form that cannot be read. */
  readonly unreadable?: ReadonlySet<string>;
  /**
   * Answers of ERPs about entries that they could not mean, and export batches that they have not answered for too
   * long.
   */
  readonly troubledAnswers?: readonly TroubledAnswer[];
  readonly unanswered?: readonly UnansweredBatch[];
  /** The ledger's side; absent before the first posting. */
  readonly ledger?: LedgerSide;
  /** Whether several payouts may be in this transaction. By default all may be, which takes more memory. */
  readonly isSharedTransaction?: (txHash: string) => boolean;
  /** The payouts that list a movement of another one. */
  readonly sentClaims?: SentClaims;
  readonly balances: readonly ObservedBalance[];
  readonly openings: readonly OpeningBalance[];
}

export interface ComparedDeposit extends ObservedDeposit {
  /** Absent if the deposit is not ours. */
  readonly requested?: RequestedDeposit;
  /** The first receiving address that the service showed, if it has shown several. */
  readonly firstAddress?: string;
  /** By receipt, the other deposit that lists it, or listed it before. */
  readonly claims?: DepositClaims;
  /** Receipts that it listed before and another deposit lists now. */
  readonly movedAway?: readonly ObservedFunds[];
  /** The furthest state ever seen, if it shows an earlier one now. */
  readonly stateBefore?: FormerState;
}

/** For payouts that have gone back to an earlier state: the furthest state in which they were seen. */
export type StatesBefore = ReadonlyMap<string, FormerState>;

/** For payouts shown as failed that were seen on their way before: when and how, as text. */
export type Departures = ReadonlyMap<PayoutId, string>;

/** By payoutId or depositId: when an element that the service provably no longer shows was last seen. */
export type NotShown = ReadonlyMap<string, Instant>;

export interface ReconciliationPolicy {
  readonly now: Instant;
  /** How long a payout may be in one open state, a deposit partly paid, and a transaction unconfirmed. */
  readonly stuckAfterMinutes: number;
  /** The highest fee of one payout, by currency. */
  readonly feeLimit?: Readonly<Record<string, Decimal>>;
  readonly correlation: Correlation;
  /** If payouts share a transaction: whether each shows its own fee or the whole one; default `perPayout`. */
  readonly batchFee?: BatchFee;
  /** Whether receivedFunds.fee is informational (default) or was deducted; the interface does not say. */
  readonly depositFee?: "memo" | "deducted";
  /** The configured custody accounts, by id. */
  readonly custodyAccounts?: ReadonlyMap<string, { readonly name: string; readonly currency: string }>;
  /** Digits after the point, by currency; by default 2 for a fiat currency and 8 for others. */
  readonly scales?: CurrencyScales;
}

export interface Match {
  readonly instruction: Instruction;
  readonly payout: ObservedPayout;
  /** The other instruction whose callbackUrl the payout has; the payout then says nothing about this one. */
  readonly mixedUpWith?: Instruction;
}

/** The class of an accepted payment by its payout tonight; each payment is in one class. */
export const PAYOUT_CLASSES = ["agree", "differ", "notShown", "undecided", "gone"] as const;

/**
 * By the latest look, which a short night does not repeat for all. agree: shown, without a difference. differ:
 * shown, and failed or in a break. notShown: asked for by id and not shown, which is a break. undecided: not shown,
 * but not proven absent, because it was just accepted or the service contradicts itself. gone: no longer shown,
 * finished or from before the baseline.
 */
export type PayoutClass = (typeof PAYOUT_CLASSES)[number];

/** accepted = sum of its classes, in count and sum; seen = ofPayments + duplicate + unexpected + beforeBaseline. */
export interface ReconciliationTotals extends Readonly<Record<PayoutClass, readonly ControlTotal[]>> {
  readonly accepted: readonly ControlTotal[];
  /** agree + differ */
  readonly shown: readonly ControlTotal[];
  readonly payouts: {
    readonly seen: number;
    readonly ofPayments: number;
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
  /** Ordered by custody account id. */
  readonly balanceProof: readonly BalanceProofRow[];
  /** All figures of each custody account, also those that a row of the proof includes only if it then ties. */
  readonly figures: readonly AccountShare[];
  readonly totals: ReconciliationTotals;
}
