/**
 * Each status in the interface document's section Errors, at each operation that it lists, and neighbouring
 * statuses: the failure that a caller gets for the error array.
 */
import { describe, expect, test } from "vitest";
import {
  type Condition,
  type Consequence,
  failureOf,
  lookUp,
  type OperationName,
} from "../../src/gateway/index.ts";
import { startWrittenService } from "./written-service.ts";

/** Two objects as in the document; the second lacks one of each kind of field. */
const ERRORS =
  '[{"error":"the rate has expired","code":"CONFLICT_EXPIRED_XRATE","timestamp":"2026-11-20T09:29:59.999+0000"},' +
  '{"error":"reference: too long","trace":17.50}]';

/** Common to all failures, for every operation and status. */
const TOLD = {
  serviceText: "the rate has expired (CONFLICT_EXPIRED_XRATE); reference: too long",
  serviceCode: "CONFLICT_EXPIRED_XRATE",
  timestamp: "2026-11-20T09:29:59.999+0000",
  requestId: "req-7",
};

async function failed(operation: OperationName, status: number, body = ERRORS) {
  const headers = { "content-type": "application/json", "x-request-id": "req-7" };
  const routes = {
    searchPayouts: { method: "GET", path: "/p" },
    createPayoutWithFirstAuthorization: { method: "POST", path: "/p" },
    createDepositPathless: { method: "POST", path: "/d" },
    voidDepositPathless: { method: "DELETE", path: "/d" },
  } as const;
  const { gateway, arrivals } = await startWrittenService({ status, body, headers }, { routes });
  // A service that refuses everything does not read the request, so the authorization's body may be anything.
  const answer = await gateway.call(operation, { nonce: 1n });
  expect(arrivals).toHaveLength(1);
  if (answer.kind === "success") throw new Error(`${status} was taken for a success`);
  return failureOf(operation, answer);
}

type Row = [operation: OperationName, status: number, condition: Condition, consequence: Consequence];

/** The table of section Errors, row by row. A conflict of a creation leaves it unknown whether it was done. */
const DOCUMENT: readonly Row[] = [
  ["createDeposit", 400, "parameter wrong", "refused"],
  ["createDepositSynchronously", 400, "parameter wrong", "refused"],
  ["createPayout", 400, "parameter wrong", "refused"],
  ["createPayoutV2", 400, "parameter wrong", "refused"],
  ["createAndFirstAuthorizationPayout", 400, "parameter wrong", "in doubt"],
  ["createAndFirstAuthorizationPayoutV2", 400, "parameter wrong", "in doubt"],
  ["authorize", 403, "access denied", "refused"],
  ["createDeposit", 404, "not found", "refused"],
  ["createDepositSynchronously", 404, "not found", "refused"],
  ["voidDeposit", 404, "not found", "refused"],
  ["authorize", 404, "not found", "refused"],
  ["createPayout", 404, "not found", "refused"],
  ["createPayoutV2", 404, "not found", "refused"],
  ["createAndFirstAuthorizationPayout", 404, "not found", "in doubt"],
  ["createAndFirstAuthorizationPayoutV2", 404, "not found", "in doubt"],
  ["createDeposit", 409, "conflict", "in doubt"],
  ["createDepositSynchronously", 409, "conflict", "in doubt"],
  ["findDepositFilteredV2", 409, "conflict", "nothing"],
  ["voidDeposit", 409, "conflict", "refused"],
  ["authorize", 409, "conflict", "refused"],
  ["createDepositSynchronously", 502, "deposit creation failed", "in doubt"],
];

/**
 * By section Authentication an invalid nonce gives 409 everywhere. The other statuses come from proxies in front of
 * a service.
 */
