/** The OpenAPI document agrees with the tables and with the sandbox's answers. */
import { readFileSync } from "node:fs";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { z } from "zod";
import { openapiDocument } from "../../release/openapi.ts";
import { notesOf } from "../../release/openapi-samples.ts";
import { openSandbox, type RunningSandbox, startSandbox } from "../../src/sandbox/index.ts";
import { errorArray, parseJson } from "../../src/wire/index.ts";

interface OpenapiDocument {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
}

interface DescribedOperation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, { readonly content?: unknown }>>;
}

const { served } = openSandbox();
const text = openapiDocument();
const described = JSON.parse(text) as OpenapiDocument;

function operationOf(name: string): DescribedOperation | undefined {
  return Object.values(described.paths)
    .flatMap((methods) => Object.values(methods))
    .find((operation) => operation.operationId === name);
}

test("docs/openapi.json is this document; `npm run openapi` renews it", () => {
  const kept = readFileSync(new URL("../../docs/openapi.json", import.meta.url), "utf8");
  expect(JSON.parse(kept)).toEqual(described); // by value: the formatter writes 0.01500000 as 0.015
});

test("describes all twenty operations", () => {
  expect(described.openapi).toBe("3.1.0");
  const names = Object.values(described.paths).flatMap((methods) =>
    Object.values(methods).map((operation) => operation.operationId),
  );
  expect(new Set(names).size).toBe(20);
  expect(names.sort()).toEqual(served.map((one) => one.operation.name).sort());
});

test("amounts are JSON numbers, nonces int64, ids UUIDs, instants date-times, and what is required is", () => {
  const { Money, PayoutCreation, PagedPayoutSearch } = described.components.schemas;
  expect(Money).toMatchObject({
    properties: { currency: { type: "string" }, amount: { type: "number" } },
    required: ["currency", "amount"],
  });
  expect(PayoutCreation).toMatchObject({
    properties: {
      accountId: { type: "string", format: "uuid" },
      nonce: { type: "integer", format: "int64" },
      requestedAmount: { $ref: "#/components/schemas/Money" },
      customFeeRate: { type: ["integer", "null"] },
    },
    required: ["username", "accountId", "nonce", "reference", "callbackUrl", "requestedAmount", "otpCode"],
  });
  expect(PagedPayoutSearch).toMatchObject({
    properties: { queryDate: { format: "date-time" }, page: { type: ["integer", "null"] } },
    required: ["queryDate"],
  });
});

test("every reference in it resolves", () => {
  const references = [...text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name);
  expect(references.length).toBeGreaterThan(40);
  for (const name of references) expect(described.components.schemas).toHaveProperty(String(name));
});

describe("the samples", () => {
  const operations = served.map((one) => one.operation);
  const reads = (table: z.ZodType, sample: string) => table.safeParse(parseJson(sample)).error?.issues ?? [];

  test.each(operations.map((operation) => [operation.name, operation] as const))(
    "of %s are read by its tables, and every field of the sample's request is one of the table",
    (name, { request, answer }) => {
      const notes = notesOf(name);
      expect(reads(request, notes.request)).toEqual([]);
      expect(answer === undefined).toBe(notes.answer === undefined);
      if (answer !== undefined) expect(reads(answer, notes.answer ?? "")).toEqual([]);
      const fields = Object.keys(request.parse(parseJson(notes.request)) as object);
      expect(fields).toEqual(expect.arrayContaining(Object.keys(JSON.parse(notes.request))));
    },
  );

  test("keep the digits of their amounts", () => {
    expect(text).toContain('"amount":0.01500000');
  });
});

test("the failures of each operation are those of the interface's tables", () => {
  const listed = (name: string) =>
    Object.keys(operationOf(name)?.responses ?? {}).filter((status) => /^[45]/.test(status));
  expect(listed("createDepositSynchronously")).toEqual(["400", "404", "409", "502"]);
  expect(listed("authorize")).toEqual(["403", "404", "409"]);
  expect(listed("createPayoutV2")).toEqual(["400", "404"]);
  expect(listed("findPayoutFilteredV2")).toEqual([]);
  expect(errorArray.safeParse([{ error: "x", code: "y", timestamp: "z" }]).success).toBe(true);
});

describe("of operations whose parameters travel in the address", () => {
  let running: RunningSandbox;
  let document: OpenapiDocument;
  beforeAll(async () => {
    running = await startSandbox({
      routes: {
        searchPayouts: { method: "GET", path: "/payouts" },
        voidPayoutPathless: { method: "POST", path: "/payouts/{payoutId}/void" },
        voidDepositPathless: { method: "DELETE", path: "/deposits/{depositId}" },
      },
    });
    document = (await (await fetch(`${running.url}/openapi.json`)).json()) as OpenapiDocument;
  });
  afterAll(() => running.close());

  test("a GET lists each parameter of the query, without null, and has no body", () => {
    const search = document.paths["/payouts"]?.["get"];
    expect(search).not.toHaveProperty("requestBody");
    expect(search).toMatchObject({
      parameters: expect.arrayContaining([
        { name: "queryDate", in: "query", required: true, schema: { type: "string", format: "date-time" } },
        { name: "page", in: "query", required: false, schema: { type: "integer" } },
        {
          name: "references",
          in: "query",
          required: false,
          schema: { type: "array", items: { type: "string" } },
        },
      ]),
    });
  });

  test("a parameter in the path is listed there, and is no member of the body", () => {
    expect(document.paths["/payouts/{payoutId}/void"]?.["post"]).toMatchObject({
      parameters: [
        { name: "payoutId", in: "path", required: true, schema: { type: "string", format: "uuid" } },
      ],
      requestBody: {
        content: {
          "application/json": {
            schema: { properties: { nonce: { type: "integer", format: "int64" } }, required: ["nonce"] },
            example: { nonce: 1772442000000003 },
          },
        },
      },
    });
    expect(document.paths["/deposits/{depositId}"]?.["delete"]).toMatchObject({
      parameters: [
        { name: "depositId", in: "path" },
        { name: "nonce", in: "query" },
      ],
    });
  });
});

describe("over HTTP", () => {
  let running: RunningSandbox;
  beforeEach(async () => {
    running = await startSandbox({ routes: { searchPayouts: { method: "PUT", path: "/v9/payouts" } } });
  });
  afterEach(() => running.close());

  test("/openapi.json is the document, with the routes that are served", async () => {
    const response = await fetch(`${running.url}/openapi.json`);
    expect(response.headers.get("content-type")).toMatch(/^application\/json/);
    expect(((await response.json()) as OpenapiDocument).paths["/v9/payouts"]).toHaveProperty("put");
  });
});
