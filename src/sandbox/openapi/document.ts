/** The OpenAPI 3.1 document of the sandbox: made from the table of its operations and the wire tables, with their samples. */
import type { z } from "zod";
import { errorArray, parseJson, writeJson } from "../../wire/index.ts";
import type { ServedOperation } from "../operations/operations.ts";
import { type JsonSchema, jsonSchemas } from "./json-schema.ts";
import { type OperationNotes, operationNotes } from "./samples.ts";

/** The document as JSON text, its samples digit for digit. */
export function openapiDocument(served: readonly ServedOperation[]): string {
  const schemas = jsonSchemas(tablesOf(served));
  return writeJson({
    openapi: "3.1.0",
    info: {
      title: "Payment Execution Service, as the Paydrop sandbox serves it",
      version: "1.0.0",
      description:
        "Every operation of the interface document. Methods and paths under /pathless, the body of authorize, error codes but " +
        "CONFLICT_EXPIRED_XRATE and failure statuses under `default` are the sandbox's own choice.",
    },
    security: [{ key: [], signature: [] }],
    paths: pathsOf(served),
    components: {
      securitySchemes: {
        key: { type: "apiKey", in: "header", name: "key", description: "client key" },
        signature: {
          type: "apiKey",
          in: "header",
          name: "signature",
          description:
            "lower-case hex of HMAC-SHA-256 with the key's secret over method, line feed, path, line feed, body: the sandbox's " +
            "own scheme, the service's is not shown",
        },
      },
      schemas,
    },
  });
}

function tablesOf(served: readonly ServedOperation[]): ReadonlyMap<string, z.ZodType> {
  const tables = new Map<string, z.ZodType>([["Errors", errorArray]]);
  for (const { operation } of served) {
    tables.set(`${operation.name}Request`, operation.request);
    if (operation.answer !== undefined) tables.set(`${operation.name}Answer`, operation.answer);
  }
  return tables;
}
