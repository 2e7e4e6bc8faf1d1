/** The OpenAPI document: docs/openapi.json, with operations that `routes` has moved at their places. */
import { readFileSync } from "node:fs";
import { parseJson, writeJson } from "../wire/index.ts";
import type { ServedOperation } from "./operations/route-table.ts";
import { hasQuery, parametersIn, type Route } from "./operations/routes.ts";

/** From src/sandbox, and from dist/src/sandbox of the built package. */
const DOCUMENT = new URL(
  import.meta.url.endsWith(".js") ? "../../../docs/openapi.json" : "../../docs/openapi.json",
  import.meta.url,
);

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, ObjectSchema>> };
}

interface Described {
  readonly operationId: string;
  readonly requestBody: { readonly content: { readonly "application/json": Content } };
}

interface Content {
  readonly schema: { readonly $ref: string };
  readonly example: Members;
}

type Members = Readonly<Record<string, unknown>>;
type Schema = Readonly<Record<string, unknown>>;

interface ObjectSchema {
  readonly properties: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

/** The document as JSON text, with the digits of its samples. */
export function servedDocument(served: readonly ServedOperation[]): string {
  const document = parseJson(readFileSync(DOCUMENT, "utf8")) as Document;
  const described = new Map(
    Object.values(document.paths)
      .flatMap((methods) => Object.values(methods))
      .map((operation) => [operation.operationId, operation]),
  );
  const paths: Record<string, Record<string, unknown>> = {};
  for (const { operation, ...route } of served) {
    const found = described.get(operation.name);
    const moved = found && addressed(found, route, document);
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: moved };
  }
  return writeJson({ ...document, paths });
}

/** The operation with the parameters of its address, and a body with all others. */
function addressed(
  { requestBody, ...operation }: Described,
  route: Route,
  { components }: Document,
): unknown {
  const inPath = parametersIn(route.path);
  if (!hasQuery(route) && inPath.length === 0) return { ...operation, requestBody };
  const { schema, example } = requestBody.content["application/json"];
  const { properties, required = [] } = components.schemas[schema.$ref.split("/").at(-1) ?? ""] ?? NOTHING;
  const isInAddress = (name: string) => hasQuery(route) || inPath.includes(name);
  const parameters = Object.entries(properties)
    .filter(([name]) => isInAddress(name))
    .map(([name, property]) => ({
      name,
      in: inPath.includes(name) ? "path" : "query",
      required: required.includes(name),
      schema: withoutNull(property),
    }));
  if (hasQuery(route)) return { ...operation, parameters };
  const others = <Value>(members: Readonly<Record<string, Value>>) =>
    Object.fromEntries(Object.entries(members).filter(([name]) => !isInAddress(name)));
  const body = {
    type: "object",
    properties: others(properties),
    required: required.filter((name) => !isInAddress(name)),
  };
  const content = { "application/json": { schema: body, example: others(example) } };
  return { ...operation, parameters, requestBody: { required: true, content } };
}

const NOTHING: ObjectSchema = { properties: {} };

/** An address leaves a parameter out where a body may have null. */
function withoutNull({ anyOf, ...schema }: Schema): Schema {
  const variants: readonly Schema[] = Array.isArray(anyOf) ? anyOf : [];
  const { type, ...rest } = { ...schema, ...variants.find((variant) => variant["type"] !== "null") };
  return { ...rest, type: Array.isArray(type) ? type.find((name) => name !== "null") : type };
}
