/** How requests about deposits are decided: creation at once or later, void. */

import type { DepositCreation, DepositVoid } from "../../wire/index.ts";
import { depositAnswer } from "../answers.ts";
import { beginDeposit, existingDeposit, generatedTerms, isVoidable, voidDeposit } from "../life/deposits.ts";
import { refusal, refuseBroken } from "../refusal.ts";
import { depositPrice, depositRules } from "../rules/deposit-rules.ts";
import { keptReference } from "../service.ts";
import type { Call, Decided } from "./operation.ts";
import { enabledAccount } from "./payer.ts";
import { requireVoidable } from "./payouts.ts";

/** Answers the id at once; the deposit is created a step later. */
export function requestDeposit(creation: DepositCreation, call: Call): Decided {
  const deposit = newDeposit(creation, call, "REQUESTED");
  return {
    answer: { depositId: deposit.depositId },
    carryOut: () => beginDeposit(call.service, deposit),
  };
}

/** Answers the whole deposit, created at once, or 502 for references in the seed's `depositOutcomes`. */
export function createDeposit(creation: DepositCreation, call: Call): Decided {
  const deposit = newDeposit(creation, call, "CREATED");
  if (call.service.depositOutcomeOf(deposit.reference) !== undefined) {
    throw refusal(502, "DEPOSIT_FAILED", "error during deposit creation");
  }
  return {
    answer: depositAnswer(call.service, deposit),
    carryOut: () => beginDeposit(call.service, deposit),
  };
}

function newDeposit(
  creation: DepositCreation,
  { service, nowMs, visibilityLagMs }: Call,
  depositState: string,
) {
  refuseBroken(depositRules(creation));
  const { accountId, reference, customerId, callbackUrl, expiryDate } = creation;
  const { policy, rates } = service;
  const { currency } = enabledAccount(service, accountId);
  const rateTo = (fiat: string) => rates.between(currency, fiat)?.rate;
  const price = depositPrice(creation, { currency, policy, nowMs, rateTo });
  const depositId = policy.uuid();
  return {
    depositId,
    accountId,
    reference: keptReference(reference, policy.reference),
    depositState,
    createdAt: nowMs,
    visibleAt: nowMs + visibilityLagMs,
    expiresAt: expiryDate === undefined || price.fixedRate === undefined ? undefined : Date.parse(expiryDate),
    terms: { ...generatedTerms(service, depositId, currency), ...price, customerId, callbackUrl },
  };
}

/** Voids a deposit that has received nothing. */
export function decideVoidDeposit({ depositId }: DepositVoid, { service }: Call): Decided {
  const deposit = existingDeposit(service, depositId);
  requireVoidable(service.money.account(deposit.accountId), deposit.accountId);
  if (!isVoidable(deposit)) {
    throw refusal(409, "CONFLICT_STATE", `the deposit ${depositId} is ${deposit.depositState}`);
  }
  return { carryOut: () => voidDeposit(service, deposit) };
}
