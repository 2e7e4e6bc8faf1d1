/** The one table of the operations that the sandbox serves: all those to which the interface gives a path. */
import { accountBalances } from "./account-balances.ts";
import { authorizePayout } from "./authorize-payout.ts";
import { createDeposit, createDepositSynchronously } from "./create-deposit.ts";
import {
  createAndAuthorizePayout,
  createAndAuthorizePayoutV2,
  createPayout,
  createPayoutV2,
} from "./create-payout.ts";
import { findDeposits } from "./find-deposits.ts";
import { findPayouts } from "./find-payouts.ts";
import type { Operation } from "./operation.ts";
import { voidDeposit } from "./void-deposit.ts";
import { voidPayout } from "./void-payout.ts";

export const operations: readonly Operation[] = [
  accountBalances,
  authorizePayout,
  createAndAuthorizePayout,
  createAndAuthorizePayoutV2,
  createDeposit,
  createDepositSynchronously,
  createPayout,
  createPayoutV2,
  findDeposits,
  findPayouts,
  voidDeposit,
  voidPayout,
];
