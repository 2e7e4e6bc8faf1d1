/**
 * Turns a row that passed every check into the fields of an instruction, with the configured defaults for empty cells.
 */
import type { InstructionFields } from "../model/index.ts";
import type { InitiationPolicy } from "./policy.ts";
import type { RuledRow } from "./row-rules.ts";
import type { RowValues } from "./row-schema.ts";

/** Requires every member, absent ones as undefined: objects of one shape are faster. */
type Complete<Fields> = { readonly [Name in keyof Required<Fields>]: Fields[Name] | undefined };

/** The fields, or undefined if a required value is missing (the row then has a problem that says so). */
export function instructionFields(
  values: RowValues,
  { custodyAccount, address }: RuledRow,
  { defaults }: InitiationPolicy,
): InstructionFields | undefined {
  const { reference, amount } = values;
  if (reference === undefined || amount === undefined || custodyAccount === undefined) return undefined;
  return {
    username: values.username ?? defaults.username,
    custodyAccountId: custodyAccount.id,
    reference,
    customerId: values.customerId,
    callbackUrl: values.callbackUrl ?? defaults.callbackUrl,
    amount: { currency: custodyAccount.currency, value: amount.value.normalized() },
    destinationAddress: address?.text,
    destinationAccountId: values.destinationAccountId,
    feePolicy: values.feePolicy ?? defaults.feePolicy,
    customFeeRateSatPerVbyte: values.customFeeRate,
    verifyBalance: values.verifyBalance ?? defaults.verifyBalance,
    subtractFee: values.subtractFee,
    useCoinConsolidation: values.useCoinConsolidation,
    batchingAllowed: values.batchingAllowed,
    orderCodeName: values.orderCodeName,
    generalLedgerName: values.generalLedgerName ?? defaults.generalLedgerName,
    generalLedgerProject: values.generalLedgerProject ?? defaults.generalLedgerProject,
    generalLedgerDistribution: values.generalLedgerDistribution ?? defaults.generalLedgerDistribution,
    payOn: values.payOn,
  } satisfies Complete<InstructionFields>;
}
