/** The eight operations without a path in the interface, under the sandbox's own routes and under others. */
import { describe, expect, test } from "vitest";
import type { RouteChanges } from "../../src/sandbox/index.ts";
import { codeAt, creationText, MAIN, PAYEE, QUERY_DATE, START_MS, seed, type Trial, trial } from "./trial.ts";

const CREATE = "/pathless/payouts/create";
const ETHER = "00000000-0000-4000-8000-0000000000e1";
const LITE = "00000000-0000-4000-8000-0000000000e2";
const ETH_ADDRESS = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"; // EIP-55's own example
const LTC_ADDRESS = "ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9"; // the witness program of BIP 173's example

const manyCoins = {
  ...seed,
  accounts: [
    ...seed.accounts,
    { accountId: ETHER, currency: "ETH", openingBalance: "5" },
    { accountId: LITE, currency: "LTC", openingBalance: "5" },
  ],
};

interface Found {
  readonly results: { readonly content: readonly Record<string, unknown>[]; readonly size: number };
}

function search(one: Trial, filters: string, path = "/pathless/payouts/search") {
  const answer = one.call(path, `{${QUERY_DATE}${filters}}`);
  return { ...answer, ...(answer.body as Found) };
}

function references(one: Trial, filters: string): unknown[] {
  return search(one, filters).results.content.map((payout) => payout["reference"]);
}

function withPayouts(names: readonly string[]): Trial {
  const one = trial({ stepMs: 1000 });
  for (const name of names) {
    one.call(CREATE, creationText({ reference: `"${name}"`, otpCode: undefined }));
    one.pass(1);
  }
  return one;
}

describe("searching payouts in pages", () => {
  test("takes the ids as one text, states and references as lists, and answers the envelope", () => {
    const one = withPayouts(["A", "B", "C"]);
    const [a, b] = search(one, "").results.content;
    expect(references(one, `,"payoutIds":"${a?.["payoutId"]}, ${b?.["payoutId"]}"`)).toEqual(["A", "B"]);
    expect(references(one, ',"references":["C"],"states":["REQUESTED"]')).toEqual(["C"]);
    const filters = `{${QUERY_DATE},"page":1,"size":2}`;
    expect(one.call("/pathless/payouts/search", filters)).toMatchObject({
      statusCode: 200,
      body: {
        filters: JSON.parse(filters),
        results: { number: 1, size: 2, totalElements: 3, numberOfElements: 1, last: true },
      },
    });
  });

  test("counts pages from 0 and 20 to a page, also where the other searches count from 1", () => {
    const one = trial({ firstPage: 1, pageSizeDefault: 5 });
    one.call(CREATE, creationText());
    expect(search(one, "").results).toMatchObject({ number: 0, size: 20, first: true, numberOfElements: 1 });
  });

  test("sorts by property,(asc|desc), ascending without a direction, by several criteria", () => {
    const one = withPayouts(["B", "A", "C"]);
    expect(references(one, ',"sort":["reference"]')).toEqual(["A", "B", "C"]);
    expect(references(one, ',"sort":["reference,desc"]')).toEqual(["C", "B", "A"]);
    expect(references(one, ',"sort":["payoutState,ASC","reference,DESC"]')).toEqual(["C", "B", "A"]);
  });

  test.each([
    ["a list where a text is listed", `,"payoutIds":["${MAIN}"]`],
    ["an id that is none", ',"payoutIds":"1"'],
    ["ids that repeat", `,"payoutIds":"${MAIN},${MAIN}"`],
    ["a page below zero", ',"page":-1'],
    ["a size of zero", ',"size":0'],
    ["a sort map", ',"sort":{"reference":"ASC"}'],
    ["an unknown direction", ',"sort":["reference,up"]'],
    ["an unknown property", ',"sort":["amount"]'],
  ])("refuses %s with 400", (_what, filters) => {
    expect(search(trial(), filters).statusCode).toBe(400);
  });
});

