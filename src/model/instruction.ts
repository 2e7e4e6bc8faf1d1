/** A validated row: one payment we intend to make. */
import { createHash } from "node:crypto";
import { type Amount, Decimal } from "../money/index.ts";
import type { FeePolicyName } from "./columns.ts";
import type { GeneralLedgerFields } from "./general-ledger.ts";
import type { BatchId, CustodyAccountId, InstructionId, PayoutId } from "./ids.ts";
import { custodyAccountId } from "./ids.ts";
import type { Day } from "./instant.ts";
import type { Standing } from "./standing.ts";

/** The row's request to the service: the creation body without the send-time values (nonce, one-time code). */
export interface InstructionFields extends GeneralLedgerFields {
  readonly username: string;
  readonly custodyAccountId: CustodyAccountId;
  readonly reference: string;
  readonly customerId?: string | undefined;
  /** Without the instruction's id, which `correlatedCallbackUrl` appends. */
  readonly callbackUrl: string;
  readonly amount: Amount;
  /** Exactly one of destinationAddress and destinationAccountId is set. */
  readonly destinationAddress?: string | undefined;
  readonly destinationAccountId?: CustodyAccountId | undefined;
  readonly feePolicy?: FeePolicyName | undefined;
  readonly customFeeRateSatPerVbyte?: number | undefined;
  readonly verifyBalance?: boolean | undefined;
  readonly subtractFee?: boolean | undefined;
  readonly useCoinConsolidation?: boolean | undefined;
  readonly batchingAllowed?: boolean | undefined;
  readonly orderCodeName?: string | undefined;
  /** Not sent before this day in the company's time zone. Only Paydrop knows this field; the service does not. */
  readonly payOn?: Day | undefined;
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

/** The callbackUrl given to the service; its last segment is unguessable and identifies the instruction. */
export function correlatedCallbackUrl(instruction: Pick<Instruction, "id" | "fields">): string {
  return callbackUrlOf(instruction.fields.callbackUrl, instruction.id);
}

export function callbackUrlOf(base: string, id: string): string {
  return `${base.replace(/\/+$/, "")}/${id}`;
}

/**
 * A canonical JSON text: members sorted, absent ones left out, the amount as decimal text. The members are written
 * here in order, because sorting them would dominate the cost. JSON leaves out undefined ones.
 */
export function canonicalFields(fields: InstructionFields): string {
  return JSON.stringify({
    amount: fields.amount.value.toString(),
    batchingAllowed: fields.batchingAllowed,
    callbackUrl: fields.callbackUrl,
    currency: fields.amount.currency,
    custodyAccountId: fields.custodyAccountId,
    customFeeRateSatPerVbyte: fields.customFeeRateSatPerVbyte,
    customerId: fields.customerId,
    destinationAccountId: fields.destinationAccountId,
    destinationAddress: fields.destinationAddress,
    feePolicy: fields.feePolicy,
    generalLedgerDistribution: fields.generalLedgerDistribution,
    generalLedgerName: fields.generalLedgerName,
    generalLedgerProject: fields.generalLedgerProject,
    orderCodeName: fields.orderCodeName,
    payOn: fields.payOn,
    reference: fields.reference,
    subtractFee: fields.subtractFee,
    useCoinConsolidation: fields.useCoinConsolidation,
    username: fields.username,
    verifyBalance: fields.verifyBalance,
  } satisfies Record<keyof InstructionFields | "currency", unknown>);
}

export function readCanonicalFields(text: string): InstructionFields {
  const stored = JSON.parse(text);
  // Each instruction has the same members, absent or not: code that reads them is several times as fast.
  return {
    username: stored.username,
    custodyAccountId: custodyAccountId(stored.custodyAccountId),
    reference: stored.reference,
    customerId: stored.customerId,
    callbackUrl: stored.callbackUrl,
    amount: { currency: stored.currency, value: Decimal.of(stored.amount) },
    destinationAddress: stored.destinationAddress,
    destinationAccountId: stored.destinationAccountId,
    feePolicy: stored.feePolicy,
    customFeeRateSatPerVbyte: stored.customFeeRateSatPerVbyte,
    verifyBalance: stored.verifyBalance,
    subtractFee: stored.subtractFee,
    useCoinConsolidation: stored.useCoinConsolidation,
    batchingAllowed: stored.batchingAllowed,
    orderCodeName: stored.orderCodeName,
    payOn: stored.payOn,
    generalLedgerName: stored.generalLedgerName,
    generalLedgerProject: stored.generalLedgerProject,
    generalLedgerDistribution: stored.generalLedgerDistribution,
  } satisfies Record<keyof InstructionFields, unknown>;
}

/**
 * The digest that a checker approves: SHA-256 over the canonical fields of all instructions in row order,
 * lower-case hex.
 */
export class BatchDigest {
  private readonly hash = createHash("sha256");
  /** What is not hashed yet. Texts are written here one by one: joined, they would be copied twice more. */
  private readonly pending = Buffer.allocUnsafe(HASHED_BYTES);
  private pendingBytes = 0;

  add(instructions: Iterable<DraftInstruction>): void {
    for (const { row, fields } of instructions) this.addText(row, canonicalFields(fields));
  }

  /** Adds an instruction by the canonical text of its fields, as it is stored. */
  addText(row: number, canonical: string): void {
    this.append(`${row}\n`);
    this.append(canonical);
    this.append("\n");
  }

  hex(): string {
    this.flush();
    return this.hash.digest("hex");
  }

  private append(text: string): void {
    const bytesMax = UTF_8_BYTES_MAX * text.length;
    if (this.pendingBytes + bytesMax > HASHED_BYTES) this.flush();
    if (bytesMax > HASHED_BYTES) this.hash.update(text);
    else this.pendingBytes += this.pending.write(text, this.pendingBytes);
  }

  private flush(): void {
    this.hash.update(this.pending.subarray(0, this.pendingBytes));
    this.pendingBytes = 0;
  }
}

/** Large enough to save calls, which are expensive. */
const HASHED_BYTES = 65_536;
/** Of one UTF-16 unit. */
const UTF_8_BYTES_MAX = 3;
