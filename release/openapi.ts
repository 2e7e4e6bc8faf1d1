/**
 * `npm run openapi`: writes docs/openapi.json, the OpenAPI 3.1 document of the sandbox's operations, from their table
 * and the wire schemas, with samples (openapi-samples.ts).
 */
import { writeFileSync } from "node:fs";
import { z } from "zod";
import { fault } from "../src/faults/index.ts";
import type { Operation } from "../src/sandbox/operations/operation.ts";
import { servedOperations } from "../src/sandbox/operations/route-table.ts";
import { routesSchema } from "../src/sandbox/operations/routes.ts";
import { operations } from "../src/sandbox/operations/table.ts";
import * as wire from "../src/wire/index.ts";
import { errorArray, parseJson, writeJson } from "../src/wire/index.ts";
import { notesOf } from "./openapi-samples.ts";

/** The document as JSON text; samples keep every digit. */
export function openapiDocument(): string {
  const named = jsonSchemas();
  return writeJson({
    openapi: "3.1.0",
    info: {
      title: "Payment Execution Service, as the Paydrop sandbox serves it",
      version: "1.0.0",
      description:
        "Every operation of the interface document. Methods and paths under /pathless, the body of authorize, " +
        "error codes but " +
        "CONFLICT_EXPIRED_XRATE and failure statuses under `default` are the sandbox's own choice.",
    },
    security: [{ key: [], signature: [] }],
    paths: pathsOf(named),
    components: {
      securitySchemes: {
        key: { type: "apiKey", in: "header", name: "key", description: "client key" },
        signature: {
          type: "apiKey",
          in: "header",
          name: "signature",
          description:
            "lower-case hex of HMAC-SHA-256 with the key's secret over method, line feed, path with query, line " +
            "feed, body: the " +
            "sandbox's own scheme, the service's is not shown",
        },
      },
      schemas: named.schemas,
    },
  });
}

function pathsOf(named: NamedSchemas) {
  const served = servedOperations(routesSchema.parse({}));
  return Object.fromEntries(
    served.map(({ path, operation }) => [path, { post: operationObject(operation, named) }]),
  );
}

function operationObject({ name, path, request, answer, successCode }: Operation, named: NamedSchemas) {
  const notes = notesOf(name);
  const success = { description: answer === undefined ? "done, no body" : "done" };
  const failures = (notes.failures ?? []).map((statusCode) => [
    statusCode,
    failure(FAILURES[statusCode] ?? "", named),
  ]);
  return {
    operationId: name,
    summary: notes.summary,
    tags: [path === undefined ? "without a path" : "with a path"],
    requestBody: { required: true, ...jsonContent(request, notes.request, named) },
    responses: {
      [successCode]:
        answer === undefined || notes.answer === undefined
          ? success
          : { ...success, ...jsonContent(answer, notes.answer, named) },
      ...Object.fromEntries(failures),
      default: failure("a failure that the interface does not list here", named),
    },
  };
}

/** The interface's meanings of status codes. */
const FAILURES: Readonly<Record<number, string>> = {
  400: "a parameter is wrong",
  403: "access denied",
  404: "a resource is not found",
  409: "conflict, for instance an invalid nonce",
  502: "error during deposit creation",
};

const ERROR_SAMPLE = `[{ "error": "requestedAmount.amount: expected more than zero", "code": "INVALID_PARAMETER",
  "timestamp": "2026-03-02T09:00:00.000Z" }]`;

function failure(description: string, named: NamedSchemas) {
  return { description, ...jsonContent(errorArray, ERROR_SAMPLE, named) };
}

function jsonContent(table: z.ZodType, sample: string, named: NamedSchemas) {
  const schema = { $ref: `#/components/schemas/${named.nameOf(table)}` };
  return { content: { "application/json": { schema, example: parseJson(sample) } } };
}

/**
 * The wire schemas read marked text (wire/json.ts), so zod alone would call every number a string; the JSON type of
 * each scalar is defined here.
 */
type JsonSchema = Readonly<Record<string, unknown>>;

const SCALARS: ReadonlyMap<unknown, JsonSchema> = new Map<unknown, JsonSchema>([
  [wire.decimal, { type: "number", description: "exact decimal; the precision is not shown" }],
  [wire.int64, { type: "integer", format: "int64" }],
  [wire.integer, { type: "integer" }],
  [wire.uuid, { type: "string", format: "uuid" }],
  [wire.uuidOrEmpty, { type: "string", format: "uuid" }],
  [wire.uuidList, { type: "string", description: "UUIDs separated by commas" }],
  [wire.sortCriterion, { type: "string", description: "property,(asc|desc); ascending without a direction" }],
  [wire.dateTime, { type: "string", format: "date-time" }],
  [wire.dateTimeOrEmpty, { type: "string", format: "date-time" }],
]);

/** Scalars written inline. Others get an entry under `#/components/schemas`, named as in wire, capitalised. */
const UNNAMED: ReadonlySet<unknown> = new Set([
  ...SCALARS.keys(),
  wire.text,
  wire.searchEnvelope,
  wire.cosignerAuthorization,
]);

const NAMES: ReadonlyMap<z.ZodType, string> = new Map(
  Object.entries(wire).flatMap(([name, table]) =>
    table instanceof z.ZodType && !UNNAMED.has(table) ? [[table, nameInDocument(name)] as const] : [],
  ),
);

function nameInDocument(name: string): string {
  return name
    .replace(/^errorObject$/, "error")
    .replace(/^errorArray$/, "errors")
    .replace(/^./, (first) => first.toUpperCase());
}

interface NamedSchemas {
  readonly schemas: Readonly<Record<string, JsonSchema>>;
  nameOf(table: z.ZodType): string;
}

/** The interface's schemas, and those of the sandbox's own operations under the operation's name. */
function jsonSchemas(): NamedSchemas {
  const names = new Map(NAMES);
  for (const { name, request, answer } of operations) {
    if (!names.has(request)) names.set(request, `${name}Request`);
    if (answer !== undefined && !names.has(answer)) names.set(answer, `${name}Answer`);
  }
  const registry = z.registry<{ id: string }>();
  for (const [table, id] of names) registry.add(table, { id });
  const { schemas } = z.toJSONSchema(registry, {
    io: "input",
    uri: (id) => `#/components/schemas/${id}`,
    override: asOnTheWire,
  });
  return {
    schemas: Object.fromEntries(
      Object.entries(schemas).map(([name, { $schema: _dialect, $id: _own, ...schema }]) => [name, schema]),
    ),
    nameOf: (table) => {
      const name = names.get(table);
      if (name === undefined) throw fault("INVARIANT_BROKEN", { what: "a table has no name" });
      return name;
    },
  };
}

function asOnTheWire({ zodSchema, jsonSchema }: { zodSchema: unknown; jsonSchema: object }): void {
  const scalar = SCALARS.get(zodSchema);
  if (scalar === undefined) return;
  for (const key of Object.keys(jsonSchema)) Reflect.deleteProperty(jsonSchema, key);
  Object.assign(jsonSchema, scalar);
}

if (process.argv[1] === import.meta.filename) writeFileSync("docs/openapi.json", `${openapiDocument()}\n`);