test("deposits are created, searched and voided without a path as with one", () => {
  const one = trial();
  const body = `{"accountId":"${MAIN}","nonce":1,"reference":"D-1","callbackUrl":"https://pay.example.com/d"}`;
  const created = one.call("/pathless/deposits/create", body);
  expect(created).toMatchObject({ statusCode: 202, body: { depositId: expect.any(String) } });
  const { depositId } = created.body as { depositId: string };
  const filters = `,"depositIds":"${depositId}","sort":["createdDate,desc"]`;
  expect(search(one, filters, "/pathless/deposits/search").results.content).toMatchObject([
    { reference: "D-1", depositState: "REQUESTED" },
  ]);
  const voided = one.call("/pathless/deposits/void", `{"depositId":"${depositId}","nonce":2}`);
  expect(voided).toMatchObject({ statusCode: 202, text: "" });
  expect(one.call("/pathless/deposits/void", `{"depositId":"${MAIN}","nonce":3}`).statusCode).toBe(404);
});

test("a payout is voided without a path as with one", () => {
  const one = trial();
  const { payoutId } = one.call(CREATE, creationText()).body as { payoutId: string };
  expect(one.call("/pathless/payouts/void", `{"payoutId":"${payoutId}","nonce":1}`).statusCode).toBe(202);
  expect(search(one, "").results.content).toMatchObject([{ payoutState: "CANCELLED" }]);
});

describe("creating a payout with first authorization", () => {
  test("needs the one-time code only when authorize is true, and checks one that is sent", () => {
    const { call } = trial();
    const status = (changes: Record<string, unknown>) => call(CREATE, creationText(changes)).statusCode;
    expect(status({ otpCode: undefined })).toBe(202);
    expect(status({ otpCode: undefined, authorize: "false" })).toBe(202);
    expect(status({ authorize: "true", otpCode: `"${codeAt(START_MS)}"` })).toBe(202);
    expect(status({ otpCode: '"000000"' })).toBe(400);
    expect(call(CREATE, creationText({ otpCode: undefined, authorize: "true" }))).toMatchObject({
      statusCode: 400,
      body: [{ error: expect.stringContaining("otpCode"), code: "INVALID_PARAMETER" }],
    });
  });

  test.each([
    ["true", "AUTHORIZED"],
    ["false", "PENDING"],
  ])("with authorize %s leaves the creating cosigner %s", (authorize, state) => {
    const cosigners = [
      { userGroupName: "board", username: "treasury-bot" },
      { userGroupName: "board", username: "ben" },
    ];
    const one = trial({
      seed: { ...seed, accounts: [{ accountId: MAIN, openingBalance: "2", cosigners }] },
    });
    one.call(CREATE, creationText({ authorize }));
    expect(search(one, "").results.content).toMatchObject([
      { authorization: { cosignerAuthorizations: [{ state }, { state: "PENDING" }] } },
    ]);
  });

  const ether = (changes: Record<string, unknown> = {}) =>
    creationText({
      accountId: `"${ETHER}"`,
      requestedAmount: '{"currency":"ETH","amount":0.123456789012345678}',
      destinationAddress: `"${ETH_ADDRESS}"`,
      ...changes,
    });
  const lite = (destinationAddress: string) =>
    creationText({
      accountId: `"${LITE}"`,
      requestedAmount: '{"currency":"LTC","amount":0.00000001}',
      destinationAddress: `"${destinationAddress}"`,
    });

  test("pays ether to the last of eighteen decimals, and its fee in gas", () => {
    const one = trial({ seed: manyCoins });
    expect(one.call(CREATE, ether()).statusCode).toBe(202);
    one.pass(60_000);
    const { text } = search(one, "");
    expect(text).toContain('"amount":{"currency":"ETH","amount":0.123456789012345678}');
    expect(text).toContain('"fee":{"currency":"ETH","amount":0.000420000000000000}'); // 21000 gas at 20 gwei
    expect(one.sandbox.balanceOf(ETHER)?.confirmed.toString()).toBe("4.876123210987654322");
  });

  test.each([
    ["ltc1", LTC_ADDRESS],
    ["L", "LM2WMpR1Rp6j3Sa59cMXMs1SPzj9eXpGc1"],
    ["M", "MTf4tP1TCNBn8dNkyxeBVoPrFCcVzxJvvh"],
    ["3", "3EktnHQD7RiAE6uzMj2ZifT9YgRrkSgzQX"],
  ])("pays litecoin to an address that begins with %s", (_prefix, address) => {
    expect(trial({ seed: manyCoins }).call(CREATE, lite(address)).statusCode).toBe(202);
  });

  test.each<[string, string]>([
    ["nineteen decimals", ether({ requestedAmount: '{"currency":"ETH","amount":0.0000000000000000001}' })],
    ["a wrong EIP-55 checksum", ether({ destinationAddress: `"${ETH_ADDRESS.replace("5aA", "5AA")}"` })],
    ["a Bitcoin address for ether", ether({ destinationAddress: '"1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2"' })],
    ["an Ethereum address for bitcoin", creationText({ destinationAddress: `"${ETH_ADDRESS}"` })],
    ["a Bitcoin address for litecoin", lite("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4")],
    ["customFeeRate on an Ethereum account", ether({ feePolicy: '"CUSTOM"', customFeeRate: "5" })],
    ["subtractFee on an Ethereum account", ether({ subtractFee: "true" })],
    ["useCoinConsolidation on an Ethereum account", ether({ useCoinConsolidation: "true" })],
    ["batchingAllowed on an Ethereum account", ether({ batchingAllowed: "true" })],
  ])("refuses %s", (_what, body) => {
    const { call, sandbox } = trial({ seed: manyCoins });
    expect(call(CREATE, body)).toMatchObject({ statusCode: 400, body: [{ code: "INVALID_PARAMETER" }] });
    expect(sandbox.creations()).toEqual([]);
  });

  test("takes the booleans for Bitcoin accounts where they are false", () => {
    const { call } = trial({ seed: manyCoins });
    expect(call(CREATE, ether({ subtractFee: "false", batchingAllowed: "false" })).statusCode).toBe(202);
  });

  test("the operations with a path list Bitcoin's address formats only", () => {
    const { call } = trial({ seed: manyCoins });
    expect(call("/payouts/v2/create", ether()).statusCode).toBe(400);
    expect(call("/payouts/v2/create", lite(LTC_ADDRESS)).statusCode).toBe(400);
  });
});

