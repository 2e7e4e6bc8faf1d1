/**
 * A receipt that is expected: what a customer owes, by when, and how it is to be recognised. A file of them is
 * taken in whole or not at all.
 */
import type { Amount } from "../money/index.ts";
import type { CustodyAccountId, DepositId } from "./ids.ts";
import type { Day, Instant } from "./instant.ts";

/** What a row of a file says. */
export interface ExpectedTerms {
  /** Our own name for it; never used twice. */
  readonly reference: string;
  readonly customerId?: string | undefined;
  /** The account that is to receive it. */
  readonly custodyAccountId: CustodyAccountId;
  /** In the account's currency, or in a fiat currency. */
  readonly amount: Amount;
  readonly dueDay?: Day | undefined;
  /** Until when the rate of a fiat amount is to be fixed. */
  readonly rateUntil?: Instant | undefined;
  /** Whether a deposit, and with it an address, is made for it. */
  readonly creates: boolean;
}

/** A row as it is kept, with its deposit and its end. */
export interface ExpectationRow extends ExpectedTerms {
  readonly id: number;
  /** The number of its file. */
  readonly file: number;
  readonly line: number;
  readonly depositId?: DepositId | undefined;
  /** Until when the deposit's rate was asked to be fixed; absent without one. */
  readonly rateAsked?: Instant | undefined;
  /** The address that the creation's own answer had. */
  readonly answeredAddress?: string | undefined;
  /** The address that was looked up by the deposit's id and found right. */
  readonly address?: string | undefined;
  readonly addressSince?: Instant | undefined;
  /** JSON: the problem because of which no address is shown. */
  readonly trouble?: string | undefined;
  /** JSON: the problem because of which no deposit is made. */
  readonly refused?: string | undefined;
  readonly ended?: ExpectationEnd | undefined;
  readonly endedAt?: Instant | undefined;
  readonly endedBy?: string | undefined;
  readonly endedReason?: string | undefined;
}

/** How a person ended it: less was received and is accepted, or it is expected no more. */
export type ExpectationEnd = "settled short" | "withdrawn";

/** A file of expected receipts. */
export interface ExpectedFile {
  readonly number: number;
  readonly sha256: string;
  /** Its sender's name for it. */
  readonly name: string;
  readonly archivedAs: string;
  /** rejected: nothing of it is expected. */
  readonly verdict: "accepted" | "rejected";
  readonly takenAt: Instant;
  readonly takenBy: string;
  /** The beginning of its answer's name. */
  readonly answerStem: string;
  /**
   * JSON: the line and the texts of the column names, the sheet and the form of a CSV, by which its answer is
   * written again.
   */
  readonly reading?: string | undefined;
  /** Absent while it waits for somebody to approve it, and where nobody must. */
  readonly approvedAt?: Instant | undefined;
  readonly approvedBy?: string | undefined;
  /** Hash of what its answer says. */
  readonly answered?: string | undefined;
}

/** For whom a deposit's receipts are, as far as expectations say. */
export interface ExpectedParty {
  readonly customerId?: string | undefined;
  /** The deposit was made for an expectation, so that all its receipts are for it. */
  readonly isOwn: boolean;
  /** A person accepted that less was received. */
  readonly isSettledShort: boolean;
  /** The keys of receipts that a person matched. */
  readonly receipts: ReadonlySet<string>;
}
