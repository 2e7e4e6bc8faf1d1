/**
 * The contract: each operation of the interface document with each status of its tables, over real HTTP. The bodies are
 * written by hand from the document, so that client and sandbox cannot share a misreading unnoticed.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningSandbox, startSandbox } from "../../src/sandbox/index.ts";
import { codeAt, MAIN, OTP_SECRET, START_MS, seed, signedHeaders } from "./trial.ts";

const UNKNOWN = "00000000-0000-4000-8000-0000000000ff";
const COSIGNED = "00000000-0000-4000-8000-0000000000f2";
const SEEDED = "00000000-0000-4000-8000-0000000000d1";
const NOW = "2026-03-02T09:00:00.000Z";

let sandbox: RunningSandbox;
beforeAll(async () => {
  const cosigners = ["ada", "ben"].map((username) => ({ userGroupName: "board", username }));
  const users = ["ada", "ben", "carl"].map((username) => ({ username, otpSecret: OTP_SECRET }));
  sandbox = await startSandbox({
    clock: () => START_MS,
    stepMs: 100,
    queryDateToleranceMs: 60_000,
    seed: {
      ...seed,
      clients: seed.clients.map((client) => ({ ...client, users: [...client.users, ...users] })),
      accounts: [...seed.accounts, { accountId: COSIGNED, openingBalance: "1", cosigners }],
      deposits: [{ depositId: SEEDED, accountId: MAIN, reference: "SEEDED" }],
      depositOutcomes: [{ reference: "FAILS", state: "CREATE_FAILED" }],
    },
  });
});
afterAll(() => sandbox.close());

let lastNonce = 0;
const fresh = () => {
  lastNonce += 1;
  return lastNonce;
};

async function post(path: string, body: string): Promise<{ status: number; body: unknown }> {
  const headers = signedHeaders("POST", path, body);
  const response = await fetch(`${sandbox.url}${path}`, { method: "POST", headers, body });
  const text = await response.text();
  return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
}

/** The document's table of the creation body, with every field. */
const payout = (changes = "", nonce = fresh()) => `{
  "username": "treasury-bot", "accountId": "${MAIN}", "nonce": ${nonce}, "reference": "CONTRACT-${nonce}",
  "customerId": "C-7", "callbackUrl": "https://pay.example.com/hook/c0ffee",
  "requestedAmount": {"currency": "BTC", "amount": 0.00012345},
  "destinationAddress": "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", "destinationAccountId": null,
  "feePolicy": "CUSTOM", "customFeeRate": 7, "otpCode": "${codeAt(START_MS)}", "verifyBalance": true,
  "subtractFee": false, "useCoinConsolidation": false, "orderCodeName": "OC-1", "generalLedgerName": "5100",
  "generalLedgerProject": "Alpha", "generalLedgerDistribution": "EU", "batchingAllowed": false${changes} }`;

const deposit = (changes = "", nonce = fresh()) => `{
  "accountId": "${MAIN}", "nonce": ${nonce}, "reference": "CONTRACT-D", "customerId": "C-7",
  "callbackUrl": "https://pay.example.com/hook/d0", "expiryDate": "2026-03-02T10:00:00.000Z",
  "requestedAmount": {"currency": "EUR", "amount": 1000.00}${changes} }`;

const authorization = (payoutId: string, username: string) =>
  `{"payoutId": "${payoutId}", "username": "${username}", "otpCode": "${codeAt(START_MS)}", "nonce": ${fresh()}}`;

async function cosignedPayout(): Promise<string> {
  const { body } = await post("/payouts/v2/create", payout(`, "accountId": "${COSIGNED}"`));
  return (body as { payoutId: string }).payoutId;
}

const UUID = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
const ERRORS = [{ error: expect.any(String), code: expect.any(String), timestamp: NOW }];
const EXPIRED = `, "expiryDate": "2026-03-02T08:00:00.000Z"`;
const WITHOUT_BODY = undefined;

const page = (content: unknown) => ({
  filters: expect.objectContaining({ queryDate: NOW }),
  results: {
    content,
    totalPages: expect.any(Number),
    totalElements: expect.any(Number),
    size: 5,
    number: 0,
    numberOfElements: expect.any(Number),
    first: true,
    last: expect.any(Boolean),
    empty: expect.any(Boolean),
    sort: [
      {
        direction: "ASC",
        nullHandling: expect.any(String),
        ascending: true,
        property: "createdDate",
        ignoreCase: false,
      },
    ],
    pageable: { offset: 0, sort: expect.any(Array), unpaged: false, paged: true, pageNumber: 0, pageSize: 5 },
  },
});
const FOUND_DEPOSIT = {
  depositId: SEEDED,
  accountId: MAIN,
  reference: "SEEDED",
  callbackUrl: expect.any(String),
  receiverAddress: expect.any(String),
  verificationSignature: expect.any(String),
  depositState: "CREATED",
  createdDate: NOW,
  creditOrderId: expect.any(String),
  creditOrderAlphanumericId: expect.any(String),
  receivedFunds: [],
};

