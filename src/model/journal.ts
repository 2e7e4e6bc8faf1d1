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
  readonly debit?: Decimal | undefined;
  readonly credit?: Decimal | undefined;
  /** Signed crypto quantity, debit positive; absent on a fiat-only line. */
  readonly quantity?: Amount | undefined;
  readonly memo: string;
  readonly project?: string | undefined;
  readonly distribution?: string | undefined;
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
  /** funds: the movement's own; fixed: the one its deposit promised. */
  readonly origin: "funds" | "fixed";
}

/** What a person should know of an entry, and do about it. */
export interface EntryQuestion {
  readonly code: string;
  readonly message: string;
  readonly fix: string;
}

export interface JournalEntry {
  /** Deterministic and unique for ever: "payout:<payoutId>:settle:1", its reversal "payout:<payoutId>:settle:1:reverse". */
  readonly entryId: string;
  /** The fact it books (or, of a reversal, no longer books): "payout:<payoutId>:settle". */
  readonly factId: string;
  /** Counts the postings of one fact from 1; a reversal has that of the entry it reverses. */
  readonly revision: number;
  /** The fact's content hash at posting: another one later means a reversal and a new revision. */
  readonly contentHash: string;
  readonly kind: EntryKind;
  /** payoutId or depositId. */
  readonly sourceId: string;
  readonly sourceState: string;
  readonly reference?: string | undefined;
  readonly orderId?: string | undefined;
  /** The day it is booked, in the company's time zone. */
  readonly bookDay: Day;
  /** The day it really happened; differs from bookDay only where a period was closed. */
  readonly documentDay: Day;
  readonly valueInstant: Instant;
  /** Absent where nothing was converted, or lines were converted before. */
  readonly rateUsed?: EntryRate | undefined;
  readonly reversalOf?: string | undefined;
  readonly narration: string;
  readonly txHash?: string | undefined;
  readonly lines: readonly JournalLine[];
  /** Kept with the entry, since they are found once, when it is posted; absent where there are none. */
  readonly questions?: readonly EntryQuestion[] | undefined;
}
