/** docs/paydrop.schema.json, checked by a third-party validator. */
import { readFileSync } from "node:fs";
import Fastify from "fastify";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { configJsonSchema } from "../../src/config/json-schema.ts";

const SAMPLE = readFileSync(new URL("../../samples/paydrop.yaml", import.meta.url), "utf8");

/** Fastify validates with ajv, which must not convert, complete or remove anything first. */
const judge = Fastify({
  ajv: {
    customOptions: { coerceTypes: false, useDefaults: false, removeAdditional: false, allErrors: true },
  },
});
judge.post("/", { schema: { body: configJsonSchema() } }, () => "fits");

async function judged(yaml: string): Promise<string> {
  const { payload } = await judge.inject({ method: "POST", url: "/", payload: parse(yaml) });
  return payload;
}

test("docs/paydrop.schema.json is this schema; `npm run config-schema` renews it", () => {
  const kept = readFileSync(new URL("../../docs/paydrop.schema.json", import.meta.url), "utf8");
  expect(JSON.parse(kept)).toEqual(configJsonSchema());
});

test("the sample's first line leads an editor to it, and the sample fits", async () => {
  const [, path = ""] = /^# yaml-language-server: \$schema=(\S+)\n/.exec(SAMPLE) ?? [];
  const found = new URL(path, new URL("../../samples/paydrop.yaml", import.meta.url));
  expect(JSON.parse(readFileSync(found, "utf8"))).toMatchObject({ title: "paydrop.yaml" });
  expect(await judged(SAMPLE)).toBe("fits");
});

test("the sample shows each key, as messages and documents say", () => {
  const missing = keysOf(configJsonSchema()).filter((key) => !new RegExp(`\\b${key}\\b`).test(SAMPLE));
  expect(missing).toEqual([]);
  expect(keysOf(configJsonSchema())).toContain("idsPerRequest");
});

/** The names of all keys of a schema, without the path to each. */
function keysOf(schema: unknown): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const {
    properties = {},
    items,
    anyOf = [],
  } = schema as {
    properties?: Record<string, unknown>;
    items?: unknown;
    anyOf?: readonly unknown[];
  };
  return [...Object.keys(properties), ...[...Object.values(properties), items, ...anyOf].flatMap(keysOf)];
}

describe("an editor marks", () => {
  test.each([
    ["a key that does not exist", "network: main", "netwerk: main", "additional properties"],
    ["a value that is none of the list", "rule: unique", "rule: monotonic", "allowed values"],
    ["an amount without quotes", 'perRow: { BTC: "1" }', "perRow: { BTC: 1 }", "must be string"],
    ["a key that is missing", "  username: treasury-bot\n", "", "required property 'username'"],
  ])("%s", async (_, right, wrong, words) => {
    expect(SAMPLE).toContain(right);
    expect(await judged(SAMPLE.replace(right, wrong))).toContain(words);
  });
});
