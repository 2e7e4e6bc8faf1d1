/** The configuration that `paydrop init` writes for a real service, made from the shipped sample. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startingConfiguration, withSchemaPath } from "../../src/config/starting-configuration.ts";
import { load, refused } from "./configuration.ts";

const sample = readFileSync(join(import.meta.dirname, "../../samples/paydrop.yaml"), "utf8");

const started = startingConfiguration(sample);

test("names every gap that only its owner can fill, and nothing else", () => {
  expect(refused(started).map(({ key }) => key)).toEqual([
    "service.baseUrl",
    "service.username",
    "service.callbackUrl",
    "custodyAccounts.0.id",
    "ledger.functionalCurrency",
    "ledger.timeZone",
  ]);
});

test("once filled in, it pays nothing by itself and takes the cautious side of what is unknown", () => {
  const config = load(started, {
    PAYDROP_SERVICE_BASE_URL: "https://pay.example.com",
    PAYDROP_SERVICE_USERNAME: "bot",
    PAYDROP_SERVICE_CALLBACK_URL: "https://us.example.com/hook",
    PAYDROP_CUSTODY_ACCOUNTS:
      '[{ name: treasury-btc, id: "6f1cbb7e-0000-4000-8000-000000000001", currency: BTC }]',
    PAYDROP_LEDGER_FUNCTIONAL_CURRENCY: "EUR",
    PAYDROP_LEDGER_TIME_ZONE: "Europe/Madrid",
  });
  expect(config).toMatchObject({
    nonce: { rule: "unknown" },
    otp: { singleUse: true },
    limits: { perRow: {}, perFile: {}, perDay: {} },
    approval: { rules: [{ people: 2 }] },
  });
});

test("keeps every comment of the sample", () => {
  const comments = (text: string) => text.match(/#.*$/gm);
  expect(comments(started)).toEqual(comments(sample));
});

test("leads editors to the schema wherever the folder is", () => {
  expect(withSchemaPath(started, "$&/paydrop.schema.json").split("\n", 1)).toEqual([
    "# yaml-language-server: $schema=$&/paydrop.schema.json",
  ]);
});
