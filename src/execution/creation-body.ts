/** The body of a creation, and the fingerprint of its business fields that an intent keeps. */
import { hash } from "node:crypto";
import type { OperationBodies, PayoutCreationName } from "../gateway/index.ts";
import { correlatedCallbackUrl, type Instruction } from "../model/index.ts";
import { type PayoutCreation, writeJson } from "../wire/index.ts";
import type { Creation } from "./tools.ts";

/** Everything of a creation but the nonce and the one-time code; `authorize` only where the operation has that flag. */
export type BusinessFields = Omit<PayoutCreation, "nonce" | "otpCode"> & { readonly authorize?: boolean };

export function businessFields(instruction: Instruction, { operation, authorize }: Creation): BusinessFields {
  const { fields } = instruction;
  return {
    ...(operation === "createPayoutWithFirstAuthorization" ? { authorize } : {}),
    username: fields.username,
    accountId: fields.custodyAccountId,
    reference: fields.reference,
    customerId: fields.customerId,
    callbackUrl: correlatedCallbackUrl(instruction),
    requestedAmount: { currency: fields.amount.currency, amount: fields.amount.value },
    destinationAddress: fields.destinationAddress,
    destinationAccountId: fields.destinationAccountId,
    feePolicy: fields.feePolicy,
    customFeeRate: fields.customFeeRateSatPerVbyte,
    verifyBalance: fields.verifyBalance,
    subtractFee: fields.subtractFee,
    useCoinConsolidation: fields.useCoinConsolidation,
    orderCodeName: fields.orderCodeName,
    generalLedgerName: fields.generalLedgerName,
    generalLedgerProject: fields.generalLedgerProject,
    generalLedgerDistribution: fields.generalLedgerDistribution,
    batchingAllowed: fields.batchingAllowed,
  };
}

/** The whole body of a creation. Without a code where the creation needs none (creation-code.ts). */
export function creationBody(
  fields: BusinessFields,
  nonce: bigint,
  otpCode: string,
): OperationBodies[PayoutCreationName] {
  // `authorize` is there just where the operation has it, and so is the code that it asks for.
  return { ...fields, nonce, ...(otpCode === "" ? {} : { otpCode }) } as OperationBodies[PayoutCreationName];
}

/** SHA-256 of the business fields as they are written on the wire. Lower-case hex. */
export function bodyHash(fields: BusinessFields): string {
  return hash("sha256", writeJson(fields));
}
