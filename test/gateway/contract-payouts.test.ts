/**
 * The payout operations with a path, field by field as the interface document lists them: the request that the
 * service receives, and the result read from its answer.
 */
import { describe, expect, test } from "vitest";
import { findPayouts, lookUp, type OperationName } from "../../src/gateway/index.ts";
import { Decimal } from "../../src/money/index.ts";
import { type PayoutCreation, writeJson } from "../../src/wire/index.ts";
import {
  CUSTODY_ACCOUNT_ID,
  FUNDS,
  FUNDS_READ,
  nullsBut,
  OTHER_ACCOUNT_ID,
  PAGE_READ,
  PAYOUT,
  PAYOUT_ID,
  PAYOUT_READ,
  pageOf,
  placeOf,
  without,
} from "./written-samples.ts";
import { requiredHeaders, startWrittenService } from "./written-service.ts";

const JSON_HEADERS = { "content-type": "application/json", accept: "application/json" };

const CREATIONS = [
  ["createPayout", "/payouts/create"],
  ["createPayoutV2", "/payouts/v2/create"],
  ["createAndFirstAuthorizationPayout", "/payouts/create-and-authorize"],
  ["createAndFirstAuthorizationPayoutV2", "/payouts/v2/create-and-authorize"],
] as const;

/** Every field of the table except the account destination. */
const TO_ADDRESS: PayoutCreation = {
  username: "treasury-bot",
  accountId: CUSTODY_ACCOUNT_ID,
  nonce: 9_223_372_036_854_775_807n,
  reference: 'INV-2026/0042 "Zoë" ✓',
  customerId: "C-7",
  callbackUrl: "https://pay.example.com/hook/c0ffee",
  requestedAmount: { currency: "BTC", amount: Decimal.of("0.10000000") },
  destinationAddress: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
  destinationAccountId: undefined,
  feePolicy: "CUSTOM",
  customFeeRate: 7,
  otpCode: "012345",
  verifyBalance: true,
  subtractFee: false,
  useCoinConsolidation: true,
  orderCodeName: "OC-1",
  generalLedgerName: "5100",
  generalLedgerProject: "Alpha",
  generalLedgerDistribution: "EU",
  batchingAllowed: true,
};

const TO_ADDRESS_SENT =
  '{"username":"treasury-bot","accountId":"6f1cbb7e-0000-4000-8000-000000000001","nonce":9223372036854775807,' +
  '"reference":"INV-2026/0042 \\"Zoë\\" ✓","customerId":"C-7","callbackUrl":"https://pay.example.com/hook/c0ffee",' +
  '"requestedAmount":{"currency":"BTC","amount":0.10000000},' +
  '"destinationAddress":"bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4","feePolicy":"CUSTOM","customFeeRate":7,' +
  '"otpCode":"012345","verifyBalance":true,"subtractFee":false,"useCoinConsolidation":true,"orderCodeName":"OC-1",' +
  '"generalLedgerName":"5100","generalLedgerProject":"Alpha","generalLedgerDistribution":"EU","batchingAllowed":true}';

/** The required fields only, to an account, with an amount that no binary float holds. */
const TO_ACCOUNT: PayoutCreation = {
  username: "treasury-bot",
  accountId: CUSTODY_ACCOUNT_ID,
  nonce: 1n,
  reference: "A",
  callbackUrl: "https://pay.example.com/hook/1",
  requestedAmount: { currency: "ETH", amount: Decimal.of("12345678901234567890.123456789012345678") },
  destinationAccountId: OTHER_ACCOUNT_ID,
  otpCode: "000000",
};

const TO_ACCOUNT_SENT =
  '{"username":"treasury-bot","accountId":"6f1cbb7e-0000-4000-8000-000000000001","nonce":1,"reference":"A",' +
  '"callbackUrl":"https://pay.example.com/hook/1",' +
  '"requestedAmount":{"currency":"ETH","amount":12345678901234567890.123456789012345678},' +
  '"destinationAccountId":"6f1cbb7e-0000-4000-8000-000000000002","otpCode":"000000"}';

