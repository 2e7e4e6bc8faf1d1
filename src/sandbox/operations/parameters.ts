/** The parameters of a request's table one by one, for addresses and for the OpenAPI document. */
import type { z } from "zod";
import { type JsonSchema, jsonSchemaOf } from "../openapi/json-schema.ts";

export interface Parameter {
  /** Without null: an address leaves a parameter out where a body may have null. */
  readonly schema: JsonSchema & { readonly type: ParameterType };
  readonly required: boolean;
}

export type ParameterType = "string" | "integer" | "number" | "boolean" | "array" | "object";

/** By name, in the table's order. */
export function parametersOf(table: z.ZodType): ReadonlyMap<string, Parameter> {
  const { properties = {}, required = [] }: ObjectSchema = jsonSchemaOf(table);
  return new Map(
    Object.entries(properties).map(([name, schema]) => [
      name,
      { schema: withoutNull(schema), required: required.includes(name) },
    ]),
  );
}

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

/** `{ type: ["integer", "null"] }` and `{ anyOf: [{ type: "integer" }, { type: "null" }] }` are both an integer. */
function withoutNull({ anyOf, ...schema }: JsonSchema): Parameter["schema"] {
  const parameter = Array.isArray(anyOf)
    ? { ...schema, ...anyOf.find((variant) => variant.type !== "null") }
    : schema;
  const { type } = parameter;
  return { ...parameter, type: Array.isArray(type) ? type.find((name) => name !== "null") : type };
}
