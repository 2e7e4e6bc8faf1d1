/** The table of all operations, those with a path first. */
import { z } from "zod";
import * as wire from "../../wire/index.ts";
import { accountBalances, accountsOfUser } from "./accounts.ts";
import { createDeposit, decideVoidDeposit, requestDeposit } from "./deposits.ts";
import { lookUp, mutation, type Operation } from "./operation.ts";
import { authorizePayout, createPayout, decideVoidPayout } from "./payouts.ts";
import { DEPOSITS, find, PAYOUTS, search } from "./searches.ts";

const { text, uuid, int64 } = wire;

const payoutVoid = { successCode: 202, request: wire.payoutVoid, decide: decideVoidPayout } as const;
const depositVoid = { successCode: 202, request: wire.depositVoid, decide: decideVoidDeposit } as const;
const depositRequest = {
  successCode: 202,
  request: wire.depositCreation,
  answer: wire.depositCreated,
  decide: requestDeposit,
} as const;

/** The creations with a path have the same fields, and take Bitcoin addresses. */
function payoutCreation(name: string, path: string, hasFirstAuthorization: boolean): Operation {
  return mutation({
    name,
    path,
    successCode: 202,
    request: wire.payoutCreation,
    answer: wire.payoutCreated,
    decide: (body, call) => createPayout(body, call, "bitcoin", hasFirstAuthorization),
  });
}

export const operations: readonly Operation[] = [
  lookUp({
    name: "getAccountsBalance",
    path: "/accounts/balance",
    successCode: 200,
    request: wire.balanceRequest,
    answer: wire.balanceResponse,
    decide: (body, call) => accountBalances(body, call, call.sent, "refused"),
  }),
  mutation({ ...depositRequest, name: "createDeposit", path: "/deposits/create" }),
  mutation({
    name: "createDepositSynchronously",
    path: "/deposits/create/sync",
    successCode: 201,
    request: wire.depositCreation,
    answer: wire.deposit,
    decide: createDeposit,
  }),
  lookUp({
    name: "findDepositFilteredV2",
    path: "/deposits/v2/find",
    successCode: 200,
    request: wire.depositSearchRequest,
    answer: wire.depositSearchResponse,
    decide: ({ depositIds, ...body }, call) => find(DEPOSITS, depositIds, body, call),
  }),
  mutation({ ...depositVoid, name: "voidDeposit", path: "/deposits/void" }),
  mutation({
    name: "authorize",
    path: "/payouts/authorization",
    successCode: 202,
    // The interface does not show this body.
    request: z.looseObject({ payoutId: uuid, username: text, otpCode: text, nonce: int64 }),
    decide: authorizePayout,
  }),
  payoutCreation("createAndFirstAuthorizationPayout", "/payouts/create-and-authorize", true),
  payoutCreation("createAndFirstAuthorizationPayoutV2", "/payouts/v2/create-and-authorize", true),
  payoutCreation("createPayout", "/payouts/create", false),
  payoutCreation("createPayoutV2", "/payouts/v2/create", false),
  lookUp({
    name: "findPayoutFilteredV2",
    path: "/payouts/v2/find",
    successCode: 200,
    request: wire.payoutSearchRequest,
    answer: wire.payoutSearchResponse,
    decide: ({ payoutIds, ...body }, call) => find(PAYOUTS, payoutIds, body, call),
  }),
  mutation({ ...payoutVoid, name: "voidPayout", path: "/payouts/void" }),
  lookUp({
    name: "searchPayouts",
    successCode: 200,
    request: wire.pagedPayoutSearch,
    answer: wire.payoutSearchResponse,
    decide: ({ payoutIds: ids, ...filters }, call) => search(PAYOUTS, { ...filters, ids }, call),
  }),
  lookUp({
    name: "searchDeposits",
    successCode: 200,
    request: wire.pagedDepositSearch,
    answer: wire.depositSearchResponse,
    decide: ({ depositIds: ids, ...filters }, call) => search(DEPOSITS, { ...filters, ids }, call),
  }),
  mutation({
    name: "createPayoutWithFirstAuthorization",
    successCode: 202,
    request: wire.authorizingPayoutCreation,
    answer: wire.payoutCreated,
    decide: ({ authorize, ...body }, call) => createPayout(body, call, "every", authorize),
  }),
  mutation({ ...depositRequest, name: "createDepositPathless" }),
  mutation({ ...payoutVoid, name: "voidPayoutPathless" }),
  mutation({ ...depositVoid, name: "voidDepositPathless" }),
  lookUp({
    name: "accountBalances",
    successCode: 200,
    request: wire.accountBalancesRequest,
    answer: wire.balanceResponse,
    // The interface's envelope has accountIds as an array, although the parameter is a single text.
    decide: (body, call) => accountBalances(body, call, body, "skipped"),
  }),
  lookUp({
    name: "accountsOfUser",
    successCode: 200,
    request: wire.accountsOfUserRequest,
    // Nor this answer: it repeats the request and lists each account with its currency and the user's groups.
    answer: z.looseObject({
      filters: z.looseObject({ username: text, queryDate: text }),
      accounts: z.array(z.looseObject({ accountId: uuid, currency: text, userGroupNames: z.array(text) })),
    }),
    decide: accountsOfUser,
  }),
];

export const operationNames: readonly string[] = operations.map(({ name }) => name);