const AROUND: readonly Row[] = [
  ["createPayout", 409, "conflict", "in doubt"],
  ["createPayoutV2", 409, "conflict", "in doubt"],
  ["createAndFirstAuthorizationPayoutV2", 409, "conflict", "in doubt"],
  ["voidPayout", 404, "not found", "refused"],
  ["voidPayout", 409, "conflict", "refused"],
  ["createPayoutV2", 502, "service failed", "in doubt"],
  ["createDeposit", 502, "service failed", "in doubt"],
  ...(["createPayoutV2", "createDeposit", "voidPayout", "authorize"] as const).flatMap((operation): Row[] => [
    [operation, 401, "not authenticated", "in doubt"],
    [operation, 405, "refused", "in doubt"],
    [operation, 413, "refused", "in doubt"],
    [operation, 429, "too many requests", "in doubt"],
    [operation, 500, "service failed", "in doubt"],
    [operation, 503, "service failed", "in doubt"],
  ]),
  ["getAccountsBalance", 401, "not authenticated", "nothing"],
  ["findPayoutFilteredV2", 405, "refused", "nothing"],
  ["findPayoutFilteredV2", 413, "refused", "nothing"],
  ["getAccountsBalance", 429, "too many requests", "nothing"],
  ["findPayoutFilteredV2", 500, "service failed", "nothing"],
  ["searchPayouts", 503, "service failed", "nothing"],
  ["createPayoutWithFirstAuthorization", 400, "parameter wrong", "in doubt"],
  ["createDepositPathless", 400, "parameter wrong", "refused"],
  ["voidDepositPathless", 409, "conflict", "refused"],
];

describe.each([
  ["of the document", DOCUMENT],
  ["around the document", AROUND],
])("a status %s", (_which, table) => {
  test.each(table)(
    "%s answered %i is: %s, which leaves %s",
    async (operation, status, condition, consequence) => {
      expect(await failed(operation, status)).toEqual({
        operation,
        status,
        condition,
        consequence,
        ...TOLD,
        mayPass: [429, 500, 502, 503].includes(status),
      });
    },
  );
});

describe("an error array", () => {
  test.each([
    ['[{"error":"no"}]', "no", "refused"],
    ['[{"code":"NO"}]', "error (NO)", "refused"],
    ['[{"error":null,"code":null,"timestamp":null}]', "no reason given", "in doubt"],
    ["[{}]", "no reason given", "in doubt"],
    [`[{"error":"","code":" "}]`, "no reason given", "in doubt"],
    ['[{"error":"no"},{}]', "no", "in doubt"],
  ])(
    "%s, with fields missing, is one all the same, and refuses where it says a word",
    async (body, serviceText, consequence) => {
      const failure = await failed("createPayoutV2", 400, body);
      expect(failure).toMatchObject({ condition: "parameter wrong", consequence, serviceText });
    },
  );

  test.each([
    "[]",
    '{"error":"no","code":"NO"}',
    '["no"]',
    '[{"error":7}]',
    '[{"error":"no","payoutId":"0d5d6e8a-0000-4000-8000-000000000001"}]',
    '[{"error":"no"},{"error":"no","payoutId":"0d5d6e8a-0000-4000-8000-000000000001"}]',
    '[{"error":"no","depositId":"0d5d6e8a-0000-4000-8000-000000000001"}]',
    "",
    "<html>bad request</html>",
  ])("is not %j: such an answer refuses nothing", async (body) => {
    const failure = await failed("createPayoutV2", 400, body);
    expect(failure).toMatchObject({ condition: "unreadable", consequence: "in doubt", status: 400 });
  });
});

describe("a look-up's failure is thrown, with the failure and the problem to print", () => {
  test.each<
    ["getAccountsBalance" | "findDepositFilteredV2" | "findPayoutFilteredV2", number, string, string]
  >([
    ["findDepositFilteredV2", 409, "SERVICE_CONFLICT", "service-refused"],
    ["getAccountsBalance", 401, "SERVICE_REFUSED_KEY", "service-refused"],
    ["getAccountsBalance", 403, "SERVICE_REFUSED_KEY", "service-refused"],
    ["findPayoutFilteredV2", 400, "SERVICE_REFUSED", "service-refused"],
    ["findPayoutFilteredV2", 413, "SERVICE_REFUSED", "service-refused"],
    ["getAccountsBalance", 429, "SERVICE_BUSY", "will-retry"],
    ["findPayoutFilteredV2", 500, "SERVICE_FAILED", "will-retry"],
    ["findPayoutFilteredV2", 503, "SERVICE_FAILED", "will-retry"],
  ])("%s answered %i is %s, and then: %s", async (operation, status, code, next) => {
    const { gateway, clock } = await startWrittenService({
      status,
      body: ERRORS,
      headers: { "x-correlation-id": "req-7" },
    });
    await expect(lookUp(gateway, clock, operation, {})).rejects.toMatchObject({
      failure: { operation, status, consequence: "nothing", ...TOLD },
      problem: {
        code,
        next,
        operation,
        message: expect.stringContaining(TOLD.serviceText),
        serviceCode: TOLD.serviceCode,
        serviceTimestamp: TOLD.timestamp,
        requestId: "req-7",
      },
    });
  });
});
