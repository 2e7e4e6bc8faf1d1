/**
 * The operations without method and path in the interface document, by routes of an imagined service: the listed
 * parameters once in a body, once in a query, once in the path.
 */
import { describe, expect, test } from "vitest";
import type { Answer, Gateway, OperationName, Route } from "../../src/gateway/index.ts";
import { Decimal } from "../../src/money/index.ts";
import {
  type AuthorizingPayoutCreation,
  PATHLESS_OPERATIONS,
  type PathlessOperation,
} from "../../src/wire/index.ts";
import { CUSTODY_ACCOUNT_ID, DEPOSIT_ID, OTHER_ACCOUNT_ID, PAYOUT_ID } from "./written-samples.ts";
import { requiredHeaders, startWrittenService } from "./written-service.ts";

const SEARCH = { references: ["A,1", "B&2"], states: ["CREATED"], page: 0, size: 20 };
const SORT = ["createdDate,asc", "reference,desc", "payoutState"];
const BOTH_IDS = `${PAYOUT_ID},${OTHER_ACCOUNT_ID}`;

const SEARCH_SENT =
  '"references":["A,1","B&2"],"states":["CREATED"],"page":0,"size":20,' +
  '"sort":["createdDate,asc","reference,desc","payoutState"],"queryDate":"2026-11-20T09:30:00.000Z"}';

const SEARCH_QUERY =
  "references=A%2C1&references=B%262&states=CREATED&page=0&size=20" +
  "&sort=createdDate%2Casc&sort=reference%2Cdesc&sort=payoutState&queryDate=2026-11-20T09%3A30%3A00.000Z";

const CREATION: AuthorizingPayoutCreation = {
  authorize: true,
  username: "ada",
  otpCode: "012345",
  accountId: CUSTODY_ACCOUNT_ID,
  reference: "INV 42/ü",
  customerId: "C-7",
  callbackUrl: "https://pay.example.com/hook/c0ffee",
  requestedAmount: { currency: "ETH", amount: Decimal.of("0.000000000000000001") },
  destinationAddress: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
  destinationAccountId: undefined,
  verifyBalance: true,
  feePolicy: "CUSTOM",
  customFeeRate: 7,
  subtractFee: false,
  useCoinConsolidation: true,
  batchingAllowed: false,
  orderCodeName: "OC-1",
  generalLedgerName: "5100",
  generalLedgerProject: "Alpha",
  generalLedgerDistribution: "EU",
  nonce: 9_223_372_036_854_775_807n,
};

const CREATION_REST_SENT =
  '"customerId":"C-7","callbackUrl":"https://pay.example.com/hook/c0ffee",' +
  '"requestedAmount":{"currency":"ETH","amount":0.000000000000000001},' +
  '"destinationAddress":"0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed","verifyBalance":true,"feePolicy":"CUSTOM",' +
  '"customFeeRate":7,"subtractFee":false,"useCoinConsolidation":true,"batchingAllowed":false,"orderCodeName":"OC-1",' +
  '"generalLedgerName":"5100","generalLedgerProject":"Alpha","generalLedgerDistribution":"EU","nonce":9223372036854775807}';

const DEPOSIT_CREATION = {
  accountId: CUSTODY_ACCOUNT_ID,
  nonce: 7n,
  reference: "ORDER-7",
  customerId: "C-7",
  callbackUrl: "https://pay.example.com/hook/d0",
  expiryDate: "2026-11-20T10:30:00.000Z",
  requestedAmount: { currency: "EUR", amount: Decimal.of("1000.00") },
};

const DEPOSIT_REST_SENT =
  '"customerId":"C-7","callbackUrl":"https://pay.example.com/hook/d0","expiryDate":"2026-11-20T10:30:00.000Z",' +
  '"requestedAmount":{"currency":"EUR","amount":1000.00}}';

const NOW_QUERY = "queryDate=2026-11-20T09%3A30%3A00.000Z";
const NOW_SENT = '"queryDate":"2026-11-20T09:30:00.000Z"';

type Call = (gateway: Gateway) => Promise<Answer<OperationName>>;

const searchPayouts: Call = (gateway) =>
  gateway.call("searchPayouts", { payoutIds: BOTH_IDS, ...SEARCH, sort: SORT });
const searchDeposits: Call = (gateway) =>
  gateway.call("searchDeposits", { depositIds: DEPOSIT_ID, ...SEARCH, sort: SORT });
const createPayout: Call = (gateway) => gateway.call("createPayoutWithFirstAuthorization", CREATION);
const createDeposit: Call = (gateway) => gateway.call("createDepositPathless", DEPOSIT_CREATION);
const voidPayout: Call = (gateway) => gateway.call("voidPayoutPathless", { payoutId: PAYOUT_ID, nonce: 7n });
const voidDeposit: Call = (gateway) =>
  gateway.call("voidDepositPathless", { depositId: DEPOSIT_ID, nonce: 9_223_372_036_854_775_807n });
const balances: Call = (gateway) =>
  gateway.call("accountBalances", { accountIds: `${CUSTODY_ACCOUNT_ID},${OTHER_ACCOUNT_ID}` });
const accountsOfUser: Call = (gateway) => gateway.call("accountsOfUser", { username: "ada/ü & co" });

const IDS = `${CUSTODY_ACCOUNT_ID}%2C${OTHER_ACCOUNT_ID}`;

interface Row {
  readonly call: Call;
  /** "METHOD PATH" as configured, and as it arrives. */
  readonly route: string;
  readonly arrival: string;
  readonly body: string;
}

