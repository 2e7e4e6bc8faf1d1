/**
 * The payout creations: four with a path and the same fields, and one without, whose `authorize` decides. The
 * interface does not say what a first authorization changes; here it counts as the creating user's, if that user is
 * a cosigner.
 */
import { authorizingPayoutCreation, payoutCreated, payoutCreation } from "../../wire/index.ts";
import { beginPayout } from "../life/payout-life.ts";
import { checkedPayout, type ListedAddresses, type RequestedPayout } from "../rules/payout-rules.ts";
import { keptReference } from "../rules/references.ts";
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

export const createPayoutWithFirstAuthorization = mutation({
  name: "createPayoutWithFirstAuthorization",
  successCode: 202,
  request: authorizingPayoutCreation,
  answer: payoutCreated,
  carryOut: ({ authorize, ...creation }, call) => requestPayout(creation, call, "every", authorize),
});

function creationAt(name: string, path: string, firstAuthorization: boolean): Operation {
  return mutation({
    name,
    path,
    successCode: 202,
    request: payoutCreation,
    answer: payoutCreated,
    carryOut: (creation, call) => requestPayout(creation, call, "bitcoin", firstAuthorization),
  });
}

function requestPayout(
  request: RequestedPayout,
  call: Call,
  listed: ListedAddresses,
  firstAuthorization: boolean,
): { payoutId: string } {
  const { service, client, nowMs, bodyText } = call;
  const { payer, amount, fee } = checkedPayout(call, request, listed);
  const { nonce, username, ...creation } = request;
  const payoutId = service.policy.uuid();
  beginPayout(service, {
    payoutId,
    creation: { ...creation, reference: keptReference(creation.reference, service.policy.reference) },
    clientId: client.clientId,
    createdAt: nowMs,
    visibleAt: nowMs + call.visibilityLagMs,
    amount,
    fee,
    authorization: authorizationOf(call, payer.cosigners, firstAuthorization ? username : undefined),
    arrival: { nonce, sentBody: bodyText },
  });
  return { payoutId };
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
