/** The one table of the operations that the sandbox serves. */
import { accountBalances } from "./account-balances.ts";
import {
  createAndAuthorizePayout,
  createAndAuthorizePayoutV2,
  createPayout,
  createPayoutV2,
} from "./create-payout.ts";
import { findDeposits } from "./find-deposits.ts";
import { findPayouts } from "./find-payouts.ts";
import type { Operation } from "./operation.ts";

export const operations: readonly Operation[] = [
  accountBalances,
  createAndAuthorizePayout,
  createAndAuthorizePayoutV2,
  createPayout,
  createPayoutV2,
  findDeposits,
  findPayouts,
];
