/**
 * A small world in which both sides agree: what we asked for, what the service shows, and the balances that follow from
 * it.
 */
import {
  batchId,
  correlatedCallbackUrl,
  custodyAccountId,
  depositId,
  type Instruction,
  instructionId,
  type ObservedDeposit,
  type ObservedPayout,
  payoutId,
} from "../../../src/model/index.ts";
import { amountOf, Decimal } from "../../../src/money/index.ts";
import type { ReconciliationPolicy } from "../../../src/nights/rules/index.ts";
import type { ReconciliationInput } from "./reconcile-at-once.ts";

export const NOW = "2026-11-20T12:00:00.000Z";
export const RECENTLY = "2026-11-20T11:30:00.000Z";
export const YESTERDAY = "2026-11-19T12:00:00.000Z";
export const TREASURY = custodyAccountId("6f1cbb7e-0000-4000-8000-000000000001");
export const SAVINGS = custodyAccountId("6f1cbb7e-0000-4000-8000-000000000002");
const ADDRESS = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";

/** For what is about the configuration; without it, nothing is expected of a custody account that is not shown. */
export const CONFIGURED = {
  custodyAccounts: new Map([[TREASURY, { name: "treasury-btc", currency: "BTC" }]]),
};

export const POLICY: ReconciliationPolicy = {
  now: NOW,
  stuckAfterMinutes: 60,
  feeLimit: { BTC: Decimal.of("0.001") },
  correlation: "callbackUrl",
};

export const uuid = (number: number, family = "a") =>
  `${family.repeat(8)}-0000-4000-8000-${String(number).padStart(12, "0")}`;

export function instruction(
  row: number,
  changes: Partial<Omit<Instruction, "fields">> & { fields?: Partial<Instruction["fields"]> } = {},
): Instruction {
  const { fields, ...others } = changes;
  return {
    id: instructionId(uuid(row, "e")),
    batchId: batchId("B-000001"),
    row,
    standing: "accepted",
    payoutId: payoutId(uuid(row)),
    ...others,
    fields: {
      username: "treasury-bot",
      custodyAccountId: TREASURY,
      reference: `INV-${row}`,
      callbackUrl: "https://pay.example.com/hook",
      amount: amountOf("0.015", "BTC"),
      destinationAddress: ADDRESS,
      generalLedgerName: "6200",
      ...fields,
    },
  };
}

export function withoutPayoutId({ payoutId: _, ...others }: Instruction): Instruction {
  return others;
}

/** The payout that the service would show for the instruction: completed, with its fee. */
export function payoutOf(asked: Instruction, changes: Partial<ObservedPayout> = {}): ObservedPayout {
  const { fields } = asked;
  const fee = Decimal.of("0.0000215");
  const amount = fields.subtractFee ? fields.amount.value.minus(fee) : fields.amount.value;
  return {
    payoutId: payoutId(uuid(asked.row)),
    custodyAccountId: fields.custodyAccountId,
    reference: fields.reference,
    callbackUrl: correlatedCallbackUrl(asked),
    requestedAmount: fields.amount,
    createdAt: RECENTLY,
    ...(fields.destinationAddress !== undefined && { destinationAddress: fields.destinationAddress }),
    ...(fields.destinationAccountId !== undefined && { destinationAccountId: fields.destinationAccountId }),
    ...(fields.generalLedgerName !== undefined && { generalLedgerName: fields.generalLedgerName }),
    state: "COMPLETED",
    sentFunds: [
      {
        txHash: `tx-${asked.row}`,
        amount: { currency: fields.amount.currency, value: amount },
        fee: { currency: "BTC", value: fee },
        createdAt: RECENTLY,
        confirmedAt: RECENTLY,
        state: "CONFIRMED",
      },
    ],
    subtractFee: fields.subtractFee ?? false,
    stateSeenAt: RECENTLY,
    ...changes,
  };
}

export function deposit(number: number, changes: Partial<ObservedDeposit> = {}): ObservedDeposit {
  return {
    depositId: depositId(uuid(number, "d")),
    custodyAccountId: TREASURY,
    reference: `ORDER-${number}`,
    requestedInCrypto: amountOf("0.0125", "BTC"),
    state: "COMPLETED",
    createdAt: YESTERDAY,
    receivedFunds: [received(`in-${number}a`, "0.0075"), received(`in-${number}b`, "0.005")],
    stateSeenAt: RECENTLY,
    ...changes,
  };
}

export function received(txHash: string, amount: string, createdAt = RECENTLY) {
  return { txHash, amount: amountOf(amount, "BTC"), createdAt, confirmedAt: createdAt, state: "CONFIRMED" };
}

export function inputOf(parts: Partial<ReconciliationInput>): ReconciliationInput {
  return {
    instructions: [],
    payouts: [],
    deposits: [],
    balances: [],
    openings: [],
    ignoredPayoutIds: new Set(),
    ignoredDepositIds: new Set(),
    ...parts,
  };
}
