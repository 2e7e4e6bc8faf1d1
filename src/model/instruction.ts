/** A validated row: one payment we intend to make. */
import { createHash } from "node:crypto";
import { type Amount, Decimal } from "../money/index.ts";
import type { BatchId, CustodyAccountId, InstructionId, PayoutId } from "./ids.ts";
import { custodyAccountId } from "./ids.ts";
import type { Day } from "./instant.ts";
import type { Standing } from "./standing.ts";

export type FeePolicyName = "SLOW" | "NORMAL" | "FAST" | "CUSTOM";

/** What the row asks the service for: the creation body without what is made at send time (nonce, one-time code). */
export interface InstructionFields {
  readonly username: string;
  readonly custodyAccountId: CustodyAccountId;
  readonly reference: string;
  readonly customerId?: string;
  /** Without the instruction's id, which `correlatedCallbackUrl` appends. */
  readonly callbackUrl: string;
  readonly amount: Amount;
  /** Exactly one of destinationAddress and destinationAccountId is set. */
  readonly destinationAddress?: string;
  readonly destinationAccountId?: CustodyAccountId;
  readonly feePolicy?: FeePolicyName;
  readonly customFeeRateSatPerVbyte?: number;
  readonly verifyBalance?: boolean;
  readonly subtractFee?: boolean;
  readonly useCoinConsolidation?: boolean;
  readonly batchingAllowed?: boolean;
  readonly orderCodeName?: string;
  readonly generalLedgerName?: string;
  readonly generalLedgerProject?: string;
  readonly generalLedgerDistribution?: string;
  /** Not sent before this day in the company's time zone. Ours, not the service's. */
  readonly payOn?: Day;
}

/** A row that passed every check, before it is stored. */
export interface DraftInstruction {
  /** Data row in its file, from 1. */
  readonly row: number;
  readonly fields: InstructionFields;
}

export interface Instruction extends DraftInstruction {
  readonly id: InstructionId;
  readonly batchId: BatchId;
  readonly standing: Standing;
  /** Why it is held, refused or in doubt, in words. */
  readonly reason?: string;
  readonly payoutId?: PayoutId;
}

/** The callbackUrl that the service is given; its last segment is unguessable and finds the instruction again. */
export function correlatedCallbackUrl(instruction: Pick<Instruction, "id" | "fields">): string {
  return `${instruction.fields.callbackUrl.replace(/\/+$/, "")}/${instruction.id}`;
}

/** One canonical JSON text: members sorted, absent ones left out, the amount as decimal text. */
export function canonicalFields(fields: InstructionFields): string {
  const { amount, ...others } = fields;
  const plain: Record<string, unknown> = {
    ...others,
    amount: amount.value.toString(),
    currency: amount.currency,
  };
  return JSON.stringify(plain, Object.keys(plain).sort());
}

export function readCanonicalFields(text: string): InstructionFields {
  const { amount, currency, ...others } = JSON.parse(text);
  return {
    ...others,
    custodyAccountId: custodyAccountId(others.custodyAccountId),
    amount: { currency, value: Decimal.of(amount) },
  };
}

/** SHA-256 over the canonical fields of all instructions in row order: what a checker approves. Lower-case hex. */
export function batchDigest(instructions: Iterable<DraftInstruction>): string {
  const hash = createHash("sha256");
  for (const { row, fields } of instructions) hash.update(`${row}\n${canonicalFields(fields)}\n`);
  return hash.digest("hex");
}