test("deposits on Ethereum and Litecoin accounts get receiving addresses of their network", () => {
  const one = trial({ seed: manyCoins });
  const receiver = (accountId: string, nonce: number) => {
    const body = `{"accountId":"${accountId}","nonce":${nonce},"reference":"R","callbackUrl":"https://pay.example.com/d"}`;
    return (one.call("/deposits/create/sync", body).body as { receiverAddress: string }).receiverAddress;
  };
  expect(receiver(ETHER, 1)).toMatch(/^0x[0-9a-fA-F]{40}$/);
  expect(receiver(LITE, 2)).toMatch(/^ltc1q/);
  expect(receiver(MAIN, 3)).toMatch(/^bc1q/);
});

test("balances skip accounts that do not exist or are not the client's", () => {
  const one = trial();
  const unknown = "00000000-0000-4000-8000-0000000000ff";
  const ask = (ids: string) =>
    one.call("/pathless/accounts/balance", `{"accountIds":"${ids}",${QUERY_DATE}}`);
  expect(ask(`${unknown},${MAIN},${PAYEE}`)).toMatchObject({
    statusCode: 200,
    body: { balances: [{ accountId: MAIN, btcBalance: { total: { amount: 2 } } }] },
  });
  expect(ask(`${MAIN},${MAIN}`).statusCode).toBe(400);
  expect(ask("").statusCode).toBe(400);
});

test("the accounts of a user are the enabled ones in whose approver groups the user is", () => {
  const groups = (...names: string[]) =>
    names.map((userGroupName) => ({ userGroupName, username: "treasury-bot" }));
  const accounts = seed.accounts.map((account, at) => ({
    ...account,
    cosigners: at === 1 ? [] : groups("board", "ops"),
  }));
  const one = trial({ seed: { ...seed, accounts } });
  const ask = (username: string) =>
    one.call("/pathless/accounts/of-user", `{"username":"${username}",${QUERY_DATE}}`);
  expect(ask("treasury-bot")).toMatchObject({
    statusCode: 200,
    body: {
      filters: { username: "treasury-bot" },
      accounts: [
        { accountId: MAIN, currency: "BTC", userGroupNames: ["board", "ops"] },
        { accountId: "00000000-0000-4000-8000-00000000000e" },
      ],
    },
  });
  expect(ask("nobody").body).toMatchObject({ accounts: [] });
  expect(one.call("/pathless/accounts/of-user", `{${QUERY_DATE}}`).statusCode).toBe(400);
});

