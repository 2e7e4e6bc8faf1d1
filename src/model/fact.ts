/**
 * Settled movements as the ledger books them: each is posted once, and again only if its content changes. A fact
 * records what the service said; policies and the chart decide how it is booked.
 */
import type { Amount, Decimal } from "../money/index.ts";
import type { GeneralLedgerFields } from "./general-ledger.ts";
import type { CustodyAccountId, DepositId, PayoutId } from "./ids.ts";
import type { Instant } from "./instant.ts";
import type { ObservedRate } from "./observation.ts";

export type Fact = PayoutFact | ReceiptFact | ApplyFact;

interface FactHead {
  /** Deterministic: "payout:<id>:settle", "deposit:<id>:receipt:<key>", "deposit:<id>:apply". */
  readonly factId: string;
  /** SHA-256 over everything that decides the booking, lower-case hex; the service's state is not part of it. */
  readonly contentHash: string;
  readonly custodyAccountId: CustodyAccountId;
  /** The service's state when the fact was derived. */
  readonly sourceState: string;
  readonly reference?: string | undefined;
  readonly orderId?: string | undefined;
  /** The confirmedDate; for an apply, that of its last receipt. */
  readonly settledAt: Instant;
}

/** A payout that left the treasury. */
export interface PayoutFact extends FactHead, GeneralLedgerFields {
  readonly kind: "payout";
  readonly payoutId: PayoutId;
  readonly txHash?: string | undefined;
  readonly subtractFee: boolean;
  /** The amount that the payee received. */
  readonly net: Amount;
  /** In the currency of `net`, or in another currency that was paid in addition; absent if there was none. */
  readonly fee?: Amount | undefined;
  /** The rate of all parts; absent if they differ or have none. */
  readonly rate?: ObservedRate | undefined;
  /** The amounts moved by each of several transactions; together they are `net` and `fee`. */
  readonly parts?: readonly SentPart[] | undefined;
  readonly destinationAddress?: string | undefined;
  readonly destinationAccountId?: CustodyAccountId | undefined;
}

/** One settled row of a payout's sentFunds. */
export interface SentPart {
  readonly net: Amount;
  readonly fee?: Amount | undefined;
  readonly rate?: ObservedRate | undefined;
  readonly txHash?: string | undefined;
}

/** One settled row of a deposit's receivedFunds. */
export interface ReceivedPart {
  readonly quantity: Amount;
  readonly fee?: Amount | undefined;
  readonly createdAt?: Instant | undefined;
  readonly confirmedAt: Instant;
  readonly rate?: ObservedRate | undefined;
  readonly txHash?: string | undefined;
}

/** The terms that the customer was given, and until when their rate is valid. */
export interface DepositTerms {
  readonly requestedInFiat?: Amount | undefined;
  readonly requestedInCrypto?: Amount | undefined;
  readonly fixedRate?: ObservedRate | undefined;
  readonly expiresAt?: Instant | undefined;
}

interface DepositFactHead extends FactHead {
  readonly depositId: DepositId;
  readonly customerId?: string | undefined;
  readonly terms: DepositTerms;
}

/** Money that arrived. It is booked whatever the state of its deposit. */
export interface ReceiptFact extends DepositFactHead {
  readonly kind: "deposit-receipt";
  readonly part: ReceivedPart;
  /** The deposit's parts in order of settlement: a fixed rate covers the request once, not each part again. */
  readonly order: readonly OrderedPart[];
  /** Index of this part in `order`. */
  readonly index: number;
}

/** The members of a receipt that decide how much of the request it covered. */
export type OrderedPart = Pick<ReceivedPart, "quantity" | "createdAt" | "confirmedAt">;

/**
 * The received amount, applied to the receivable: for a COMPLETED deposit whose receipts have all settled, or for
 * receipts that were matched to an expectation.
 */
export interface ApplyFact extends DepositFactHead {
  readonly kind: "deposit-apply";
  /**
   * Before the deposit is COMPLETED. partial: the missing amount stays open. short: a person has accepted that it
   * is missing.
   */
  readonly soFar?: "partial" | "short" | undefined;
  /** All parts by confirmedDate, then key. */
  readonly parts: readonly ReceivedPart[];
  /** The ids of the parts' facts, in the same order. */
  readonly receipts: readonly string[];
  /** Receipts of the deposit that are not applied, each with the number of parts that settled before it. */
  readonly others?: readonly { readonly after: number; readonly part: OrderedPart }[] | undefined;
  /** The value that the receipts' entries have on deposits clearing; absent before they are booked. */
  readonly cleared?: Decimal | undefined;
}