const CREATIONS = [
  "/payouts/create",
  "/payouts/v2/create",
  "/payouts/create-and-authorize",
  "/payouts/v2/create-and-authorize",
];

type Row = [path: string, status: number, answer: unknown, body: () => string | Promise<string>];

const TABLE: Row[] = [
  [
    "/accounts/balance",
    200,
    expect.objectContaining({
      accountBalanceFiltersDto: { accountIds: [MAIN], queryDate: NOW },
      balances: [expect.objectContaining({ accountId: MAIN, btcBalance: expect.any(Object) })],
    }),
    () => `{"accountIds": ["${MAIN}"], "queryDate": "${NOW}"}`,
  ],
  ["/deposits/create", 202, { depositId: UUID }, () => deposit()],
  ["/deposits/create", 400, ERRORS, () => deposit(', "requestedAmount": {"currency": "EUR", "amount": -1}')],
  ["/deposits/create", 404, ERRORS, () => deposit(`, "accountId": "${UNKNOWN}"`)],
  ["/deposits/create", 409, [{ ...ERRORS[0], code: "CONFLICT_EXPIRED_XRATE" }], () => deposit(EXPIRED)],
  [
    "/deposits/create/sync",
    201,
    expect.objectContaining({
      depositState: "CREATED",
      requestedAmountInFiat: { currency: "EUR", amount: 1000 },
    }),
    () => deposit(),
  ],
  ["/deposits/create/sync", 400, ERRORS, () => deposit(', "callbackUrl": "not a URL"')],
  ["/deposits/create/sync", 404, ERRORS, () => deposit(`, "accountId": "${UNKNOWN}"`)],
  ["/deposits/create/sync", 409, ERRORS, () => deposit(EXPIRED)],
  ["/deposits/create/sync", 502, ERRORS, () => deposit(', "reference": "FAILS"')],
  [
    "/deposits/v2/find",
    200,
    page([FOUND_DEPOSIT]),
    () =>
      `{"queryDate": "${NOW}", "page": 0, "size": 5, "sort": {"createdDate": "ASC"}, "depositIds": ["${SEEDED}"],
        "references": ["SEEDED"], "states": ["CREATED", "EXPIRED"]}`,
  ],
  ["/deposits/v2/find", 409, ERRORS, () => '{"queryDate": "2026-03-01T09:00:00.000Z"}'],
  ["/deposits/void", 404, ERRORS, () => `{"depositId": "${UNKNOWN}", "nonce": ${fresh()}}`],
  ["/deposits/void", 202, WITHOUT_BODY, () => `{"depositId": "${SEEDED}", "nonce": ${fresh()}}`],
  ["/deposits/void", 409, ERRORS, () => `{"depositId": "${SEEDED}", "nonce": ${fresh()}}`],
  ["/payouts/authorization", 202, WITHOUT_BODY, async () => authorization(await cosignedPayout(), "ada")],
  ["/payouts/authorization", 403, ERRORS, async () => authorization(await cosignedPayout(), "carl")],
  ["/payouts/authorization", 404, ERRORS, () => authorization(UNKNOWN, "ada")],
  [
    "/payouts/authorization",
    409,
    ERRORS,
    async () => {
      const payoutId = await cosignedPayout();
      await post("/payouts/authorization", authorization(payoutId, "ada"));
      return authorization(payoutId, "ada");
    },
  ],
  ...CREATIONS.flatMap((path): Row[] => [
    [path, 202, { payoutId: UUID }, () => payout()],
    [path, 400, ERRORS, () => payout(', "requestedAmount": {"currency": "BTC", "amount": -1}')],
    [path, 400, ERRORS, () => payout(', "requestedAmount": {"currency": "EUR", "amount": 1}')],
    [path, 400, ERRORS, () => payout(', "callbackUrl": "not a URL"')],
    [path, 404, ERRORS, () => payout(`, "accountId": "${UNKNOWN}"`)],
    [path, 409, ERRORS, () => payout("", 1)],
  ]),
  [
    "/payouts/v2/find",
    200,
    page(expect.any(Array)),
    () =>
      `{"queryDate": "${NOW}", "page": 0, "size": 5, "sort": {"createdDate": "ASC"}, "payoutIds": ["${UNKNOWN}"],
        "references": ["CONTRACT-1"], "states": ["REQUESTED"]}`,
  ],
  [
    "/payouts/void",
    202,
    WITHOUT_BODY,
    async () => {
      const { body } = await post("/payouts/create", payout());
      return `{"payoutId": "${(body as { payoutId: string }).payoutId}", "nonce": ${fresh()}}`;
    },
  ],
];

describe("the contract", () => {
  test.each(TABLE)("%s answers %i", async (path, status, answer, body) => {
    expect(await post(path, await body())).toEqual({ status, body: answer });
  });

  test.each(TABLE.filter(([path]) => path.startsWith("/payouts/v") || path.startsWith("/deposits/")))(
    "%s with an invalid nonce, if it takes one, is a conflict",
    async (path, _status, _answer, body) => {
      const text = await body();
      const used = text.replace(/"nonce": \d+/, '"nonce": 1');
      if (used === text) return;
      expect((await post(path, used)).status).toBe(409);
    },
  );
});
