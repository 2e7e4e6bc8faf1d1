/**
 * The voids, with and without a path: of a payout whose money has not left, and of a deposit that has received nothing;
 * only for accounts of "one Bitcoin custody kind", which here is `vault`.
 */
import { type DepositVoid, depositVoid, type PayoutVoid, payoutVoid } from "../../wire/index.ts";
import { voidDeposit as takeBack } from "../life/deposit-life.ts";
import { voidPayout as cancel } from "../life/payout-life.ts";
import { type Refusal, refusal } from "../refusal.ts";
import type { Service } from "../service.ts";
import { type Call, mutation } from "./operation.ts";

const ofPayout = {
  successCode: 202,
  request: payoutVoid,
  carryOut: ({ payoutId }: PayoutVoid, { service }: Call) => {
    const payout = service.payouts.existing(payoutId);
    checkVoidable(service, payout.creation.accountId);
    if (!cancel(service, payout)) throw conflict(`the payout ${payoutId} is ${payout.payoutState}`);
  },
} as const;
export const voidPayout = mutation({ ...ofPayout, name: "voidPayout", path: "/payouts/void" });
export const voidPayoutPathless = mutation({ ...ofPayout, name: "voidPayoutPathless" });

const ofDeposit = {
  successCode: 202,
  request: depositVoid,
  carryOut: ({ depositId }: DepositVoid, { service }: Call) => {
    const deposit = service.deposits.existing(depositId);
    checkVoidable(service, deposit.accountId);
    if (!takeBack(service, deposit)) throw conflict(`the deposit ${depositId} is ${deposit.depositState}`);
  },
} as const;
export const voidDeposit = mutation({ ...ofDeposit, name: "voidDeposit", path: "/deposits/void" });
export const voidDepositPathless = mutation({ ...ofDeposit, name: "voidDepositPathless" });

/** Throws 409 for an account of another kind; the interface lists no status for it. */
function checkVoidable(service: Service, accountId: string): void {
  if (service.accounts.find(accountId)?.kind !== "vault")
    throw conflict(`nothing of the account ${accountId} can be voided`);
}

function conflict(error: string): Refusal {
  return refusal(409, "CONFLICT_STATE", error);
}
