/**
 * The wire tables as JSON Schema. The tables read marked text (wire/json.ts), so that zod alone would call every number a string:
 * what each scalar is in the JSON document is written here, once.
 */
import { z } from "zod";
import {
  accountBalance,
  authorization,
  balanceBreakdown,
  currency,
  dateTime,
  decimal,
  deposit,
  errorObject,
  exchangeRate,
  funds,
  int64,
  integer,
  money,
  payout,
  sortCriterion,
  sortDescriptor,
  uuid,
  uuidList,
} from "../../wire/index.ts";

export type JsonSchema = Readonly<Record<string, unknown>>;

/** Tables that have a name of their own in the document, under `#/components/schemas`. */
const NAMED = {
  Money: money,
  Currency: currency,
  ExchangeRate: exchangeRate,
  Funds: funds,
  Authorization: authorization,
  Payout: payout,
  Deposit: deposit,
  SortDescriptor: sortDescriptor,
  AccountBalance: accountBalance,
  BalanceBreakdown: balanceBreakdown,
  Error: errorObject,
} as const;

const SCALARS: ReadonlyMap<unknown, JsonSchema> = new Map<unknown, JsonSchema>([
  [decimal, { type: "number", description: "exact decimal; the precision is not shown" }],
  [int64, { type: "integer", format: "int64" }],
  [integer, { type: "integer" }],
  [uuid, { type: "string", format: "uuid" }],
  [uuidList, { type: "string", description: "UUIDs separated by commas" }],
  [sortCriterion, { type: "string", description: "property,(asc|desc); ascending without a direction" }],
  [dateTime, { type: "string", format: "date-time" }],
]);

/** The named tables and, by the key they are handed in under, the tables of operations, each as it is on the wire. */
export function jsonSchemas(tables: ReadonlyMap<string, z.ZodType>): Readonly<Record<string, JsonSchema>> {
  const registry = z.registry<{ id: string }>();
  for (const [id, table] of [...Object.entries(NAMED), ...tables]) {
    if (!registry.has(table)) registry.add(table, { id });
  }
  const { schemas } = z.toJSONSchema(registry, {
    io: "input",
    uri: (id) => `#/components/schemas/${id}`,
    override: ({ zodSchema, jsonSchema }) => {
      const scalar = SCALARS.get(zodSchema);
      if (scalar === undefined) return;
      for (const key of Object.keys(jsonSchema)) Reflect.deleteProperty(jsonSchema, key);
      Object.assign(jsonSchema, scalar);
    },
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, { $schema: _dialect, $id: _own, ...schema }]) => [id, schema]),
  );
}
