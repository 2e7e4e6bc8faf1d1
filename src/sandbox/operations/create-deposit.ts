/**
 * createDeposit, with and without a path, answers with the id at once. createDepositSynchronously answers with the
 * whole deposit, already CREATED, or with 502 for references in the seed's `depositOutcomes`.
 */
import {
  type DepositCreation,
  depositCreated,
  depositCreation,
  deposit as depositTable,
} from "../../wire/index.ts";
import { depositAnswer } from "../answers/deposit-answer.ts";
import { beginDeposit, generatedTerms } from "../life/deposit-life.ts";
import { refusal } from "../refusal.ts";
import { checkedDeposit } from "../rules/deposit-rules.ts";
import { keptReference } from "../rules/references.ts";
import type { StoredDeposit } from "../state/deposits.ts";
import { type Call, mutation } from "./operation.ts";

const asynchronous = {
  successCode: 202,
  request: depositCreation,
  answer: depositCreated,
  carryOut: requestDeposit,
} as const;
export const createDeposit = mutation({ ...asynchronous, name: "createDeposit", path: "/deposits/create" });
export const createDepositPathless = mutation({ ...asynchronous, name: "createDepositPathless" });

export const createDepositSynchronously = mutation({
  name: "createDepositSynchronously",
  path: "/deposits/create/sync",
  successCode: 201,
  request: depositCreation,
  answer: depositTable,
  carryOut: (creation, call) => {
    const deposit = createdDeposit(creation, call, "CREATED");
    if (call.service.depositOutcomeOf(deposit.reference) !== undefined) {
      throw refusal(502, "DEPOSIT_FAILED", "error during deposit creation");
    }
    return depositAnswer(call.service, deposit);
  },
});

function requestDeposit(creation: DepositCreation, call: Call) {
  return { depositId: createdDeposit(creation, call, "REQUESTED").depositId };
}

function createdDeposit(
  creation: DepositCreation,
  { service, nowMs, visibilityLagMs }: Call,
  depositState: string,
): StoredDeposit {
  const { payee, price } = checkedDeposit(service, creation, nowMs);
  const depositId = service.policy.uuid();
  const { accountId, reference, customerId, callbackUrl, expiryDate } = creation;
  const deposit = {
    depositId,
    accountId,
    reference: keptReference(reference, service.policy.reference),
    depositState,
    createdAt: nowMs,
    visibleAt: nowMs + visibilityLagMs,
    expiresAt: expiryDate === undefined || price.fixedRate === undefined ? undefined : Date.parse(expiryDate),
    terms: { ...generatedTerms(service, depositId, payee.currency), ...price, customerId, callbackUrl },
  };
  beginDeposit(service, deposit);
  return deposit;
}
