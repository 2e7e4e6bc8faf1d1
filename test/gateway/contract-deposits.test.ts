/**
 * The deposit operations with a path, field by field as the interface document lists them: the request that the
 * service receives, and the result read from its answer.
 */
import { describe, expect, test } from "vitest";
import { findDeposits, lookUp } from "../../src/gateway/index.ts";
import { Decimal } from "../../src/money/index.ts";
import { type DepositCreation, writeJson } from "../../src/wire/index.ts";
import {
  CUSTODY_ACCOUNT_ID,
  DEPOSIT,
  DEPOSIT_ID,
  DEPOSIT_READ,
  FUNDS,
  nullsBut,
  PAGE_READ,
  pageOf,
  placeOf,
  without,
} from "./written-samples.ts";
import { requiredHeaders, startWrittenService } from "./written-service.ts";

const EVERY_FIELD: DepositCreation = {
  accountId: CUSTODY_ACCOUNT_ID,
  nonce: 9_223_372_036_854_775_807n,
  reference: "ORDER-7",
  customerId: "C-7",
  callbackUrl: "https://pay.example.com/hook/d0",
  expiryDate: "2026-11-20T10:30:00.000Z",
  requestedAmount: { currency: "EUR", amount: Decimal.of("1000.00") },
};

const EVERY_FIELD_SENT =
  '{"accountId":"6f1cbb7e-0000-4000-8000-000000000001","nonce":9223372036854775807,"reference":"ORDER-7",' +
  '"customerId":"C-7","callbackUrl":"https://pay.example.com/hook/d0","expiryDate":"2026-11-20T10:30:00.000Z",' +
  '"requestedAmount":{"currency":"EUR","amount":1000.00}}';

const REQUIRED: DepositCreation = {
  accountId: CUSTODY_ACCOUNT_ID,
  nonce: 7n,
  reference: "ORDER-8",
  callbackUrl: "https://pay.example.com/hook/d1",
};

const REQUIRED_SENT =
  '{"accountId":"6f1cbb7e-0000-4000-8000-000000000001","nonce":7,"reference":"ORDER-8",' +
  '"callbackUrl":"https://pay.example.com/hook/d1"}';

const CREATIONS = [
  ["createDeposit", "/deposits/create", { status: 202, body: `{"depositId":"${DEPOSIT_ID}"}` }],
  ["createDepositSynchronously", "/deposits/create/sync", { status: 201, body: DEPOSIT }],
] as const;

describe.each(CREATIONS)("%s", (operation, path, answered) => {
  test.each([
    ["every field", EVERY_FIELD, EVERY_FIELD_SENT],
    ["the required fields", REQUIRED, REQUIRED_SENT],
  ])("arrives with %s, byte for byte, signed over these bytes", async (_what, body, sent) => {
    const { gateway, arrivals } = await startWrittenService(answered);
    await gateway.call(operation, body);
    expect(arrivals).toMatchObject([{ method: "POST", path, body: sent }]);
    for (const arrival of arrivals) expect(arrival.headers).toMatchObject(requiredHeaders(arrival));
  });

  test("without a depositId in its answer is no success, and the reason names the field", async () => {
    const body = without(answered.body, "depositId");
    const { gateway } = await startWrittenService({ ...answered, body });
    expect(await gateway.call(operation, REQUIRED)).toMatchObject({
      kind: "unreadable",
      reason: expect.stringMatching(placeOf("depositId")),
    });
  });
});

test("createDeposit answered 202 gives the depositId", async () => {
  const { gateway } = await startWrittenService({ status: 202, body: `{"depositId":"${DEPOSIT_ID}"}` });
  expect(await gateway.call("createDeposit", REQUIRED)).toEqual({
    kind: "success",
    status: 202,
    body: { depositId: DEPOSIT_ID },
  });
});

test("createDepositSynchronously answered 201 gives every field of the deposit, digits as sent", async () => {
  const { gateway } = await startWrittenService({ status: 201, body: DEPOSIT });
  expect(await gateway.call("createDepositSynchronously", EVERY_FIELD)).toEqual({
    kind: "success",
    status: 201,
    body: DEPOSIT_READ,
  });
});

test("the two creations do not take each other's success", async () => {
  const deferred = await startWrittenService({ status: 201, body: `{"depositId":"${DEPOSIT_ID}"}` });
  expect(await deferred.gateway.call("createDeposit", REQUIRED)).toMatchObject({ kind: "unreadable" });
  const direct = await startWrittenService({ status: 202, body: DEPOSIT });
  expect(await direct.gateway.call("createDepositSynchronously", REQUIRED)).toMatchObject({
    kind: "unreadable",
  });
});

