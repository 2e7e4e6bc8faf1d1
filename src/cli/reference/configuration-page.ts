/** docs/reference/configuration.md: every key of paydrop.yaml, from the schema that reads it. */
import { configJsonSchema } from "../../config/json-schema.ts";
import { page, prose, table } from "./markdown.ts";

/** The members of a JSON Schema (draft 7) that say what a key may hold. */
interface KeySchema {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, KeySchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: KeySchema | boolean;
  readonly items?: KeySchema;
  readonly anyOf?: readonly KeySchema[];
}

interface Key {
  readonly path: string;
  readonly schema: KeySchema;
  readonly isRequired: boolean;
}

const INTRODUCTION = `# Configuration

Every key of \`paydrop.yaml\`. [samples/paydrop.yaml](../../samples/paydrop.yaml) shows all of them in use, and
its first line leads an editor to [the schema](../paydrop.schema.json). Relative paths belong to the folder of the
configuration. Amounts are quoted texts. Every key but \`approval\` and \`people\` can also be set by an environment
variable: \`service.baseUrl\` by \`PAYDROP_SERVICE_BASE_URL\`.

Secrets come from the environment only, each as itself or as \`NAME_FILE\`, the path of a file that only its owner may
read: \`PAYDROP_KEY\`, \`PAYDROP_SIGNING_SECRET\`, \`PAYDROP_OTP_SECRET\` (each with the name of a further key at its
end: \`PAYDROP_KEY_PAYROLL\`), \`PAYDROP_PROXY_CREDENTIALS\`, \`PAYDROP_NOTICES_URL\`,
\`PAYDROP_NOTICES_PASSWORD\`, \`PAYDROP_EVENTS_URL\`, \`PAYDROP_EVENTS_SECRET\` and \`DATABASE_URL\`.`;

export function configurationPage(): string {
  const { properties = {}, required = [] }: KeySchema = configJsonSchema();
  const sections = Object.entries(properties).map(([name, schema]) => ({
    name,
    about: schema.description,
    keys: keysOf({ path: name, schema, isRequired: required.includes(name) }),
  }));
  return page([
    INTRODUCTION,
    "",
    ...sections.flatMap(({ name, about, keys }) => [
      `## ${name}`,
      "",
      ...(about === undefined || keys.some(({ path }) => path === name) ? [] : [prose(about), ""]),
      ...table(["key", "holds", "default", "means"], keys.map(row)),
    ]),
  ]);
}

/** A key, and those below it. A key that only holds others, without a description, is left out. */
function keysOf(key: Key): readonly Key[] {
  const { path, schema } = key;
  const { properties, items, additionalProperties } = schema;
  if (properties !== undefined) {
    const below = Object.entries(properties).flatMap(([name, each]) =>
      keysOf({ path: `${path}.${name}`, schema: each, isRequired: isRequired(schema, name) }),
    );
    return path.includes(".") && schema.description !== undefined ? [key, ...below] : below;
  }
  if (items?.properties !== undefined) return [key, ...keysOf({ ...key, path: `${path}[]`, schema: items })];
  if (typeof additionalProperties === "object" && additionalProperties.properties !== undefined)
    return [key, ...keysOf({ ...key, path: `${path}.NAME`, schema: additionalProperties })];
  return [key];
}

function isRequired({ required = [] }: KeySchema, name: string): boolean {
  return required.includes(name);
}

function row({ path, schema, isRequired }: Key): readonly string[] {
  return [
    `\`${path}\``,
    held(schema),
    isRequired ? "required" : given(schema),
    prose(schema.description ?? ""),
  ];
}

/** "`main`, `test`", "1 to 256", "a list of texts": what a key may hold, in words. */
function held(schema: KeySchema): string {
  const { type, items, anyOf, additionalProperties } = schema;
  if (schema.enum !== undefined) return schema.enum.map((word) => `\`${shown(word)}\``).join(", ");
  if (anyOf !== undefined) return [...new Set(anyOf.map(held))].join(" or ");
  if (type === "array") return items?.enum === undefined ? "a list" : `a list of ${held(items)}`;
  if (type === "integer") return range(schema);
  if (type === "boolean") return "`true`, `false`";
  if (type === "object") return typeof additionalProperties === "object" ? "a map" : "keys";
  return "a text";
}

/** Zod's default bounds of an integer, which the page leaves out. */
const UNBOUNDED = Number.MAX_SAFE_INTEGER;

function range({ minimum = -UNBOUNDED, maximum = UNBOUNDED }: KeySchema): string {
  return maximum === UNBOUNDED ? `a number from ${minimum}` : `a number from ${minimum} to ${maximum}`;
}

function given({ default: value, properties }: KeySchema): string {
  const isEmpty = value === undefined || (typeof value === "object" && Object.keys(value ?? {}).length === 0);
  if (isEmpty || properties !== undefined) return "none";
  return `\`${typeof value === "object" ? JSON.stringify(value) : shown(`${value}`)}\``;
}

/** A tab as it is written in YAML. */
function shown(text: string): string {
  return text.replaceAll("\t", "\\t");
}
