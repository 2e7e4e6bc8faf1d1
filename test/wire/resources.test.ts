/**
 * The interface's resources, from samples written by hand from the interface document: fields that may be absent, null
 * or odd.
 */
import { describe, expect, test } from "vitest";
import {
  dateTime,
  deposit,
  int64,
  integer,
  parseJson,
  payout,
  payoutSearchResponse,
  text,
  uuid,
} from "../../src/wire/index.ts";

const PAYOUT = `{
  "payoutId": "0D5D6E8A-0000-4000-8000-0000000000F1", "clientId": null, "accountId": "6f1cbb7e-0000-4000-8000-000000000001",
  "callbackUrl": null, "reference": null, "requestedAmount": { "currency": "BTC", "amount": 1.0E-8 },
  "createdDate": "2026-11-20T09:30:00.000+0100", "debitOrderAlphanumericId": null, "destinationAddress": null,
  "destinationAccountId": null, "payoutState": "CREATED", "sentFunds": null, "authorization": null, "feePolicy": null,
  "customFeeRate": null, "subtractFee": null, "useCoinConsolidation": null, "orderCodeName": null,
  "generalLedgerName": null, "generalLedgerProject": null, "generalLedgerDistribution": null, "batchingAllowed": null }`;

describe("a payout", () => {
  test("with an empty text for each id and date-time that may be absent reads like one without them", () => {
    const funds = '{ "createdDate": "", "confirmedDate": "", "confirmations": 3.0 }';
    const emptied = PAYOUT.replace('"sentFunds": null', `"sentFunds": ${funds}`)
      .replace('"authorization": null', '"authorization": { "id": "" }')
      .replace(/"(clientId|destinationAccountId)": null/g, '"$1": ""')
      .replace(/"createdDate": "2026[^"]*"/, '"createdDate": ""');
    expect(payout.parse(parseJson(emptied))).toMatchObject({
      clientId: undefined,
      destinationAccountId: undefined,
      createdDate: undefined,
      authorization: { id: undefined },
      sentFunds: [{ createdDate: undefined, confirmedDate: undefined, confirmations: 3 }],
    });
  });

  test("with a hundred thousand funds that do not fit is not read, and with as many that fit it is", () => {
    const withFunds = (funds: string) =>
      payout.safeParse(
        parseJson(PAYOUT.replace('"sentFunds": null', `"sentFunds": [${Array(100_000).fill(funds).join()}]`)),
      );
    expect(withFunds('""').error?.issues.map(({ message }) => message)).toEqual([
      "more than 100 of its elements do not fit",
    ]);
    expect(withFunds('{"txHash":"ab"}').data?.sentFunds).toHaveLength(100_000);
  });

  test.each([
    ['"amount": 1.0E-8', '"amount": "1.0E-8"'],
    ['"amount": 1.0E-8', '"amount": null'],
    ['"requestedAmount"', '"requestedSum"'],
    ['"payoutState": "CREATED"', '"payoutState": 7'],
    ["6f1cbb7e-0000-4000-8000-000000000001", "6f1cbb7e"],
    ["6f1cbb7e-0000-4000-8000-000000000001", ""],
    ['"customFeeRate": null', '"customFeeRate": 3.5'],
    ['"clientId": null', '"clientId": " "'],
    ["2026-11-20T09:30:00.000+0100", "yesterday"],
  ])("with %s as %s is not read, and nothing is put in its place", (good, bad) => {
    expect(payout.safeParse(parseJson(PAYOUT.replace(good, bad))).success).toBe(false);
  });
});

test("a deposit with nothing but its required fields is read", () => {
  const bare =
    '{"depositId":"6f1cbb7e-0000-4000-8000-0000000000d1","accountId":"6f1cbb7e-0000-4000-8000-000000000001","depositState":"REQUESTED","receivedFunds":null}';
  expect(deposit.parse(parseJson(bare)).receivedFunds).toBeUndefined();
});

test("a page is refused when its totals are no integers", () => {
  const page = (totals: string) => parseJson(`{"filters":null,"results":{"content":[],${totals}}}`);
  expect(payoutSearchResponse.safeParse(page('"totalPages":0,"totalElements":0')).success).toBe(true);
  for (const totals of [
    '"totalPages":0',
    '"totalPages":"0","totalElements":"0"',
    '"totalPages":0.5,"totalElements":1',
  ])
    expect(payoutSearchResponse.safeParse(page(totals)).success).toBe(false);
});

describe("scalars", () => {
  test.each([
    ["9223372036854775807", true],
    ["-9223372036854775808", true],
    ["9223372036854775808", false],
    ["1.0", false],
    ["1e3", false],
    ['"1"', false],
  ])("int64 takes %s: %s", (digits, taken) => {
    expect(int64.safeParse(parseJson(digits)).success).toBe(taken);
  });

  test("an integer beyond what a number holds exactly is refused", () => {
    expect(integer.parse(parseJson("9007199254740991"))).toBe(9_007_199_254_740_991);
    expect(integer.safeParse(parseJson("9007199254740993")).success).toBe(false);
  });

  test.each([
    ["2026-11-20T09:30:00.123456+05:30", "2026-11-20T04:00:00.123Z"],
    ["2026-11-20T09:30:00Z", "2026-11-20T09:30:00.000Z"],
    ["2026-11-20T09:30:00,5Z", "2026-11-20T09:30:00.500Z"],
    ["2026-11-20T09:30Z", "2026-11-20T09:30:00.000Z"],
    ["2026-11-20T09:30-03:30", "2026-11-20T13:00:00.000Z"],
    ["2026-11-20T09:30:00+02", "2026-11-20T07:30:00.000Z"],
  ])("the instant %s is %s", (written, instant) => {
    expect(dateTime.parse(written)).toBe(instant);
  });

  test.each([
    "2026-11-20",
    "2026-11-20T09:30:00",
    "2026-11-20T09:30",
    "2026-11-20T09:30.5Z",
    "2026-11-20T09Z",
    "2026-11-20T09:30:00+2",
    "2026-13-01T00:00:00Z",
    "2026-11-20T25:00:00Z",
    "1763630000",
    "",
  ])("%j is no instant", (written) => expect(dateTime.safeParse(written).success).toBe(false));

  test("a number is no text and a text is no UUID", () => {
    expect(text.safeParse(parseJson("12")).success).toBe(false);
    expect(uuid.safeParse("6f1cbb7e-0000-4000-8000-00000000000g").success).toBe(false);
  });
});
