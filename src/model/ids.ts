/** Branded identifiers, so that strings of different kinds cannot be mixed up. */

declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]: Name };

/** UUID of the service's payout. */
export type PayoutId = Branded<"PayoutId">;
/** UUID of the service's deposit. */
export type DepositId = Branded<"DepositId">;
/** UUID of the service's account that holds the money (its `accountId`). */
export type CustodyAccountId = Branded<"CustodyAccountId">;
/** Our id of an instruction, with 74 unguessable bits; it ends the callbackUrl of its creation. */
export type InstructionId = Branded<"InstructionId">;
/** Our id of a batch: "B-000042". */
export type BatchId = Branded<"BatchId">;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether it has the form of the ids of payouts, deposits, accounts and instructions, in either case. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

export const payoutId = (text: string): PayoutId => text.toLowerCase() as PayoutId;
export const depositId = (text: string): DepositId => text.toLowerCase() as DepositId;
export const custodyAccountId = (text: string): CustodyAccountId => text.toLowerCase() as CustodyAccountId;
export const instructionId = (text: string): InstructionId => text as InstructionId;
export const batchId = (text: string): BatchId => text as BatchId;
