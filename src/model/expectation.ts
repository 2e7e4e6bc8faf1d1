/**
 * An expected receipt: the amount that a customer owes, its due day, and how Paydrop recognises it. A file of
 * expected receipts is taken in as a whole or not at all.
 */
import type { Amount } from "../money/index.ts";
import type { CustodyAccountId, DepositId } from "./ids.ts";
import type { Day, Instant } from "./instant.ts";

/** The content of a file's row. */
export interface ExpectedTerms {
  /** Our own name for it; never used twice. */
  readonly reference: string;
  readonly customerId?: string | undefined;
  /** The account that will receive it. */
  readonly custodyAccountId: CustodyAccountId;
  /** In the account's currency, or in a fiat currency. */
  readonly amount: Amount;
  readonly dueDay?: Day | undefined;
  /** The time until which the rate of a fiat amount should be fixed. */
  readonly rateUntil?: Instant | undefined;
  /** Whether Paydrop creates a deposit, and so an address, for it. */
  readonly creates: boolean;
}

/** A stored row, with its deposit and its end. */
export interface ExpectationRow extends ExpectedTerms {
  readonly id: number;
  /** The number of its file. */
  readonly file: number;
  readonly line: number;
  readonly depositId?: DepositId | undefined;
  /** The time until which a fixed rate was requested for the deposit; absent without one. */
  readonly rateAsked?: Instant | undefined;
  /** The address in the answer to the creation. */
  readonly answeredAddress?: string | undefined;
  /** The address that a look-up by the deposit's id confirmed. */
  readonly address?: string | undefined;
  readonly addressSince?: Instant | undefined;
  /** JSON: the problem that prevents showing an address. */
  readonly trouble?: string | undefined;
  /** JSON: the problem that prevents creating a deposit. */
  readonly refused?: string | undefined;
  readonly ended?: ExpectationEnd | undefined;
  readonly endedAt?: Instant | undefined;
  readonly endedBy?: string | undefined;
  readonly endedReason?: string | undefined;
}

/** How a person ended it: a smaller receipt was accepted, or it is no longer expected. */
export type ExpectationEnd = "settled short" | "withdrawn";

/** A file of expected receipts. */
export interface ExpectedFile {
  readonly number: number;
  readonly sha256: string;
  /** Its sender's name for it. */
  readonly name: string;
  readonly archivedAs: string;
  /** rejected: none of its rows is expected. */
  readonly verdict: "accepted" | "rejected";
  readonly takenAt: Instant;
  readonly takenBy: string;
  /** The beginning of its answer's name. */
  readonly answerStem: string;
  /**
   * JSON: the line and the texts of the column names, the sheet and the form of a CSV, so that its answer can be
   * written again.
   */
  readonly reading?: string | undefined;
  /** Absent while it awaits approval, and if it needs none. */
  readonly approvedAt?: Instant | undefined;
  readonly approvedBy?: string | undefined;
  /** Hash of its answer's content. */
  readonly answered?: string | undefined;
}

/** The customer of a deposit's receipts, according to expectations. */
export interface ExpectedParty {
  readonly customerId?: string | undefined;
  /** Whether the deposit was made for an expectation, so that all its receipts belong to it. */
  readonly isOwn: boolean;
  /** A person accepted that less was received. */
  readonly isSettledShort: boolean;
  /** The keys of receipts that a person matched. */
  readonly receipts: ReadonlySet<string>;
}
