/** Funds of the interface: one movement on the chain, sent or received. */
import { createHash } from "node:crypto";
import type { Decimal } from "../../money/index.ts";
import type { Directory } from "../directory.ts";
import type { Policy } from "../options.ts";
import { exchangeRateAnswer } from "../rules/exchange-rates.ts";
import { wireDate } from "./dates.ts";

/** The parts of the service that decide the report's form. */
export interface Reporting {
  readonly policy: Policy;
  readonly directory: Directory;
}

export interface ChainMovement {
  readonly txHash: string;
  readonly currency: string;
  readonly amount: Decimal;
  /** Absent for received funds, whose sender pays the fee. */
  readonly fee?: Decimal;
  readonly createdAt: number;
  readonly confirmedAt: number | undefined;
  /** Shown once confirmed; default 1. */
  readonly confirmations?: number;
}

/**
 * The interface lists only UNCONFIRMED; CONFIRMED is the sandbox's own choice. The rate is that of the
 * confirmation.
 */
export function fundsAnswer(service: Reporting, movement: ChainMovement) {
  const { txHash, currency, amount, fee, createdAt, confirmedAt, confirmations = 1 } = movement;
  const { dateStyle } = service.policy;
  const confirmedDate = confirmedAt === undefined ? undefined : wireDate(confirmedAt, dateStyle);
  const rate = confirmedAt === undefined ? undefined : service.directory.rates.at(currency, confirmedAt);
  return {
    txHash,
    transactionId: `TX-${createHash("sha256").update(txHash).digest("hex").slice(0, 16)}`,
    amount: { currency, amount },
    fee: fee === undefined ? undefined : { currency, amount: fee },
    createdDate: wireDate(createdAt, dateStyle),
    confirmedDate,
    state: confirmedAt === undefined ? "UNCONFIRMED" : "CONFIRMED",
    rate: rate && confirmedDate && exchangeRateAnswer(rate, confirmedDate),
    confirmations: confirmedAt === undefined ? 0 : confirmations,
  };
}