const BY_ROUTE: Readonly<Record<PathlessOperation, readonly Row[]>> = {
  searchPayouts: [
    {
      call: searchPayouts,
      route: "POST /p/search",
      arrival: "POST /p/search",
      body: `{"payoutIds":"${BOTH_IDS}",${SEARCH_SENT}`,
    },
    {
      call: searchPayouts,
      route: "GET /p",
      arrival: `GET /p?payoutIds=${PAYOUT_ID}%2C${OTHER_ACCOUNT_ID}&${SEARCH_QUERY}`,
      body: "",
    },
  ],
  searchDeposits: [
    {
      call: searchDeposits,
      route: "POST /d/search",
      arrival: "POST /d/search",
      body: `{"depositIds":"${DEPOSIT_ID}",${SEARCH_SENT}`,
    },
    {
      call: searchDeposits,
      route: "GET /d",
      arrival: `GET /d?depositIds=${DEPOSIT_ID}&${SEARCH_QUERY}`,
      body: "",
    },
  ],
  createPayoutWithFirstAuthorization: [
    {
      call: createPayout,
      route: "POST /p",
      arrival: "POST /p",
      body: `{"authorize":true,"username":"ada","otpCode":"012345","accountId":"${CUSTODY_ACCOUNT_ID}","reference":"INV 42/ü",${CREATION_REST_SENT}`,
    },
    {
      call: createPayout,
      route: "PUT /a/{accountId}/p/{reference}",
      arrival: `PUT /a/${CUSTODY_ACCOUNT_ID}/p/INV%2042%2F%C3%BC`,
      body: `{"authorize":true,"username":"ada","otpCode":"012345",${CREATION_REST_SENT}`,
    },
  ],
  createDepositPathless: [
    {
      call: createDeposit,
      route: "POST /d",
      arrival: "POST /d",
      body: `{"accountId":"${CUSTODY_ACCOUNT_ID}","nonce":7,"reference":"ORDER-7",${DEPOSIT_REST_SENT}`,
    },
    {
      call: createDeposit,
      route: "PATCH /a/{accountId}/d",
      arrival: `PATCH /a/${CUSTODY_ACCOUNT_ID}/d`,
      body: `{"nonce":7,"reference":"ORDER-7",${DEPOSIT_REST_SENT}`,
    },
  ],
  voidPayoutPathless: [
    {
      call: voidPayout,
      route: "POST /p/void",
      arrival: "POST /p/void",
      body: `{"payoutId":"${PAYOUT_ID}","nonce":7}`,
    },
    { call: voidPayout, route: "DELETE /p/{payoutId}", arrival: `DELETE /p/${PAYOUT_ID}?nonce=7`, body: "" },
  ],
  voidDepositPathless: [
    {
      call: voidDeposit,
      route: "PUT /d/{depositId}/void",
      arrival: `PUT /d/${DEPOSIT_ID}/void`,
      body: '{"nonce":9223372036854775807}',
    },
    {
      call: voidDeposit,
      route: "DELETE /d",
      arrival: `DELETE /d?depositId=${DEPOSIT_ID}&nonce=9223372036854775807`,
      body: "",
    },
  ],
  accountBalances: [
    {
      call: balances,
      route: "POST /b",
      arrival: "POST /b",
      body: `{"accountIds":"${CUSTODY_ACCOUNT_ID},${OTHER_ACCOUNT_ID}",${NOW_SENT}}`,
    },
    { call: balances, route: "GET /b", arrival: `GET /b?accountIds=${IDS}&${NOW_QUERY}`, body: "" },
    { call: balances, route: "GET /a/{accountIds}/b", arrival: `GET /a/${IDS}/b?${NOW_QUERY}`, body: "" },
  ],
  accountsOfUser: [
    {
      call: accountsOfUser,
      route: "POST /u/a",
      arrival: "POST /u/a",
      body: `{"username":"ada/ü & co",${NOW_SENT}}`,
    },
    {
      call: accountsOfUser,
      route: "GET /a",
      arrival: `GET /a?username=ada%2F%C3%BC+%26+co&${NOW_QUERY}`,
      body: "",
    },
    {
      call: accountsOfUser,
      route: "GET /u/{username}/a",
      arrival: `GET /u/ada%2F%C3%BC%20%26%20co/a?${NOW_QUERY}`,
      body: "",
    },
  ],
};

describe.each(PATHLESS_OPERATIONS)("%s", (operation) => {
  test.each(BY_ROUTE[operation])(
    "by $route arrives with what the document lists, signed over what arrives",
    async ({ call, route, arrival, body }) => {
      const [method = "", path = ""] = route.split(" ");
      const { gateway, arrivals } = await startWrittenService(
        { status: 200, body: "{}" },
        { routes: { [operation]: { method: method as Route["method"], path } } },
      );
      await call(gateway);
      expect(arrivals.map((one) => `${one.method} ${one.path}`)).toEqual([arrival]);
      for (const one of arrivals) {
        expect(one.body).toBe(body);
        expect(one.headers).toMatchObject({ accept: "application/json", ...requiredHeaders(one) });
        expect(one.headers["content-type"]).toBe(body === "" ? undefined : "application/json");
      }
    },
  );
});

test("a creation that does not authorize leaves without a one-time code", async () => {
  const { gateway, arrivals } = await startWrittenService(
    { status: 200, body: `{"payoutId":"${PAYOUT_ID}"}` },
    { routes: { createPayoutWithFirstAuthorization: { method: "POST", path: "/p" } } },
  );
  const body = { ...CREATION, authorize: false, otpCode: undefined };
  await gateway.call("createPayoutWithFirstAuthorization", body);
  expect(arrivals[0]?.body).toMatch(/^\{"authorize":false,"username":"ada","accountId":/);
  expect(arrivals[0]?.body).not.toContain("otpCode");
});
