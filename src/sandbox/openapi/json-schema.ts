/**
 * Converts the wire schemas to JSON Schema. They read marked text (wire/json.ts), so zod alone would call every
 * number a string; the JSON type of each scalar is defined here.
 */
import { z } from "zod";
import { fault } from "../../faults/index.ts";
import * as wire from "../../wire/index.ts";
import type { Operation } from "../operations/operation.ts";

export type JsonSchema = Readonly<Record<string, unknown>>;

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

export interface NamedSchemas {
  readonly schemas: Readonly<Record<string, JsonSchema>>;
  nameOf(table: z.ZodType): string;
}

/** The interface's schemas, and those of the sandbox's own operations under the operation's name. */
export function jsonSchemas(operations: readonly Operation[]): NamedSchemas {
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

/** One schema with everything inlined. */
export function jsonSchemaOf(table: z.ZodType): JsonSchema {
  return z.toJSONSchema(table, { io: "input", override: asOnTheWire });
}

function asOnTheWire({ zodSchema, jsonSchema }: { zodSchema: unknown; jsonSchema: object }): void {
  const scalar = SCALARS.get(zodSchema);
  if (scalar === undefined) return;
  for (const key of Object.keys(jsonSchema)) Reflect.deleteProperty(jsonSchema, key);
  Object.assign(jsonSchema, scalar);
}