describe.each(CREATIONS)("%s", (operation, path) => {
  test.each([
    ["every field to an address", TO_ADDRESS, TO_ADDRESS_SENT],
    ["the required fields to an account", TO_ACCOUNT, TO_ACCOUNT_SENT],
  ])("arrives with %s, byte for byte, signed over these bytes", async (_what, body, sent) => {
    const { gateway, arrivals } = await startWrittenService({
      status: 202,
      body: `{"payoutId":"${PAYOUT_ID}"}`,
    });
    await gateway.call(operation, body);
    expect(arrivals).toMatchObject([{ method: "POST", path, body: sent }]);
    for (const arrival of arrivals)
      expect(arrival.headers).toMatchObject({ ...JSON_HEADERS, ...requiredHeaders(arrival) });
  });

  test("answered 202 gives the payoutId, and keeps what else was said", async () => {
    const body = `{"payoutId":"${PAYOUT_ID.toUpperCase()}","queue":{"position":0.70}}`;
    const { gateway } = await startWrittenService({
      status: 202,
      body,
      headers: { "x-request-id": "req-1" },
    });
    const answer = await gateway.call(operation, TO_ACCOUNT);
    expect(answer).toMatchObject({
      kind: "success",
      status: 202,
      requestId: "req-1",
      body: { payoutId: PAYOUT_ID },
    });
    expect(writeJson(answer)).toContain('"queue":{"position":0.70}');
  });

  test.each([
    ["without a payoutId", '{"payout":"17"}'],
    ["with null for it", '{"payoutId":null}'],
    ["with one that is no UUID", '{"payoutId":"17"}'],
  ])("answered 202 %s is no success, and the reason names the field", async (_what, body) => {
    const { gateway } = await startWrittenService({ status: 202, body });
    expect(await gateway.call(operation, TO_ACCOUNT)).toMatchObject({
      kind: "unreadable",
      status: 202,
      reason: expect.stringMatching(placeOf("payoutId")),
    });
  });

  test("answered with two payoutIds is no success, and the reason is that nobody knows which one counts", async () => {
    const body = `{"payoutId":"${PAYOUT_ID}","payoutId":"0d5d6e8a-0000-4000-8000-000000000001"}`;
    const { gateway } = await startWrittenService({ status: 202, body });
    const reason = `an object has two members of one name: ${JSON.stringify(body)}`;
    expect(await gateway.call(operation, TO_ACCOUNT)).toMatchObject({ kind: "unreadable", reason });
  });
});

describe("authorize", () => {
  test("arrives with the members that the configuration gave, and nothing else", async () => {
    const { gateway, arrivals } = await startWrittenService({ status: 202 });
    const answer = await gateway.call("authorize", {
      paymentId: PAYOUT_ID,
      by: { username: "ada", otpCode: "012345" },
      nonce: 1_763_631_000_000_001n,
    });
    expect(arrivals).toMatchObject([
      {
        method: "POST",
        path: "/payouts/authorization",
        body: `{"paymentId":"${PAYOUT_ID}","by":{"username":"ada","otpCode":"012345"},"nonce":1763631000000001}`,
      },
    ]);
    for (const arrival of arrivals) expect(arrival.headers).toMatchObject(requiredHeaders(arrival));
    expect(answer).toEqual({ kind: "success", status: 202, body: undefined });
  });
});

describe("voidPayout", () => {
  test("arrives with payoutId and nonce, and 202 without a body is its success", async () => {
    const { gateway, arrivals } = await startWrittenService({ status: 202 });
    const answer = await gateway.call("voidPayout", { payoutId: PAYOUT_ID, nonce: 42n });
    expect(arrivals).toMatchObject([
      { method: "POST", path: "/payouts/void", body: `{"payoutId":"${PAYOUT_ID}","nonce":42}` },
    ]);
    for (const arrival of arrivals) expect(arrival.headers).toMatchObject(requiredHeaders(arrival));
    expect(answer).toEqual({ kind: "success", status: 202, body: undefined });
  });
});

test.each(["authorize", "voidPayout", "voidDeposit"] satisfies OperationName[])(
  "%s answered 200 is no success: the document says 202",
  async (operation) => {
    const { gateway } = await startWrittenService({ status: 200 });
    const body = { payoutId: PAYOUT_ID, depositId: PAYOUT_ID, nonce: 1n };
    expect(await gateway.call(operation, body)).toMatchObject({ kind: "unreadable", status: 200 });
  },
);

const FILTERS = {
  payoutIds: [PAYOUT_ID, OTHER_ACCOUNT_ID],
  references: ["INV-2026/0042", "A,B"],
  states: ["CREATED", "SENT"],
  page: 0,
  size: 200,
  sort: { createdDate: "ASC", reference: "DESC" },
};

const FILTERS_SENT =
  `{"payoutIds":["${PAYOUT_ID}","${OTHER_ACCOUNT_ID}"],"references":["INV-2026/0042","A,B"],` +
  '"states":["CREATED","SENT"],"page":0,"size":200,"sort":{"createdDate":"ASC","reference":"DESC"},' +
  '"queryDate":"2026-11-20T09:30:00.000Z"}';

