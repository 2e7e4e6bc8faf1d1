/**
 * The contract of routes with GET and DELETE, over real HTTP: the parameters that the interface document lists for the
 * operations without a path, written into addresses by hand, and the answers that its tables promise.
 */
import { createHmac } from "node:crypto";
import { request } from "undici";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RouteChanges, type RunningSandbox, startSandbox } from "../../src/sandbox/index.ts";
import { codeAt, KEY, MAIN, PAYEE, SAVINGS, SECRET, START_MS, seed } from "./trial.ts";

const ROUTES: RouteChanges = {
  searchPayouts: { method: "GET", path: "/api/payouts" },
  searchDeposits: { method: "GET", path: "/api/deposits" },
  createPayoutWithFirstAuthorization: { method: "POST", path: "/api/accounts/{accountId}/payouts" },
  createDepositPathless: { method: "PUT", path: "/api/deposits" },
  voidPayoutPathless: { method: "GET", path: "/api/payouts/{payoutId}/void" },
  voidDepositPathless: { method: "DELETE", path: "/api/deposits/{depositId}" },
  accountBalances: { method: "GET", path: "/api/balances" },
  accountsOfUser: { method: "GET", path: "/api/users/{username}/accounts" },
};

const NOW = "2026-03-02T09:00:00.000Z";
const UNKNOWN = "00000000-0000-4000-8000-0000000000ff";
const D1 = "00000000-0000-4000-8000-0000000000d1";
const D2 = "00000000-0000-4000-8000-0000000000d2";

let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await startSandbox({
    clock: () => START_MS,
    stepMs: 60_000,
    queryDateToleranceMs: 60_000,
    routes: ROUTES,
    seed: {
      ...seed,
      accounts: seed.accounts.map((account) => ({
        ...account,
        cosigners: [{ userGroupName: "board", username: "ada lovelace" }],
      })),
      deposits: [
        { depositId: D1, accountId: MAIN, reference: "D-1 & more" },
        { depositId: D2, accountId: MAIN, reference: "Überweisung" },
      ],
    },
  });
});
afterAll(() => sandbox.close());

interface Answered {
  readonly statusCode: number;
  readonly text: string;
  readonly body: unknown;
}

/** Signs by the written scheme over method, path with query, and the body's bytes, independently of the client. */
async function call(
  method: "GET" | "DELETE" | "POST" | "PUT",
  address: string,
  body = "",
): Promise<Answered> {
  const signature = createHmac("sha256", SECRET).update(`${method}\n${address}\n${body}`).digest("hex");
  const answer = await request(`${sandbox.url}${address}`, {
    method,
    headers: { key: KEY, signature },
    ...(body === "" ? {} : { body }),
  });
  const text = await answer.body.text();
  return { statusCode: answer.statusCode, text, body: text === "" ? undefined : JSON.parse(text) };
}

interface Found {
  readonly filters: unknown;
  readonly results: { readonly content: readonly Readonly<Record<string, unknown>>[] };
}

async function references(address: string): Promise<unknown[]> {
  const { statusCode, body } = await call("GET", address);
  expect(statusCode).toBe(200);
  return (body as Found).results.content.map((one) => one["reference"]);
}

let lastNonce = 0;
const fresh = () => {
  lastNonce += 1;
  return lastNonce;
};

/** "Create a payout with first authorization", with its accountId in the path. */
const payout = (reference: string, changes = "") => `{
  "username": "treasury-bot", "nonce": ${fresh()}, "reference": "${reference}",
  "callbackUrl": "https://pay.example.com/hook/c0ffee", "authorize": true, "otpCode": "${codeAt(START_MS)}",
  "requestedAmount": {"currency": "BTC", "amount": 0.00012345},
  "destinationAddress": "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"${changes} }`;

async function created(reference: string): Promise<string> {
  const { statusCode, body } = await call("POST", `/api/accounts/${MAIN}/payouts`, payout(reference));
  expect(statusCode).toBe(202);
  return (body as { payoutId: string }).payoutId;
}

