import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readSecrets } from "../../src/config/index.ts";
import { PATHLESS_OPERATIONS } from "../../src/wire/index.ts";
import { folder, load, refused } from "./configuration.ts";

const ACCOUNT = 'name: main, id: "6f1cbb7e-0000-4000-8000-000000000001", currency: ETH';

/** The smallest configuration, with one custody account and further sections as given. */
const written = (sections: string, account = ACCOUNT) => `
service: { baseUrl: "https://pay.example.com", username: bot, callbackUrl: "https://us.example.com/hook" }
custodyAccounts: [{ ${account} }]
ledger: { functionalCurrency: EUR, timeZone: Europe/Madrid, chart: chart.csv }
${sections}`;

/** Holds that a configuration is refused for this one key, and why. */
function expectRefused(text: string, key: string, reason: string): void {
  expect(refused(text)).toMatchObject([
    {
      code: "CONFIG_KEY_INVALID",
      key,
      message: expect.stringContaining(reason),
      fix: expect.stringContaining(`\`${key}\``),
    },
  ]);
}

describe("nonce.window", () => {
  test("is taken where nonces must rise", () => {
    expect(load(written("nonce: { rule: increasing, window: 100 }")).nonce).toMatchObject({ window: 100 });
  });

  test.each(["unknown", "unique"])("is refused under nonce.rule %s, which has no use for it", (rule) => {
    const [problem] = refused(written(`nonce: { rule: ${rule}, window: 100 }`));
    expect(problem).toMatchObject({ code: "CONFIG_KEY_INVALID", key: "nonce.window" });
  });
});

describe("keys", () => {
  test("are named, and paid from the custody accounts that name them", () => {
    const { keys, custodyAccounts } = load(
      written("keys: [{ name: payroll-eu }]", `${ACCOUNT}, key: payroll-eu`),
    );
    expect(keys).toEqual([{ name: "payroll-eu" }]);
    expect(custodyAccounts[0]).toMatchObject({ key: "payroll-eu" });
  });

  test("have secrets of their own, which are no configuration keys", () => {
    const environment = { PAYDROP_KEY_PAYROLL_EU: "k", PAYDROP_OTP_SECRET_PAYROLL_EU_FILE: "/run/otp" };
    expect(load(written(""), environment).keys).toEqual([]);
    const config = load(written("", ACCOUNT));
    const secrets = {
      ...environment,
      PAYDROP_SIGNING_SECRET_PAYROLL_EU: "s",
      PAYDROP_OTP_SECRET_PAYROLL_EU: "o",
    };
    const { PAYDROP_OTP_SECRET_PAYROLL_EU_FILE: _, ...given } = secrets;
    expect(readSecrets(given, config, "payroll-eu")).toEqual({
      key: "k",
      signingSecret: "s",
      otpSecret: "O",
    });
    expect(() => readSecrets(given, config)).toThrow(/PAYDROP_KEY/);
  });

  test.each([
    ["custodyAccounts.0.key", "", "payroll", "there are none"],
    ["custodyAccounts.0.key", "keys: [{ name: a }]", "b", "not one of the keys: a"],
    ["keys.0.name", "keys: [{ name: Payroll }]", "Payroll", "lower-case"],
    ["keys.0.name", "keys: [{ name: pay-file }]", "pay-file", "_FILE holds a path"],
    ["keys.0.name", "keys: [{ name: file }]", "file", "_FILE holds a path"],
    ["keys.1.name", "keys: [{ name: a }, { name: a }]", "a", "names two keys"],
    ["keys.1.name", "keys: [{ name: a }, { name: b }]", "a", "no custody account"],
  ])("at %s are refused when they lead nowhere: %s", (key, keys, ofAccount, reason) => {
    const [problem] = refused(written(keys, `${ACCOUNT}, key: ${ofAccount}`));
    expect(problem).toMatchObject({ code: "CONFIG_KEY_INVALID", key });
    expect(problem?.message).toContain(reason);
  });
});

