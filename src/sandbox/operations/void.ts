/**
 * The voids, with and without a path: of a payout whose money has not left, and of a deposit that has received nothing;
 * only for accounts of "one Bitcoin custody kind", which here is `vault`.
 */
import { type DepositVoid, depositVoid, type PayoutVoid, payoutVoid } from "../../wire/index.ts";
import { voidDeposit as takeBack } from "../life/deposit-life.ts";
import { voidPayout as cancel } from "../life/payout-life.ts";
import { refusal } from "../refusal.ts";
import type { Service } from "../service.ts";
import { type Call, mutation } from "./operation.ts";

const ofPayout = { successCode: 202, request: payoutVoid, carryOut: carryOutPayoutVoid } as const;
export const voidPayout = mutation({ ...ofPayout, name: "voidPayout", path: "/payouts/void" });
export const voidPayoutPathless = mutation({ ...ofPayout, name: "voidPayoutPathless" });

const ofDeposit = { successCode: 202, request: depositVoid, carryOut: carryOutDepositVoid } as const;
export const voidDeposit = mutation({ ...ofDeposit, name: "voidDeposit", path: "/deposits/void" });
export const voidDepositPathless = mutation({ ...ofDeposit, name: "voidDepositPathless" });

function carryOutPayoutVoid({ payoutId }: PayoutVoid, { service }: Call): undefined {
  const payout = service.payouts.existing(payoutId);
  checkVoidable(service, payout.creation.accountId);
  if (!cancel(service, payout)) {
    throw refusal(409, "CONFLICT_STATE", `the payout ${payoutId} is ${payout.payoutState}`);
  }
}

function carryOutDepositVoid({ depositId }: DepositVoid, { service }: Call): undefined {
  const deposit = service.deposits.existing(depositId);
  checkVoidable(service, deposit.accountId);
  if (!takeBack(service, deposit)) {
    throw refusal(409, "CONFLICT_STATE", `the deposit ${depositId} is ${deposit.depositState}`);
  }
}

/** Throws 409 for an account of another kind; the interface lists no status for it. */
function checkVoidable(service: Service, accountId: string): void {
  if (service.accounts.find(accountId)?.kind === "vault") return;
  throw refusal(409, "CONFLICT_STATE", `nothing of the account ${accountId} can be voided`);
}