describe("Search deposits in pages", () => {
  const SEARCH = `/api/deposits?queryDate=${NOW}`;

  test("answers the envelope, and echoes the filters as a body would have said them", async () => {
    const { statusCode, text, body } = await call(
      "GET",
      `${SEARCH}&page=0&size=20&sort=createdDate,desc&states=CREATED`,
    );
    expect(statusCode).toBe(200);
    expect(text).toContain(
      `"filters":{"queryDate":"${NOW}","page":0,"size":20,"sort":["createdDate,desc"],"states":["CREATED"]}`,
    );
    expect(body).toMatchObject({
      results: {
        totalPages: 1,
        totalElements: 2,
        size: 20,
        number: 0,
        numberOfElements: 2,
        first: true,
        last: true,
        empty: false,
        sort: [{ direction: "DESC", property: "createdDate" }],
        pageable: { offset: 0, pageNumber: 0, pageSize: 20, paged: true },
      },
    });
  });

  test("takes the ids as one text, and references and states each by a repeated name", async () => {
    expect(await references(`${SEARCH}&depositIds=${D2},${UNKNOWN}`)).toEqual(["Überweisung"]);
    expect(await references(`${SEARCH}&references=D-1%20%26%20more&references=nothing`)).toEqual([
      "D-1 & more",
    ]);
    expect(await references(`${SEARCH}&references=%C3%9Cberweisung&states=CREATED&states=VOID`)).toEqual([
      "Überweisung",
    ]);
    expect(await references(`${SEARCH}&references=D-1+%26+more`)).toEqual(["D-1 & more"]);
  });

  test("a comma in a reference does not divide it", async () => {
    expect(await references(`${SEARCH}&references=nothing,D-1%20%26%20more`)).toEqual([]);
  });

  test("sorts by several criteria and pages from 0", async () => {
    expect(await references(`${SEARCH}&sort=createdDate&sort=reference,desc`)).toEqual([
      "Überweisung",
      "D-1 & more",
    ]);
    expect(await references(`${SEARCH}&sort=createdDate,asc&sort=reference&page=1&size=1`)).toEqual([
      "Überweisung",
    ]);
  });

  test.each([
    ["without queryDate", "/api/deposits", "queryDate"],
    [
      "for a queryDate whose + was not encoded",
      "/api/deposits?queryDate=2026-03-02T09:00:00.000+0000",
      "date-time",
    ],
    ["for a page that is no number", `${SEARCH}&page=first`, "page: expected an integer"],
    ["for a page with a leading zero", `${SEARCH}&page=01`, "page: expected an integer"],
    ["for an empty page", `${SEARCH}&page=`, "page: expected an integer"],
    ["for a page below zero", `${SEARCH}&page=-1`, "page"],
    ["for a broken number", `${SEARCH}&size=1.5`, "size"],
    ["for a size of zero", `${SEARCH}&size=0`, "size"],
    ["for a page sent twice", `${SEARCH}&page=0&page=1`, "page: expected once"],
    [
      "for ids by a repeated name",
      `${SEARCH}&depositIds=${D1}&depositIds=${D2}`,
      "depositIds: expected once",
    ],
    ["for an id that is none", `${SEARCH}&depositIds=1`, "depositIds"],
    [
      "for references that repeat",
      `${SEARCH}&references=A&references=A`,
      "references: expected unique items",
    ],
    ["for an unknown state", `${SEARCH}&states=GONE`, "states"],
    ["for an unknown direction", `${SEARCH}&sort=createdDate,up`, "sort"],
    ["for a text that poses as a number", `/api/deposits?queryDate=%000`, "NUL"],
    ["for bytes that are no UTF-8", `${SEARCH}&references=%ff`, "UTF-8"],
  ])("answers 400 %s", async (_what, address, says) => {
    const answer = await call("GET", address);
    expect(answer).toMatchObject({
      statusCode: 400,
      body: [{ error: expect.any(String), code: expect.any(String), timestamp: NOW }],
    });
    expect(answer.text).toContain(says);
  });

  test("a stale queryDate is a 409", async () => {
    expect((await call("GET", "/api/deposits?queryDate=2026-03-01T09:00:00.000Z")).statusCode).toBe(409);
  });

  test("an unknown parameter changes nothing and comes back in the echo", async () => {
    const { statusCode, body } = await call("GET", `${SEARCH}&size=1&colour=red&colour=blue&__proto__=x`);
    expect(statusCode).toBe(200);
    expect(body).toMatchObject({ filters: { size: 1, colour: ["red", "blue"] } });
  });
});