describe("routes", () => {
  test("are off until they are set, for every operation without a path", () => {
    expect(load(written("")).routes).toEqual({});
    const route = { method: "POST", path: "/x/y" };
    const all = Object.fromEntries(PATHLESS_OPERATIONS.map((name) => [name, route]));
    expect(load(written(`routes: ${JSON.stringify(all)}`)).routes).toEqual(all);
  });

  test.each(["GET", "POST", "PUT", "PATCH", "DELETE"])("may be a %s, with places in the path", (method) => {
    const route = { method, path: "/payouts/{payoutId}/void" };
    const { routes } = load(written(`routes: { voidPayoutPathless: ${JSON.stringify(route)} }`));
    expect(routes.voidPayoutPathless).toEqual(route);
  });

  test.each([
    [
      "routes.searchPayouts.method",
      "searchPayouts: { method: FETCH, path: /x }",
      '"GET"|"POST"|"PUT"|"PATCH"|"DELETE"',
    ],
    ["routes.searchPayouts.method", "searchPayouts: { method: get, path: /x }", '"GET"|"POST"'],
    ["routes.searchPayouts.method", "searchPayouts: { path: /x }", "is missing"],
    ["routes.searchPayouts.path", "searchPayouts: { method: GET }", "is missing"],
    ["routes.searchPayouts.path", "searchPayouts: { method: GET, path: payouts }", "begins with /"],
    ["routes.searchPayouts.path", 'searchPayouts: { method: GET, path: "https://x/y" }', "begins with /"],
    ["routes.searchPayouts.path", 'searchPayouts: { method: GET, path: "/x?y=1" }', "begins with /"],
    ["routes.searchPayouts.path", 'searchPayouts: { method: GET, path: "/x#y" }', "begins with /"],
    ["routes.searchPayouts.path", 'searchPayouts: { method: GET, path: "/x y" }', "begins with /"],
    ["routes.searchPayouts", "searchPayouts: /x", "expected object"],
    [
      "routes.createPayoutWithFirstAuthorization.method",
      "createPayoutWithFirstAuthorization: { method: GET, path: /x }",
      '"POST"|"PUT"|"PATCH"',
    ],
    [
      "routes.createDepositPathless.method",
      "createDepositPathless: { method: DELETE, path: /x }",
      '"POST"|"PUT"|"PATCH"',
    ],
  ])("are refused by key and reason: %s in %s", (key, route, reason) => {
    expectRefused(written(`routes: { ${route} }`), key, reason);
  });

  test.each([
    ["routes.createPayoutV2", "createPayoutV2: { method: POST, path: /x }"],
    ["routes.voidPayout", "voidPayout: { method: POST, path: /x }"],
    ["routes.searchPayouts.headers", "searchPayouts: { method: GET, path: /x, headers: {} }"],
  ])("are not there for what has a path, nor for anything else: %s", (key, route) => {
    expect(refused(written(`routes: { ${route} }`))).toMatchObject([{ code: "CONFIG_KEY_UNKNOWN", key }]);
  });
});

describe("signing.module", () => {
  test("is found beside the configuration, wherever the command is run", () => {
    const signing = (module: string) =>
      load(written(`signing: { scheme: module, module: ${module} }`)).signing;
    expect(signing("sign.mjs")).toMatchObject({ scheme: "module", module: join(folder, "sign.mjs") });
    expect(signing("/srv/sign.mjs")).toMatchObject({ scheme: "module", module: "/srv/sign.mjs" });
    expect(load(written("")).signing).toEqual({ scheme: "hmac-sha256", timeoutMs: 10_000 });
  });

  test.each([
    ["scheme: module", "signing.module", "needed with `scheme: module`"],
    ["module: sign.mjs", "signing.module", "and only there"],
    ["scheme: hmac-sha256, module: sign.mjs", "signing.module", "and only there"],
    ['scheme: module, module: ""', "signing.module", "not empty"],
    ["scheme: rsa", "signing.scheme", '"hmac-sha256"|"module"'],
  ])("is refused by key and reason: %s", (signing, key, reason) => {
    expectRefused(written(`signing: { ${signing} }`), key, reason);
  });
});

const ROUTE = "routes: { createPayoutWithFirstAuthorization: { method: POST, path: /p } }";
const PATHLESS = `${ACCOUNT}, createOperation: createPayoutWithFirstAuthorization`;

describe("createOperation", () => {
  test("is createPayoutV2 where nothing is said, and any of the four with a path without a route", () => {
    expect(load(written("")).custodyAccounts[0]).toMatchObject({
      createOperation: "createPayoutV2",
      authorize: false,
    });
    for (const createOperation of [
      "createPayout",
      "createPayoutV2",
      "createAndFirstAuthorizationPayout",
      "createAndFirstAuthorizationPayoutV2",
    ])
      expect(
        load(written("", `${ACCOUNT}, createOperation: ${createOperation}`)).custodyAccounts,
      ).toMatchObject([{ createOperation }]);
  });

  test("without a path needs its route, and then may authorize", () => {
    for (const authorize of [true, false])
      expect(load(written(ROUTE, `${PATHLESS}, authorize: ${authorize}`)).custodyAccounts).toMatchObject([
        { createOperation: "createPayoutWithFirstAuthorization", authorize },
      ]);
    expectRefused(
      written("", PATHLESS),
      "custodyAccounts.0.createOperation",
      "createPayoutWithFirstAuthorization has no path in the interface: set routes.createPayoutWithFirstAuthorization",
    );
  });

  test.each([
    [
      "custodyAccounts.0.authorize",
      "authorize: true",
      "only createPayoutWithFirstAuthorization has this flag",
    ],
    [
      "custodyAccounts.0.authorize",
      "createOperation: createAndFirstAuthorizationPayoutV2, authorize: true",
      "only createPayoutWithFirstAuthorization has this flag",
    ],
    ["custodyAccounts.0.authorize", 'authorize: "yes"', "true or false"],
    ["custodyAccounts.0.createOperation", "createOperation: createPayoutV3", '"createPayoutV2"'],
    ["custodyAccounts.0.createOperation", "createOperation: createDeposit", '"createPayoutV2"'],
  ])("is refused by key and reason: %s with %s", (key, members, reason) => {
    expectRefused(written("", `${ACCOUNT}, ${members}`), key, reason);
  });
});

