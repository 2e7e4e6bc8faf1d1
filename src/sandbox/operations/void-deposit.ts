/** voidDeposit, with and without a path: takes back a deposit that has received nothing; only for accounts of the one Bitcoin custody kind. */
import { type DepositVoid, depositVoid } from "../../wire/index.ts";
import { voidDeposit as takeBack } from "../life/deposit-life.ts";
import { refusal } from "../refusal.ts";
import { checkVoidable } from "../rules/void-rules.ts";
import { type Call, mutation } from "./operation.ts";

export const voidDeposit = mutation({
  name: "voidDeposit",
  path: "/deposits/void",
  successCode: 202,
  request: depositVoid,
  carryOut: takenBack,
});

export const voidDepositPathless = mutation({
  name: "voidDepositPathless",
  successCode: 202,
  request: depositVoid,
  carryOut: takenBack,
});

function takenBack({ depositId }: DepositVoid, { service }: Call): undefined {
  const deposit = service.deposits.find(depositId);
  if (deposit === undefined) throw refusal(404, "DEPOSIT_NOT_FOUND", `there is no deposit ${depositId}`);
  checkVoidable(service, deposit.accountId);
  if (!takeBack(service, deposit)) {
    throw refusal(409, "CONFLICT_STATE", `the deposit ${depositId} is ${deposit.depositState}`);
  }
}
