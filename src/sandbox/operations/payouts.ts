/** How requests about payouts are decided: creation, void, authorization by a cosigner. */
import type { PayoutVoid } from "../../wire/index.ts";
import { beginPayout, cosignPayout, existingPayout, isRevocable, voidPayout } from "../life/payouts.ts";
import { refusal, refuseBroken } from "../refusal.ts";
import {
  accountRules,
  costOf,
  destinationFormats,
  type ListedAddresses,
  type RequestedPayout,
  requestRules,
} from "../rules/payout-rules.ts";
import { keptReference } from "../service.ts";
import { breakdownOf, type CustodyAccount } from "../state/money.ts";
import type { StoredAuthorization } from "../state/state.ts";
import type { Call, Decided } from "./operation.ts";
import { checkedUser, enabledAccount, existingAccount } from "./payer.ts";

/**
 * Creates a payout. Checked in this order: the request alone (400, all complaints together), user and one-time code
 * (404, 400), the accounts that it names (404), the request against its account (400).
 *
 * The interface does not say what a first authorization changes; here it counts as the creating user's, if that user
 * is a cosigner.
 */
export function createPayout(
  request: RequestedPayout,
  call: Call,
  listed: ListedAddresses,
  hasFirstAuthorization: boolean,
): Decided {
  const { service, client, nowMs, bodyText } = call;
  const { policy, seed } = service;
  const formatAs = destinationFormats(request.destinationAddress, policy);
  refuseBroken(requestRules(request, listed, formatAs, seed.orderCodeNames));
  const useCode = checkedUser(call, request.username, request.otpCode);
  const payer = enabledAccount(service, request.accountId);
  if (request.destinationAccountId !== undefined) {
    existingAccount(service, request.destinationAccountId, "destinationAccountId");
  }
  refuseBroken(accountRules(request, payer.currency));
  const { amount, fee } = costOf(request, payer.currency, formatAs, policy.feeRates);
  if (request.verifyBalance && breakdownOf(payer.balance).available.compare(amount.plus(fee)) < 0) {
    throw refusal(400, "INSUFFICIENT_BALANCE", "the available balance does not cover amount and fee");
  }
  const { nonce, username, otpCode: _code, customerId: _id, verifyBalance: _verify, ...creation } = request;
  const payoutId = policy.uuid();
  const payout = {
    payoutId,
    creation: { ...creation, reference: keptReference(creation.reference, policy.reference) },
    clientId: client.clientId,
    createdAt: nowMs,
    visibleAt: nowMs + call.visibilityLagMs,
    amount,
    fee,
    authorization: authorizationOf(call, payer, hasFirstAuthorization ? username : undefined),
  };
  const { reference } = payout.creation;
  return {
    answer: { payoutId },
    carryOut: () => {
      useCode();
      service.arrivals.put(payoutId, { reference, nonce: nonce.toString(), body: bodyText });
      beginPayout(service, payout);
    },
  };
}

const COSIGNER_TIME_MS = 7 * 24 * 60 * 60 * 1000;

function authorizationOf(
  { service, nowMs }: Call,
  { cosigners }: CustodyAccount,
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

/** Voids a payout whose money has not left. */
export function decideVoidPayout({ payoutId }: PayoutVoid, { service, nowMs }: Call): Decided {
  const payout = existingPayout(service, payoutId);
  requireVoidable(service.money.account(payout.creation.accountId), payout.creation.accountId);
  if (!isRevocable(payout)) {
    throw refusal(409, "CONFLICT_STATE", `the payout ${payoutId} is ${payout.payoutState}`);
  }
  return { carryOut: () => voidPayout(service, payout, nowMs) };
}

/** Only accounts of "one Bitcoin custody kind", here `vault`. Throws 409, for which the interface lists no status. */
export function requireVoidable(account: CustodyAccount | undefined, accountId: string): void {
  if (account?.kind !== "vault") {
    throw refusal(409, "CONFLICT_STATE", `nothing of the account ${accountId} can be voided`);
  }
}

interface Authorization {
  readonly payoutId: string;
  readonly username: string;
  readonly otpCode: string;
}

/** One cosigner's authorization. The interface's failures: 404 none to give, 409 given already, 403 not this user's. */
export function authorizePayout({ payoutId, username, otpCode }: Authorization, call: Call): Decided {
  const { service, nowMs } = call;
  const payout = service.payouts.get(payoutId);
  if (payout === undefined) {
    throw refusal(404, "AUTHORIZATION_NOT_FOUND", `there is no authorization for the payout ${payoutId}`);
  }
  const { authorization } = payout;
  const cosigner = authorization.cosigners.find((candidate) => candidate.username === username);
  if (authorization.state === "AUTHORIZED" || cosigner?.state === "AUTHORIZED") {
    throw refusal(409, "ALREADY_AUTHORIZED", `the payout ${payoutId} is already authorized`);
  }
  if (cosigner === undefined) throw refusal(403, "ACCESS_DENIED", `${username} is not one of the cosigners`);
  const useCode = checkedUser(call, username, otpCode);
  if (!isRevocable(payout)) {
    throw refusal(409, "CONFLICT_STATE", `the payout ${payoutId} is ${payout.payoutState}`);
  }
  return {
    carryOut: () => {
      useCode();
      cosignPayout(service, payout, username, nowMs);
    },
  };
}
