/** The kinds of rows that a sandbox holds besides money: payouts, deposits and their parts, and what was used up. */
import { Decimal } from "../../money/index.ts";
import type { Money, PayoutCreation } from "../../wire/index.ts";
import { canonicalAddress } from "../rules/addresses.ts";
import type { DepositPrice } from "../rules/deposit-rules.ts";
import type { ForeignPayout } from "../seed.ts";
import { moneyIn } from "./money.ts";
import type { Store } from "./rows.ts";

/** The request as far as the service shows it again. */
type StoredCreation = Omit<PayoutCreation, "username" | "otpCode" | "nonce" | "customerId" | "verifyBalance">;

export interface StoredPayout {
  readonly payoutId: string;
  readonly creation: StoredCreation;
  readonly clientId: string;
  readonly payoutState: string;
  readonly createdAt: number;
  /** Searches do not find it before. */
  readonly visibleAt: number;
  /** The instant of its next step by time; undefined if time alone moves it no further. */
  readonly dueAt: number | undefined;
  /** The payee's amount. */
  readonly amount: Decimal;
  readonly fee: Decimal;
  readonly txHash: string | undefined;
  readonly sentAt: number | undefined;
  readonly confirmedAt: number | undefined;
  /** It was completed, and shown in an earlier state afterwards. */
  readonly wentBack?: boolean | undefined;
  readonly authorization: StoredAuthorization;
}

/** The request that created a payout, as it was sent. */
export interface StoredArrival {
  /** As stored. */
  readonly reference: string;
  /** Text, since JSON would round it. */
  readonly nonce: string;
  readonly body: string;
}

/** The interface lists PENDING only. */
export type AuthorizationState = "PENDING" | "AUTHORIZED" | "REJECTED";

export interface StoredAuthorization {
  readonly id: string;
  readonly state: AuthorizationState;
  readonly cosigners: readonly {
    readonly userGroupName: string;
    readonly username: string;
    readonly state: AuthorizationState;
    readonly expiresAt: number;
  }[];
}

export interface StoredDeposit {
  readonly depositId: string;
  readonly accountId: string;
  readonly reference: string;
  readonly depositState: string;
  readonly createdAt: number;
  /** Searches do not find it before. */
  readonly visibleAt: number;
  /** When it is created; undefined if it was created at once. */
  readonly dueAt: number | undefined;
  readonly expiresAt: number | undefined;
  readonly duplicatedFromDepositId?: string | undefined;
  /** Whether it also lists what its original received. */
  readonly listsOriginal?: boolean | undefined;
  readonly terms: DepositTerms;
}

/** The terms, which never change after creation. */
export interface DepositTerms extends DepositPrice {
  readonly customerId?: string | undefined;
  readonly callbackUrl?: string | undefined;
  readonly receiverAddress: string;
  readonly verificationSignature: string;
  readonly creditOrderId: string;
  readonly creditOrderAlphanumericId: string;
}

/** Funds that a deposit receives, or will. */
export interface DepositPart {
  readonly partId: string;
  /** The deposit that lists it. */
  readonly depositId: string;
  readonly amount: Decimal;
  /** Shown with it; the account receives the whole amount. */
  readonly fee?: Decimal | undefined;
  readonly txHash: string;
  /** When another transaction replaces it. */
  readonly replacedAt?: number | undefined;
  /** The transaction that this one replaced, which stays unconfirmed. */
  readonly replacedTxHash?: string | undefined;
  /** Undefined for a part that one of our payouts pays, which the payout confirms. */
  readonly planned: { readonly arrivesAt: number; readonly confirmAfterMs: number } | undefined;
  /** Another deposit that will list it. */
  readonly movesTo: { readonly depositId: string; readonly atMs: number } | undefined;
  /** The number it has once confirmed. */
  readonly confirmations: number;
  readonly receivedAt: number | undefined;
  readonly confirmedAt: number | undefined;
}

export interface Facts {
  /** How often a sandbox was started on this file. */
  readonly starts: number;
  /** How far its clock was moved forward. */
  readonly clockOffsetMs: number;
}

export function stateIn(store: Store) {
  const facts = store.rows<Facts>({ name: "facts" });
  return {
    money: moneyIn(store),
    /** Undefined before the first start. */
    facts: (): Facts | undefined => facts.get("facts"),
    setFacts: (changed: Facts) => facts.put("facts", changed),
    payouts: store.rows<StoredPayout, "reference">({
      name: "payout",
      shared: { reference: ({ creation }) => creation.reference },
      asJson: {
        write: ({ creation, amount, fee, ...payout }) => ({
          ...payout,
          creation: { ...creation, requestedAmount: moneyText(creation.requestedAmount) },
          amount: amount.toString(),
          fee: fee.toString(),
        }),
        read: ({ creation, amount, fee, ...written }) => ({
          ...written,
          creation: { ...creation, requestedAmount: moneyOf(creation.requestedAmount) },
          amount: Decimal.of(amount),
          fee: Decimal.of(fee),
        }),
      },
    }),
    /** By payoutId; payouts of others have none. */
    arrivals: store.rows<StoredArrival>({ name: "arrival" }),
    deposits: store.rows<StoredDeposit, "reference" | "receiver">({
      name: "deposit",
      shared: {
        reference: ({ reference }) => reference,
        receiver: ({ terms }) => canonicalAddress(terms.receiverAddress),
      },
    }),
    parts: store.rows<DepositPart, "depositId">({
      name: "part",
      shared: { depositId: ({ depositId }) => depositId },
      asJson: {
        write: (part) => ({ ...part, amount: part.amount.toString(), fee: part.fee?.toString() }),
        read: ({ fee, ...written }) => ({
          ...written,
          amount: Decimal.of(written.amount),
          fee: fee === undefined ? undefined : Decimal.of(String(fee)),
        }),
      },
    }),
    /** Payouts of other clients that are still to come. */
    foreignPayouts: store.rows<ForeignPayout & { readonly dueAt: number }>({ name: "foreign-payout" }),
    usedNonces: store.rows<UsedNonce>({ name: "nonce" }),
    usedCodes: store.rows<{ readonly username: string }>({ name: "code" }),
  };
}

export interface UsedNonce {
  readonly clientKey: string;
  readonly nonce: string;
}

function moneyText({ currency, amount }: Money) {
  return { currency, amount: amount.toString() };
}

/** From its written form, whose amount is text. */
function moneyOf({ currency, amount }: { readonly currency: string; readonly amount: unknown }): Money {
  return { currency, amount: Decimal.of(String(amount)) };
}
