/** The file of `paydrop sandbox --seed`: the sample that ships, and every kind of mistake with its key and fix. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { openSandbox, type RunningSandbox, readOptionsFile, startSandbox } from "../../src/sandbox/index.ts";
import { policyOf } from "../../src/sandbox/options.ts";
import { writtenOptions } from "../../src/sandbox/options-file.ts";

const SAMPLE = join(import.meta.dirname, "../../samples/sandbox.yaml");
const folder = mkdtempSync(join(tmpdir(), "paydrop-options-"));
afterAll(() => rmSync(folder, { recursive: true }));

const A = "6f1cbb7e-0000-4000-8000-000000000001";
const B = "6f1cbb7e-0000-4000-8000-000000000002";
const ADDRESS = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";

function fileOf(text: string): string {
  const path = join(folder, "sandbox.yaml");
  writeFileSync(path, text);
  return path;
}

describe("samples/sandbox.yaml", () => {
  const text = readFileSync(SAMPLE, "utf8");
  const { options } = readOptionsFile(SAMPLE);

  test("loads and serves", async () => {
    const running: RunningSandbox = await startSandbox({ ...options });
    try {
      expect(running.served.find(({ path }) => path === "/balances")?.method).toBe("GET");
      expect(running.balanceOf(A)?.confirmed.toString()).toBe("12.5");
      expect((await fetch(`${running.url}/openapi.json`)).status).toBe(200);
      expect((await fetch(`${running.url}/balances?accountIds=${A}`)).status).toBe(401);
    } finally {
      await running.close();
    }
  });

  test("loads and opens with the lines that are switched off, too", () => {
    const all = text.replace(/^(?:reference|faults): .*$/gm, "").replace(/^( *)#(?=\S)/gm, "$1");
    const { options: everything, problems } = readOptionsFile(fileOf(all));
    expect(problems).toEqual([]);
    expect(everything).toMatchObject({ randomSeed: 7, faults: [{}, {}], reference: { lengthMax: 64 } });
    openSandbox({ ...everything }).close();
  });

  test("shows every key", () => {
    for (const key of Object.keys(writtenOptions.shape)) expect(text).toMatch(new RegExp(`^#?${key}:`, "m"));
    for (const key of Object.keys(writtenOptions.shape.seed.unwrap().shape)) {
      expect(text).toMatch(new RegExp(`^ {2}#?${key}:`, "m"));
    }
  });

  test("names the defaults that a sandbox has without it", () => {
    const { seed, routes, ...switches } = options ?? {};
    expect(JSON.stringify(policyOf(switches))).toBe(JSON.stringify(policyOf({})));
    expect(seed).toBeDefined();
    expect(routes).toBeDefined();
  });
});

test.each<[string, object, string]>([
  ["of the seed", { seed: { accounts: [{ accountId: "treasury" }] } }, "seed.accounts.0.accountId"],
  ["of another switch", { stepMs: 0 }, "stepMs"],
])("a mistake %s that a program makes is refused with its key", (_what, options, key) => {
  expect(() => openSandbox(options)).toThrow(
    expect.objectContaining({ problem: expect.objectContaining({ code: "CONFIG_KEY_INVALID", key }) }),
  );
});

test("JSON is read as well, and a file without a word changes nothing", () => {
  expect(readOptionsFile(fileOf('{"stepMs": 5, "nonce": {"rule": "increasing"}}')).options).toEqual({
    stepMs: 5,
    nonce: { rule: "increasing" },
  });
  expect(readOptionsFile(fileOf("# nothing\n"))).toEqual({ options: {}, problems: [] });
});

describe("a mistake is refused with its file, its key and a fix", () => {
  const account = `{accountId: ${A}, openingBalance: "1"}`;

  test.each<[string, string, string, RegExp]>([
    [
      "an amount that is a number",
      `seed: {accounts: [{accountId: ${A}, openingBalance: 12.5}]}`,
      "seed.accounts.0.openingBalance",
      /text in quotes, since a number may lose digits/,
    ],
    [
      "a rate that is a number",
      "seed: {rates: [{fromCurrency: BTC, toCurrency: EUR, rate: 81234.56}]}",
      "seed.rates.0.rate",
      /text in quotes/,
    ],
    [
      "a part that is a number",
      `seed: {accounts: [${account}], deposits: [{depositId: ${B}, accountId: ${A}, reference: d, parts: [{amount: 1, confirmAfterMs: 0}]}]}`,
      "seed.deposits.0.parts.0.amount",
      /text in quotes/,
    ],
    [
      "an amount that is none",
      `seed: {accounts: [{accountId: ${A}, openingBalance: "much"}]}`,
      "seed.accounts.0.openingBalance",
      /expected a decimal number as text/,
    ],
    ["a missing secret", "seed: {clients: [{key: k}]}", "seed.clients.0.secret", /is missing/],
    [
      "an id that is none",
      "seed: {accounts: [{accountId: treasury}]}",
      "seed.accounts.0.accountId",
      /expected a UUID/,
    ],
    ["a nonce rule that is none", "nonce: {rule: rising}", "nonce.rule", /"unique"\|"increasing"\|"window"/],
    ["a key without a value", "nonce:", "nonce", /expected object, received null/],
    ["a number in quotes", 'stepMs: "5"', "stepMs", /expected number, received string/],
    ["a page that is neither first", "firstPage: 2", "firstPage", /0\|1/],
    [
      "a fault of no operation",
      "faults: [{operation: createPayoutV3, effect: {kind: lose}}]",
      "faults.0.operation",
      /such as createPayoutV2/,
    ],
    [
      "a fault that is none",
      "faults: [{operation: '*', effect: {kind: explode}}]",
      "faults.0.effect.kind",
      /'cut-after-commit'/,
    ],
    [
      "a creation by GET",
      "routes: {createDepositPathless: {method: GET, path: /deposits}}",
      "routes.createDepositPathless",
      /expected POST, PUT or PATCH/,
    ],
    [
      "a route that is taken",
      "routes: {accountBalances: {method: POST, path: /accounts/balance}}",
      "routes.accountBalances",
      /another operation/,
    ],
    [
      "an account twice",
      `seed: {accounts: [${account}, ${account}]}`,
      "seed.accounts.1.accountId",
      /accounts\.0 has it already/,
    ],
    [
      "a key twice",
      "seed: {clients: [{key: k, secret: a}, {key: k, secret: b}]}",
      "seed.clients.1.key",
      /clients\.0/,
    ],
    [
      "a deposit on no account",
      `seed: {deposits: [{depositId: ${B}, accountId: ${A}, reference: d}]}`,
      "seed.deposits.0.accountId",
      /none of the accounts/,
    ],
    [
      "a foreign payout of no account",
      `seed: {foreignPayouts: [{accountId: ${A}, reference: f, amount: "1", destinationAddress: ${ADDRESS}}]}`,
      "seed.foreignPayouts.0.accountId",
      /none of the accounts/,
    ],
  ])("%s", (_what, text, key, message) => {
    const path = fileOf(text);
    expect(readOptionsFile(path)).toEqual({
      options: undefined,
      problems: [
        expect.objectContaining({
          code: "CONFIG_KEY_INVALID",
          file: path,
          key,
          message: expect.stringMatching(message),
          fix: `Correct \`${key}\` in the configuration; samples/sandbox.yaml shows each key.`,
        }),
      ],
    });
  });

  test.each(["database", "clock", "signature", "sed"])("the unknown key %s", (key) => {
    expect(readOptionsFile(fileOf(`${key}: x`)).problems).toMatchObject([
      { code: "CONFIG_KEY_UNKNOWN", key },
    ]);
  });

  test("several at once, all of them", () => {
    const { problems } = readOptionsFile(
      fileOf("stepMs: 0\nnonce: {rul: unique, wind: 1}\nseed: {acounts: []}"),
    );
    expect(problems.map(({ key }) => key).sort()).toEqual([
      "nonce.rul",
      "nonce.wind",
      "seed.acounts",
      "stepMs",
    ]);
  });

  test("a file that is a list", () => {
    const path = fileOf("- nonce");
    expect(readOptionsFile(path).problems).toMatchObject([
      { code: "USAGE", message: `the sandbox's options ${path} are no map of keys`, file: path },
    ]);
  });

  test("what is not YAML, with its line", () => {
    expect(() => readOptionsFile(fileOf("stepMs: 1\nnonce: a: b\n"))).toThrow(
      expect.objectContaining({ problem: expect.objectContaining({ code: "CONFIG_NOT_YAML", line: 2 }) }),
    );
  });

  test("an alias without its anchor", () => {
    expect(() => readOptionsFile(fileOf("nonce: *rule\n"))).toThrow(
      expect.objectContaining({ problem: expect.objectContaining({ code: "CONFIG_NOT_YAML" }) }),
    );
  });

  test.each(["nowhere.yaml", "."])("a file that cannot be read: %s", (name) => {
    expect(() => readOptionsFile(join(folder, name))).toThrow(
      expect.objectContaining({
        problem: expect.objectContaining({ code: "USAGE", file: join(folder, name) }),
      }),
    );
  });
});
