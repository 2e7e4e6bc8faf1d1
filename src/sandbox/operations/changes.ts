/** The operations that change what exists: voiding payouts and deposits, authorizing payouts. */
import { z } from "zod";
import {
  type DepositVoid,
  depositVoid,
  int64,
  type PayoutVoid,
  payoutVoid,
  text,
  uuid,
} from "../../wire/index.ts";
import { voidDeposit as takeBack } from "../life/deposit-life.ts";
import { voidPayout as cancel, cosignPayout } from "../life/payout-life.ts";
import { type Refusal, refusal } from "../refusal.ts";
import { checkUser } from "../rules/payer.ts";
import type { Service } from "../service.ts";
import { type Call, mutation } from "./operation.ts";

/**
 * The voids, with and without a path: of a payout whose money has not left, and of a deposit that has received
 * nothing; only for accounts of "one Bitcoin custody kind", which here is `vault`.
 */
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

/**
 * authorize: one cosigner's authorization of a payout. The interface does not show the body; here it is payoutId,
 * username, otpCode and nonce. The interface's own failures: 404 no such authorization, 409 already authorized, 403
 * not this user's to give.
 */
export const authorizePayout = mutation({
  name: "authorize",
  path: "/payouts/authorization",
  successCode: 202,
  request: z.looseObject({ payoutId: uuid, username: text, otpCode: text, nonce: int64 }),
  carryOut: ({ payoutId, username, otpCode }, call) => {
    const { service, nowMs } = call;
    const payout = service.payouts.find(payoutId);
    if (payout === undefined) {
      throw refusal(404, "AUTHORIZATION_NOT_FOUND", `there is no authorization for the payout ${payoutId}`);
    }
    const { authorization } = payout;
    const cosigner = authorization.cosigners.find((candidate) => candidate.username === username);
    if (authorization.state === "AUTHORIZED" || cosigner?.state === "AUTHORIZED") {
      throw refusal(409, "ALREADY_AUTHORIZED", `the payout ${payoutId} is already authorized`);
    }
    if (cosigner === undefined)
      throw refusal(403, "ACCESS_DENIED", `${username} is not one of the cosigners`);
    checkUser(call, username, otpCode);
    if (!cosignPayout(service, payout, username, nowMs)) {
      throw refusal(409, "CONFLICT_STATE", `the payout ${payoutId} is ${payout.payoutState}`);
    }
    return undefined;
  },
});
