/** Bodies of the creation operations and their answers (interface document, section Endpoints). */
import { z } from "zod";
import { money } from "./money.ts";
import { dateTime, int64, integer, maybe, text, uuid } from "./primitives.ts";

/** createPayout, createPayoutV2, createAndFirstAuthorizationPayout and createAndFirstAuthorizationPayoutV2. */
export const payoutCreation = z.object({
  username: text,
  accountId: uuid,
  nonce: int64,
  reference: text,
  customerId: maybe(text),
  callbackUrl: text,
  requestedAmount: money,
  destinationAddress: maybe(text),
  destinationAccountId: maybe(uuid),
  feePolicy: maybe(text),
  customFeeRate: maybe(integer),
  otpCode: text,
  verifyBalance: maybe(z.boolean()),
  subtractFee: maybe(z.boolean()),
  useCoinConsolidation: maybe(z.boolean()),
  orderCodeName: maybe(text),
  generalLedgerName: maybe(text),
  generalLedgerProject: maybe(text),
  generalLedgerDistribution: maybe(text),
  batchingAllowed: maybe(z.boolean()),
});

export const payoutCreated = z.looseObject({ payoutId: uuid });

/** An answer of the usual form, read without the schema's cost; undefined for others, which the schema judges. */
export function asPayoutCreated(value: unknown): PayoutCreated | undefined {
  if (typeof value !== "object" || value === null || !("payoutId" in value)) return undefined;
  const { payoutId } = value;
  const isUsual =
    typeof payoutId === "string" && USUAL_UUID.test(payoutId) && Object.keys(value).length === 1;
  return isUsual ? { payoutId } : undefined;
}

const USUAL_UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;

/** Both ways to create a deposit. The document contradicts itself on whether callbackUrl is optional. */
export const depositCreation = z.object({
  accountId: uuid,
  nonce: int64,
  reference: text,
  customerId: maybe(text),
  callbackUrl: maybe(text),
  expiryDate: maybe(dateTime),
  requestedAmount: maybe(money),
});

export const depositCreated = z.looseObject({ depositId: uuid });

export const payoutVoid = z.object({ payoutId: uuid, nonce: int64 });

export const depositVoid = z.object({ depositId: uuid, nonce: int64 });

export type PayoutCreation = z.output<typeof payoutCreation>;
export type PayoutCreated = z.output<typeof payoutCreated>;
export type DepositCreation = z.output<typeof depositCreation>;
export type DepositCreated = z.output<typeof depositCreated>;
export type PayoutVoid = z.output<typeof payoutVoid>;
export type DepositVoid = z.output<typeof depositVoid>;
