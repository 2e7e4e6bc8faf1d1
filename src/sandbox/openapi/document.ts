/** Builds the OpenAPI 3.1 document from the sandbox's table of operations and the wire schemas, with samples. */
import type { z } from "zod";
import { errorArray, parseJson, writeJson } from "../../wire/index.ts";
import { parametersOf } from "../operations/parameters.ts";
import type { ServedOperation } from "../operations/route-table.ts";
import { hasQuery, parametersIn } from "../operations/routes.ts";
import { type JsonSchema, jsonSchemas, type NamedSchemas } from "./json-schema.ts";
import { sampleRequest } from "./sample-request.ts";
import { notesOf } from "./samples.ts";

/** The document as JSON text; samples keep every digit. */
export function openapiDocument(served: readonly ServedOperation[]): string {
  const named = jsonSchemas(served.map(({ operation }) => operation));
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
    paths: pathsOf(served, named),
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

function pathsOf(served: readonly ServedOperation[], named: NamedSchemas) {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of served) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationObject(route, named) };
  }
  return paths;
}

function operationObject(served: ServedOperation, named: NamedSchemas) {
  const { name, path, answer, successCode } = served.operation;
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
    ...requestObject(served, notes.request, named),
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

/** The parameters in the address, and a body with all others. */
function requestObject(served: ServedOperation, sample: string, named: NamedSchemas) {
  const { request } = served.operation;
  const inPath = parametersIn(served.path);
  if (!hasQuery(served) && inPath.length === 0) {
    return { requestBody: { required: true, ...jsonContent(request, sample, named) } };
  }
  const { body } = sampleRequest(served, sample);
  const members = [...parametersOf(request)].map(([name, member]) => ({ name, ...member }));
  const place = (name: string) => (inPath.includes(name) ? "path" : "query");
  const addressed = members.filter(({ name }) => hasQuery(served) || inPath.includes(name));
  const parameters = addressed.map((member) => ({ ...member, in: place(member.name) }));
  if (body === undefined) return { parameters };
  const others = members.filter((member) => !addressed.includes(member));
  const schema: JsonSchema = {
    type: "object",
    properties: Object.fromEntries(others.map((member) => [member.name, member.schema])),
    required: others.filter(({ required }) => required).map(({ name }) => name),
  };
  const content = { "application/json": { schema, example: parseJson(body) } };
  return { parameters, requestBody: { required: true, content } };
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
