/** The body of a payout creation, and the hash of its business fields that an intent stores. */
import { hash } from "node:crypto";
import type { OperationBodies, PayoutCreationName } from "../../gateway/index.ts";
import { correlatedCallbackUrl, type Instruction, type Intent } from "../../model/index.ts";
import { type PayoutCreation, writeJson } from "../../wire/index.ts";
import type { Creation } from "./tools.ts";

/** A creation's body without nonce and one-time code; `authorize` only for the operation that has this flag. */
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

/** The complete body of a creation. `otpCode` is empty if the creation needs no code (creation-code.ts). */
export function creationBody(
  fields: BusinessFields,
  nonce: bigint,
  otpCode: string,
): OperationBodies[PayoutCreationName] {
  // `businessFields` adds `authorize` exactly for the operation that has it, and `needsCode` sees to the code.
  return { ...fields, nonce, ...(otpCode === "" ? {} : { otpCode }) } as OperationBodies[PayoutCreationName];
}

/** SHA-256 of the business fields as serialized for the wire, in lower-case hex. */
export function bodyHash(fields: BusinessFields): string {
  return hash("sha256", writeJson(fields));
}

/**
 * The business fields of a submission as JSON text, recognised by the hash that the submission stored; undefined if
 * this row does not give that hash.
 */
export function sentFields(
  instruction: Instruction,
  submission: Pick<Intent, "operation" | "bodyHash">,
): string | undefined {
  const operation = submission.operation as PayoutCreationName;
  // Only one operation has the flag, and a submission does not store it.
  const texts = [false, true].map((authorize) =>
    writeJson(businessFields(instruction, { operation, authorize })),
  );
  return texts.find((text) => hash("sha256", text) === submission.bodyHash);
}