test("Search payouts in pages: by ids, references and states", async () => {
  const ids = [await created("S-1"), await created("S-2"), await created("S-3")];
  const search = `/api/payouts?queryDate=${NOW}&references=S-1&references=S-2&references=S-3`;
  expect(await references(`${search}&sort=reference,desc`)).toEqual(["S-3", "S-2", "S-1"]);
  expect(await references(`${search}&payoutIds=${ids[0]}%2C${ids[2]}&sort=reference`)).toEqual([
    "S-1",
    "S-3",
  ]);
  expect(await references(`${search}&states=COMPLETED`)).toEqual([]);
});

describe("Create a payout with first authorization, its accountId in the path", () => {
  test("keeps every digit of the amount and of the nonce", async () => {
    const body = payout("C-1").replace(/"nonce": \d+/, '"nonce": 9223372036854775807');
    expect(await call("POST", `/api/accounts/${MAIN}/payouts`, body)).toMatchObject({
      statusCode: 202,
      body: { payoutId: expect.any(String) },
    });
    const [creation] = sandbox.creations().slice(-1);
    expect(creation).toMatchObject({ nonce: 9223372036854775807n, reference: "C-1" });
    const found = await call("GET", `/api/payouts?queryDate=${NOW}&references=C-1`);
    expect(found.text).toContain('"requestedAmount":{"currency":"BTC","amount":0.00012345}');
    expect(found.text).toContain(`"accountId":"${MAIN}"`);
  });

  test("takes the accountId in the body too where it is the same, and refuses another", async () => {
    const send = (accountId: string) =>
      call("POST", `/api/accounts/${MAIN}/payouts`, payout("C-2", `, "accountId": "${accountId}"`));
    expect((await send(MAIN)).statusCode).toBe(202);
    expect(await send(SAVINGS)).toMatchObject({
      statusCode: 400,
      body: [{ error: "accountId: the path has another one" }],
    });
    expect((await call("POST", `/api/accounts/${MAIN}/payouts`, "{")).body).toMatchObject([
      { code: "BODY_NOT_JSON" },
    ]);
    expect((await call("POST", `/api/accounts/${MAIN}/payouts`, "[]")).statusCode).toBe(400);
    expect((await call("POST", `/api/accounts/${UNKNOWN}/payouts`, payout("C-3"))).statusCode).toBe(404);
  });
});

test("Create a deposit stays with its body, beside a search at the same path", async () => {
  const body = `{"accountId": "${MAIN}", "nonce": ${fresh()}, "reference": "D-9", "callbackUrl": "https://pay.example.com/d"}`;
  expect(await call("PUT", "/api/deposits", body)).toMatchObject({
    statusCode: 202,
    body: { depositId: expect.any(String) },
  });
  expect((await call("POST", "/api/deposits", body)).statusCode).toBe(405);
});

