/** voidPayout, with and without a path: cancels a payout whose money has not left; only for accounts of the one Bitcoin custody kind. */
import { type PayoutVoid, payoutVoid } from "../../wire/index.ts";
import { voidPayout as cancel } from "../life/payout-life.ts";
import { refusal } from "../refusal.ts";
import { checkVoidable } from "../rules/void-rules.ts";
import { type Call, mutation } from "./operation.ts";

export const voidPayout = mutation({
  name: "voidPayout",
  path: "/payouts/void",
  successCode: 202,
  request: payoutVoid,
  carryOut: cancelled,
});

export const voidPayoutPathless = mutation({
  name: "voidPayoutPathless",
  successCode: 202,
  request: payoutVoid,
  carryOut: cancelled,
});

function cancelled({ payoutId }: PayoutVoid, { service }: Call): undefined {
  const payout = service.payouts.find(payoutId);
  if (payout === undefined) throw refusal(404, "PAYOUT_NOT_FOUND", `there is no payout ${payoutId}`);
  checkVoidable(service, payout.creation.accountId);
  if (!cancel(service, payout)) {
    throw refusal(409, "CONFLICT_STATE", `the payout ${payoutId} is ${payout.payoutState}`);
  }
}
