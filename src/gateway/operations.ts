/** The one table of the service's operations that we call: path, success status and schema of the answer (interface document, Endpoints). */
import type { z } from "zod";
import {
  type BalanceRequest,
  balanceResponse,
  type DepositSearchRequest,
  type PayoutCreation,
  type PayoutSearchRequest,
  payoutCreated,
  searchEnvelope,
} from "../wire/index.ts";

export const operations = {
  createPayoutV2: { path: "/payouts/v2/create", successStatus: 202, mutating: true, answer: payoutCreated },
  findPayoutFilteredV2: {
    path: "/payouts/v2/find",
    successStatus: 200,
    mutating: false,
    answer: searchEnvelope,
  },
  findDepositFilteredV2: {
    path: "/deposits/v2/find",
    successStatus: 200,
    mutating: false,
    answer: searchEnvelope,
  },
  getAccountsBalance: {
    path: "/accounts/balance",
    successStatus: 200,
    mutating: false,
    answer: balanceResponse,
  },
} as const;

export type OperationName = keyof typeof operations;

export interface OperationBodies {
  readonly createPayoutV2: PayoutCreation;
  readonly findPayoutFilteredV2: Omit<PayoutSearchRequest, "queryDate">;
  readonly findDepositFilteredV2: Omit<DepositSearchRequest, "queryDate">;
  readonly getAccountsBalance: Omit<BalanceRequest, "queryDate">;
}

export type OperationAnswer<Name extends OperationName> = z.output<(typeof operations)[Name]["answer"]>;