describe("Void a payout by GET", () => {
  test("takes the payoutId from the path and the nonce from the query", async () => {
    const payoutId = await created("V-1");
    expect(await call("GET", `/api/payouts/${payoutId}/void?nonce=${fresh()}`)).toMatchObject({
      statusCode: 202,
      text: "",
    });
    const search = `/api/payouts?queryDate=${NOW}&payoutIds=${payoutId}`;
    expect(((await call("GET", search)).body as Found).results.content).toMatchObject([
      { payoutState: "CANCELLED" },
    ]);
  });

  test("an int64 nonce is read to its last digit, and used once", async () => {
    const payoutId = await created("V-2");
    const address = `/api/payouts/${payoutId}/void?nonce=9223372036854775806`;
    expect((await call("GET", address)).statusCode).toBe(202);
    expect((await call("GET", address)).statusCode).toBe(409);
    expect((await call("GET", address.replace(/6$/, "8"))).statusCode).toBe(400);
  });

  test("refuses what is missing, unknown, or said twice differently", async () => {
    const payoutId = await created("V-3");
    const statusOf = async (address: string) => (await call("GET", address)).statusCode;
    expect(await statusOf(`/api/payouts/${payoutId}/void`)).toBe(400);
    expect(await statusOf(`/api/payouts/1/void?nonce=${fresh()}`)).toBe(400);
    expect(await statusOf(`/api/payouts//void?nonce=${fresh()}`)).toBe(404);
    expect(await statusOf(`/api/payouts/${UNKNOWN}/void?nonce=${fresh()}`)).toBe(404);
    expect(await statusOf(`/api/payouts/${payoutId}/void?nonce=${fresh()}&payoutId=${UNKNOWN}`)).toBe(400);
    expect(await statusOf(`/api/payouts/${payoutId}/void?nonce=${fresh()}&payoutId=${payoutId}`)).toBe(202);
  });
});

test("Void a deposit by DELETE", async () => {
  const address = `/api/deposits/${D1}?nonce=${fresh()}`;
  expect(await call("DELETE", address)).toMatchObject({ statusCode: 202, text: "" });
  expect(await references(`/api/deposits?queryDate=${NOW}&states=VOID`)).toEqual(["D-1 & more"]);
  expect(await call("DELETE", `/api/deposits/${D1}`, `{"nonce": ${fresh()}}`)).toMatchObject({
    statusCode: 400,
    body: [{ error: "the body: expected none, the parameters are in the query" }],
  });
});

test("Account balances: the ids as one text, unknown accounts skipped", async () => {
  const address = `/api/balances?accountIds=${MAIN},${UNKNOWN},${PAYEE}&queryDate=${NOW}`;
  expect(await call("GET", address)).toMatchObject({
    statusCode: 200,
    body: {
      accountBalanceFiltersDto: { accountIds: [MAIN, UNKNOWN, PAYEE], queryDate: NOW },
      balances: [{ accountId: MAIN, fiatBalance: { total: { currency: "EUR" } } }],
    },
  });
});

test("Accounts of a user: the name percent-encoded in the path", async () => {
  expect(await call("GET", `/api/users/ada%20lovelace/accounts?queryDate=${NOW}`)).toMatchObject({
    statusCode: 200,
    body: { filters: { username: "ada lovelace", queryDate: NOW } },
  });
  const { body } = await call("GET", `/api/users/nobody/accounts?queryDate=${NOW}`);
  expect(body).toMatchObject({ accounts: [] });
});

describe("the signature", () => {
  test("covers the query: another one needs another signature", async () => {
    const sent = `/api/deposits?queryDate=${NOW}`;
    const signature = createHmac("sha256", SECRET).update(`GET\n${sent}\n`).digest("hex");
    const statusOf = async (address: string) =>
      (await request(`${sandbox.url}${address}`, { headers: { key: KEY, signature } })).statusCode;
    expect(await statusOf(sent)).toBe(200);
    expect(await statusOf(`${sent}&size=1`)).toBe(401);
    expect(await statusOf("/api/deposits")).toBe(401);
  });

  test("is what the written scheme says (a fixed vector)", async () => {
    // printf 'GET\n/api/deposits?queryDate=2026-03-02T09:00:00.000Z\n' | openssl dgst -sha256 -hmac trial-secret
    const headers = {
      key: KEY,
      signature: "96d47b7d9a9935a79ed261cf749939a4d5d61c032ecdce1d07a991216ea3d34f",
    };
    const { statusCode } = await request(`${sandbox.url}/api/deposits?queryDate=${NOW}`, { headers });
    expect(statusCode).toBe(200);
  });
});

test("the requests count under their operations' names", () => {
  const names = new Set(sandbox.arrivals().map(({ operation }) => operation));
  expect([...names]).toEqual(expect.arrayContaining([...Object.keys(ROUTES), undefined]));
});
