/** createDeposit answers with the id at once; createDepositSynchronously with the whole deposit, already CREATED. */
import { type DepositCreation, depositCreation } from "../../wire/index.ts";
import { depositAnswer } from "../answers/deposit-answer.ts";
import { beginDeposit, generatedTerms } from "../life/deposit-life.ts";
import { checkedDeposit } from "../rules/deposit-rules.ts";
import type { StoredDeposit } from "../state/deposits.ts";
import { type Call, mutation } from "./operation.ts";

export const createDeposit = mutation({
  name: "createDeposit",
  path: "/deposits/create",
  successCode: 202,
  request: depositCreation,
  carryOut: (creation, call) => ({ depositId: begun(creation, call, "REQUESTED").depositId }),
});

export const createDepositSynchronously = mutation({
  name: "createDepositSynchronously",
  path: "/deposits/create/sync",
  successCode: 201,
  request: depositCreation,
  carryOut: (creation, call) => depositAnswer(call.service, begun(creation, call, "CREATED")),
});

function begun(creation: DepositCreation, { service, nowMs }: Call, depositState: string): StoredDeposit {
  const price = checkedDeposit(service, creation, nowMs);
  const depositId = service.policy.uuid();
  const { accountId, reference, customerId, callbackUrl, expiryDate } = creation;
  const deposit = {
    depositId,
    accountId,
    reference,
    depositState,
    createdAt: nowMs,
    expiresAt: expiryDate === undefined || price.fixedRate === undefined ? undefined : Date.parse(expiryDate),
    terms: { ...generatedTerms(service, depositId), ...price, customerId, callbackUrl },
  };
  beginDeposit(service, deposit);
  return deposit;
}
