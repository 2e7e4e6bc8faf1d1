/**
 * The four payout creations, which list the same fields. The interface does not say what the first authorization of the
 * create-and-authorize pair changes; here the creating user is the first of the account's cosigners to authorize, if one of them.
 */
import { payoutCreation } from "../../wire/index.ts";
import { beginPayout } from "../life/payout-life.ts";
import { checkedPayout } from "../rules/payout-rules.ts";
import type { StoredAuthorization } from "../state/payouts.ts";
import { type Call, mutation, type Operation } from "./operation.ts";

export const createPayout = creationAt("createPayout", "/payouts/create", false);
export const createPayoutV2 = creationAt("createPayoutV2", "/payouts/v2/create", false);
export const createAndAuthorizePayout = creationAt(
  "createAndFirstAuthorizationPayout",
  "/payouts/create-and-authorize",
  true,
);
export const createAndAuthorizePayoutV2 = creationAt(
  "createAndFirstAuthorizationPayoutV2",
  "/payouts/v2/create-and-authorize",
  true,
);

function creationAt(name: string, path: string, firstAuthorization: boolean): Operation {
  return mutation({
    name,
    path,
    successCode: 202,
    request: payoutCreation,
    carryOut: (body, call) => {
      const { service, client, nowMs } = call;
      const { payer, amount, fee } = checkedPayout(service, client, body, nowMs);
      const { otpCode: _used, nonce, ...creation } = body;
      const payoutId = service.policy.uuid();
      beginPayout(service, {
        payoutId,
        creation,
        clientId: client.clientId,
        payoutState: "REQUESTED",
        createdAt: nowMs,
        visibleAt: nowMs + call.visibilityLagMs,
        amount,
        fee,
        txHash: undefined,
        sentAt: undefined,
        confirmedAt: undefined,
        authorization: authorizationOf(call, payer.cosigners, firstAuthorization ? body.username : undefined),
        arrival: { nonce, sentBody: call.bodyText },
      });
      return { payoutId };
    },
  });
}

const COSIGNER_TIME_MS = 7 * 24 * 60 * 60 * 1000;

function authorizationOf(
  { service, nowMs }: Call,
  cosigners: readonly { readonly userGroupName: string; readonly username: string }[],
  firstAuthorizer: string | undefined,
): StoredAuthorization {
  return {
    id: service.policy.uuid(),
    state: "PENDING",
    cosigners: cosigners.map((cosigner) => ({
      ...cosigner,
      state: cosigner.username === firstAuthorizer ? "AUTHORIZED" : "PENDING",
      expiresAt: nowMs + COSIGNER_TIME_MS,
    })),
  };
}