describe("voidDeposit", () => {
  test("arrives with depositId and nonce, and 202 without a body is its success", async () => {
    const { gateway, arrivals } = await startWrittenService({ status: 202 });
    const answer = await gateway.call("voidDeposit", { depositId: DEPOSIT_ID, nonce: 42n });
    expect(arrivals).toMatchObject([
      { method: "POST", path: "/deposits/void", body: `{"depositId":"${DEPOSIT_ID}","nonce":42}` },
    ]);
    for (const arrival of arrivals) expect(arrival.headers).toMatchObject(requiredHeaders(arrival));
    expect(answer).toEqual({ kind: "success", status: 202, body: undefined });
  });
});

const FILTERS = {
  depositIds: [DEPOSIT_ID],
  references: ["ORDER-7", "ORDER-8"],
  states: ["RECEIVING_FUNDS", "VOID"],
  page: 3,
  size: 2_147_483_647,
  sort: { createdDate: "ASC" },
};

const FILTERS_SENT =
  `{"depositIds":["${DEPOSIT_ID}"],"references":["ORDER-7","ORDER-8"],"states":["RECEIVING_FUNDS","VOID"],` +
  '"page":3,"size":2147483647,"sort":{"createdDate":"ASC"},"queryDate":"2026-11-20T09:30:00.000+0000"}';

async function found(element: string) {
  const body = `{"filters":${FILTERS_SENT},"results":${pageOf(element)}}`;
  const { gateway, clock } = await startWrittenService({ status: 200, body });
  const { depositIds: ids, references, states } = FILTERS;
  return findDeposits(gateway, clock, { ids, references, states }, { pageSize: 200, firstPage: 0 });
}

describe("findDepositFilteredV2", () => {
  test("arrives with every filter of its table, and queryDate with an offset where the service wants one", async () => {
    const body = `{"filters":${FILTERS_SENT},"results":${pageOf(DEPOSIT)}}`;
    const { gateway, clock, arrivals } = await startWrittenService(
      { status: 200, body },
      { dateStyle: "offset" },
    );
    const envelope = await lookUp(gateway, clock, "findDepositFilteredV2", FILTERS);
    expect(arrivals).toMatchObject([{ method: "POST", path: "/deposits/v2/find", body: FILTERS_SENT }]);
    for (const arrival of arrivals) expect(arrival.headers).toMatchObject(requiredHeaders(arrival));
    expect(writeJson(envelope.filters)).toBe(FILTERS_SENT);
    expect(envelope.results).toEqual({ ...PAGE_READ, content: [expect.any(Object)] });
  });

  test("gives every field of a deposit, digits as sent", async () => {
    const { found: elements, complete } = await found(DEPOSIT);
    expect(elements).toEqual([{ element: DEPOSIT_READ, raw: DEPOSIT }]);
    expect(complete).toBe(true);
  });

  test("keeps fields and states that the document does not list, as they were sent", async () => {
    const newer = DEPOSIT.replace("RECEIVING_FUNDS", "FROZEN").replace(/}$/, ',"tier":{"level":1.0E+0}}');
    const { found: elements, complete } = await found(newer);
    expect(elements).toMatchObject([{ element: { depositState: "FROZEN" }, raw: newer }]);
    expect(writeJson(elements[0]?.element)).toContain('"tier":{"level":1.0E+0}');
    expect(complete).toBe(true);
  });

  test("takes null for every field that a deposit can do without", async () => {
    const needed = { depositId: DEPOSIT_ID, accountId: CUSTODY_ACCOUNT_ID, depositState: "RECEIVING_FUNDS" };
    const { found: elements, complete } = await found(nullsBut(Object.keys(needed), DEPOSIT));
    expect(elements[0]?.element).toEqual(needed);
    expect(complete).toBe(true);
  });

  test.each([
    "depositId",
    "accountId",
    "depositState",
    "currency",
    "amount",
    "rate",
    "fromCurrency",
    "currencyCode",
  ])(
    "without a deposit's %s names what is missing and of which deposit, and is no evidence of absence",
    async (member) => {
      const { found: elements, complete, problems } = await found(without(DEPOSIT, member));
      expect(elements).toEqual([]);
      expect(complete).toBe(false);
      expect(problems).toMatchObject([
        { code: "SERVICE_ANSWER_UNREADABLE", message: expect.stringMatching(placeOf(member)) },
      ]);
      if (member !== "depositId") expect(problems).toMatchObject([{ depositId: DEPOSIT_ID }]);
    },
  );

  test("with a number where a deposit's funds have a text names the place of it", async () => {
    const { problems } = await found(DEPOSIT.replace(FUNDS, FUNDS.replace('"TX-77"', "77")));
    expect(problems).toMatchObject([
      { message: expect.stringContaining("receivedFunds[0].transactionId"), depositId: DEPOSIT_ID },
    ]);
  });
});