describe("authorization.body", () => {
  test("is whatever JSON the service wants, at any depth, and nothing by itself", () => {
    expect(load(written("")).authorization).toEqual({});
    const body = {
      paymentId: "{payoutId}",
      by: [{ user: "{username}", code: "{otpCode}" }],
      nonce: "{nonce}",
      n: 1,
    };
    expect(load(written(`authorization: { body: ${JSON.stringify(body)} }`)).authorization).toEqual({ body });
  });

  test.each([
    ["authorization.body", "body: payoutId", "expected record"],
    ["authorization.body", "body: [a]", "expected record"],
  ])("is refused by key and reason: %s in %s", (key, member, reason) => {
    expectRefused(written(`authorization: { ${member} }`), key, reason);
  });

  test("has no neighbours", () => {
    expect(refused(written("authorization: { template: {} }"))).toMatchObject([
      { code: "CONFIG_KEY_UNKNOWN", key: "authorization.template" },
    ]);
  });
});

describe("the environment over these keys", () => {
  test("sets a route whole or member by member, over what the file has", () => {
    const file = written("routes: { searchPayouts: { method: GET, path: /old } }");
    expect(
      load(file, {
        PAYDROP_ROUTES_SEARCH_PAYOUTS_PATH: "/new",
        PAYDROP_ROUTES_VOID_PAYOUT_PATHLESS: '{ method: DELETE, path: "/p/{payoutId}" }',
        PAYDROP_ROUTES_ACCOUNTS_OF_USER_METHOD: "GET",
        PAYDROP_ROUTES_ACCOUNTS_OF_USER_PATH: "/u/{username}",
      }).routes,
    ).toEqual({
      searchPayouts: { method: "GET", path: "/new" },
      voidPayoutPathless: { method: "DELETE", path: "/p/{payoutId}" },
      accountsOfUser: { method: "GET", path: "/u/{username}" },
    });
  });

  test("sets the signer's module, and the authorization's body whole", () => {
    const config = load(written(""), {
      PAYDROP_SIGNING_SCHEME: "module",
      PAYDROP_SIGNING_MODULE: "sign.mjs",
      PAYDROP_AUTHORIZATION_BODY: '{"paymentId":"{payoutId}","nonce":"{nonce}"}',
    });
    expect(config.signing).toMatchObject({ scheme: "module", module: join(folder, "sign.mjs") });
    expect(config.authorization).toEqual({ body: { paymentId: "{payoutId}", nonce: "{nonce}" } });
  });

  test("gives a creation its route", () => {
    const environment = {
      PAYDROP_ROUTES_CREATE_PAYOUT_WITH_FIRST_AUTHORIZATION: "{ method: POST, path: /p }",
    };
    expect(load(written("", PATHLESS), environment).routes).toMatchObject({
      createPayoutWithFirstAuthorization: { method: "POST", path: "/p" },
    });
  });

  test.each([
    ["PAYDROP_ROUTES_SEARCH_PAYOUTS_METHOD", "FETCH", '"GET"|"POST"'],
    ["PAYDROP_ROUTES_SEARCH_PAYOUTS_PATH", "payouts", "begins with /"],
    ["PAYDROP_ROUTES_SEARCH_PAYOUTS", "{ method: GET }", "expected string"],
    ["PAYDROP_ROUTES", "[]", "expected object"],
    ["PAYDROP_SIGNING_SCHEME", "rsa", '"hmac-sha256"|"module"'],
    ["PAYDROP_SIGNING_MODULE", "sign.mjs", "and only there"],
    ["PAYDROP_AUTHORIZATION_BODY", "payoutId", "expected record"],
  ])("is refused by the variable's name and the reason: %s=%s", (variable, text, reason) => {
    const file = written("routes: { searchPayouts: { method: GET, path: /p } }");
    expect(refused(file, { [variable]: text })).toMatchObject([
      { code: "ENVIRONMENT_INVALID", key: variable, message: expect.stringContaining(reason) },
    ]);
  });

  test.each([
    "PAYDROP_ROUTES_CREATE_PAYOUT_V2_PATH",
    "PAYDROP_ROUTES_SEARCHPAYOUTS_PATH",
    "PAYDROP_SIGNING_PATH",
  ])("names no key by %s", (variable) => {
    expect(refused(written(""), { [variable]: "/x" })).toMatchObject([
      { code: "ENVIRONMENT_INVALID", key: variable },
    ]);
  });
});