describe("routes", () => {
  test("move an operation to another method and path, and leave its old place empty", () => {
    const { call } = trial({ routes: { searchPayouts: { method: "PUT", path: "/v9/payouts" } } });
    const body = `{${QUERY_DATE}}`;
    expect(call("/v9/payouts", body, { method: "PUT" }).statusCode).toBe(200);
    expect(call("/v9/payouts", body).statusCode).toBe(405);
    expect(call("/pathless/payouts/search", body).statusCode).toBe(404);
  });

  test.each<[string, RouteChanges, RegExp]>([
    [
      "where two operations would share one",
      { searchPayouts: { method: "POST", path: "/payouts/v2/find" } },
      /another operation .* POST \/payouts\/v2\/find/,
    ],
    [
      "where an address could mean two operations",
      {
        searchPayouts: { method: "GET", path: "/a/{queryDate}/b" },
        accountsOfUser: { method: "GET", path: "/a/{username}/b" },
      },
      /another operation/,
    ],
    [
      "where the sandbox itself is",
      { searchPayouts: { method: "GET", path: "/openapi.json" } },
      /the sandbox itself is at/,
    ],
    [
      "under the control API",
      { searchPayouts: { method: "POST", path: "/control/faults" } },
      /the sandbox itself/,
    ],
    ["with a query in the path", { searchPayouts: { method: "GET", path: "/a?b=c" } }, /no path/],
    [
      "with a path that does not begin with /",
      { searchPayouts: { method: "GET", path: "payouts" } },
      /no path/,
    ],
    [
      "with a parameter that is only a part of a segment",
      { searchPayouts: { method: "GET", path: "/a/v{page}" } },
      /whole segment/,
    ],
    [
      "with a parameter that the operation has not",
      { voidPayoutPathless: { method: "POST", path: "/payouts/{depositId}/void" } },
      /\{depositId\} is no parameter/,
    ],
    ["with a list in the path", { searchPayouts: { method: "GET", path: "/a/{states}" } }, /\{states\}/],
    [
      "with the same parameter twice in the path",
      { accountsOfUser: { method: "GET", path: "/{username}/{username}" } },
      /once/,
    ],
    [
      "for a payout's creation without a body",
      { createPayoutWithFirstAuthorization: { method: "GET", path: "/pay" } },
      /does not fit in a query: expected POST, PUT or PATCH/,
    ],
    [
      "for a deposit's creation without a body",
      { createDepositPathless: { method: "DELETE", path: "/deposit" } },
      /does not fit in a query/,
    ],
  ])("are refused %s, naming the key", (_what, routes, reason) => {
    expect(() => trial({ routes })).toThrow(reason);
    expect(() => trial({ routes })).toThrow(
      expect.objectContaining({
        problem: expect.objectContaining({ key: expect.stringMatching(/^routes\.\w+$/) }),
      }),
    );
  });

  test.each([
    ["true", 202],
    ["false", 202],
    ["1", 400],
    ["TRUE", 400],
  ])("a truth value in a path is true or false: %s is a %i", (authorize, statusCode) => {
    const path = "/pay/{authorize}";
    const { call } = trial({ routes: { createPayoutWithFirstAuthorization: { method: "POST", path } } });
    expect(call(`/pay/${authorize}`, creationText()).statusCode).toBe(statusCode);
  });

  test("a path without parameters goes before one with, whichever is listed first", () => {
    const { call } = trial({
      routes: {
        accountsOfUser: { method: "GET", path: "/users/{username}" },
        accountBalances: { method: "GET", path: "/users/all" },
      },
    });
    const balances = call(`/users/all?accountIds=${MAIN}&queryDate=2026-03-02T09:00:00.000Z`, "", {
      method: "GET",
    });
    expect(balances.body).toMatchObject({ balances: [{ accountId: MAIN }] });
    const ofUser = call("/users/ada?queryDate=2026-03-02T09:00:00.000Z", "", { method: "GET" });
    expect(ofUser.body).toMatchObject({ filters: { username: "ada" } });
  });
});