async function found(...elements: string[]) {
  const body = `{"filters":${FILTERS_SENT},"results":${pageOf(...elements)}}`;
  const { gateway, clock } = await startWrittenService({ status: 200, body });
  const { payoutIds: ids, references, states } = FILTERS;
  return findPayouts(gateway, clock, { ids, references, states }, { pageSize: 200, firstPage: 0 });
}

describe("findPayoutFilteredV2", () => {
  test("arrives with every filter of its table, and queryDate in the document's pattern", async () => {
    const body = `{"filters":${FILTERS_SENT},"results":${pageOf(PAYOUT)}}`;
    const { gateway, clock, arrivals } = await startWrittenService({ status: 200, body });
    const envelope = await lookUp(gateway, clock, "findPayoutFilteredV2", FILTERS);
    expect(arrivals).toMatchObject([{ method: "POST", path: "/payouts/v2/find", body: FILTERS_SENT }]);
    for (const arrival of arrivals) expect(arrival.headers).toMatchObject(requiredHeaders(arrival));
    expect(writeJson(envelope.filters)).toBe(FILTERS_SENT);
    expect(envelope.results).toEqual({ ...PAGE_READ, content: [expect.any(Object)] });
  });

  test("gives every field of a payout, digits as sent", async () => {
    const { found: elements, complete } = await found(PAYOUT);
    expect(elements).toEqual([{ element: PAYOUT_READ, raw: PAYOUT }]);
    expect(complete).toBe(true);
  });

  test("takes sentFunds as one object and as an array, none lost", async () => {
    const two = `[${FUNDS},${FUNDS.replace("TX-77", "TX-78")}]`;
    const { found: elements } = await found(PAYOUT.replace(FUNDS, two));
    expect(elements[0]?.element.sentFunds).toEqual([FUNDS_READ, { ...FUNDS_READ, transactionId: "TX-78" }]);
  });

  test("keeps fields and states that the document does not list, as they were sent", async () => {
    const newer = PAYOUT.replace("COSIGNER_AUTHORIZATIONS_PENDING", "FROZEN")
      .replace("UNCONFIRMED", "REORGANISED")
      .replace('"amount":0.10}', '"amount":0.10,"weight":1.50E+2}')
      .replace(/}$/, ',"riskScore":0.70}');
    const { found: elements, complete } = await found(newer);
    expect(elements).toMatchObject([
      { element: { payoutState: "FROZEN", sentFunds: [{ state: "REORGANISED" }] }, raw: newer },
    ]);
    expect(writeJson(elements[0]?.element)).toContain('"riskScore":0.70');
    expect(writeJson(elements[0]?.element)).toContain('"weight":1.50E+2');
    expect(complete).toBe(true);
  });

  test("takes null for every field that a payout can do without", async () => {
    const bare = nullsBut(["payoutId", "accountId", "payoutState"], PAYOUT).replace(
      '"requestedAmount":null',
      '"requestedAmount":{"currency":"BTC","amount":1}',
    );
    const { found: elements, complete } = await found(bare);
    expect(elements[0]?.element).toEqual({
      payoutId: PAYOUT_ID,
      accountId: CUSTODY_ACCOUNT_ID,
      payoutState: "COSIGNER_AUTHORIZATIONS_PENDING",
      requestedAmount: { currency: "BTC", amount: Decimal.of("1") },
    });
    expect(complete).toBe(true);
  });

  test.each(["payoutId", "accountId", "requestedAmount", "currency", "amount", "payoutState"])(
    "without a payout's %s names what is missing and of which payout, and is no evidence of absence",
    async (member) => {
      const { found: elements, complete, problems } = await found(without(PAYOUT, member));
      expect(elements).toEqual([]);
      expect(complete).toBe(false);
      expect(problems).toMatchObject([
        { code: "SERVICE_ANSWER_UNREADABLE", message: expect.stringMatching(placeOf(member)) },
      ]);
      if (member !== "payoutId") expect(problems).toMatchObject([{ payoutId: PAYOUT_ID }]);
    },
  );

  test.each(["results", "content", "totalPages", "totalElements"])(
    "without the envelope's %s is a fault that names it",
    async (member) => {
      const body = without(`{"filters":null,"results":${pageOf(PAYOUT)}}`, member);
      const { gateway, clock } = await startWrittenService({ status: 200, body });
      await expect(lookUp(gateway, clock, "findPayoutFilteredV2", {})).rejects.toMatchObject({
        problem: { code: "SERVICE_ANSWER_UNREADABLE", message: expect.stringMatching(placeOf(member)) },
      });
    },
  );
});
