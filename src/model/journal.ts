/** Balanced journal entries: what the ledger stage makes of settled facts, and what every export renders. */
import type { Amount, Decimal } from "../money/index.ts";
import type { Day, Instant } from "./instant.ts";

export type EntryKind =
  | "payout-settle"
  | "payout-reverse"
  | "transfer"
  | "deposit-receipt"
  | "deposit-apply"
  | "deposit-reverse";

/** One side of an entry. Exactly one of debit and credit is set; both are in the functional currency. */
export interface JournalLine {
  /** Logical account: "treasury:6f1c...", "network-fees", "suspense", a generalLedgerName. */
  readonly accountKey: string;
  /** The ledger account that the chart maps it to: its code in the ERP and its name in plain-text journals. */
  readonly account: LedgerAccount;
  readonly debit?: Decimal;
  readonly credit?: Decimal;
  /** Signed crypto quantity, debit positive; absent on a fiat-only line. */
  readonly quantity?: Amount;
  readonly memo: string;
  readonly project?: string;
  readonly distribution?: string;
}

export interface LedgerAccount {
  /** "6200" */
  readonly code: string;
  /** Colon-separated, as plain-text accounting writes it: "expenses:contractors". */
  readonly name: string;
}

export interface EntryRate {
  readonly rate: Decimal;
  readonly from: string;
  readonly to: string;
  readonly origin: "funds" | "fixed" | "none";
}

export interface JournalEntry {
  /** Deterministic and unique for ever: "payout:<payoutId>:settle:1". */
  readonly entryId: string;
  readonly kind: EntryKind;
  /** payoutId or depositId. */
  readonly sourceId: string;
  readonly sourceState: string;
  readonly reference?: string;
  readonly orderId?: string;
  /** The day it is booked, in the company's time zone. */
  readonly bookDay: Day;
  /** The day it really happened; differs from bookDay only where a period was closed. */
  readonly documentDay: Day;
  readonly valueInstant: Instant;
  readonly rateUsed?: EntryRate;
  readonly reversalOf?: string;
  readonly narration: string;
  readonly txHash?: string;
  readonly lines: readonly JournalLine[];
}
