/**
 * authorize: one cosigner's authorization of a payout. The interface does not show the body; here it is payoutId,
 * username, otpCode and nonce. The interface's own failures: 404 no such authorization, 409 already authorized, 403 not
 * this user's to give.
 */
import { z } from "zod";
import { int64, text, uuid } from "../../wire/index.ts";
import { cosignPayout } from "../life/payout-life.ts";
import { refusal } from "../refusal.ts";
import { checkUser } from "../rules/payer.ts";
import { mutation } from "./operation.ts";

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
