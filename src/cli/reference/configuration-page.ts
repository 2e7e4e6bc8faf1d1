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

Every key of \`paydrop.yaml\`; [samples/paydrop.yaml](../../samples/paydrop.yaml) shows all of them in use, and its
first line leads an editor to [the schema](../paydrop.schema.json). The column "values" has the default in bold, then
what else a key may hold; without any, a text. Paths are relative to the configuration's folder, amounts are quoted
texts. Every key but \`approval\` and \`people\` can also be set by a variable: \`service.baseUrl\` by
\`PAYDROP_SERVICE_BASE_URL\`.

Secrets come from the environment only, each as itself or as \`NAME_FILE\`, the path of a file that only its owner may
read: \`PAYDROP_KEY\`, \`PAYDROP_SIGNING_SECRET\`, \`PAYDROP_OTP_SECRET\` (for a further key with its name at the
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
      ...table(["key", "values", "means"], keys.map(row)),
    ]),
  ]);
}

/**
 * A key, and those below it. Left out are a key that only holds others, without a description, and the keys below one
 * that refers to another ("As `files.defaults`.").
 */
function keysOf(key: Key): readonly Key[] {
  const { path, schema } = key;
  const { properties, items, additionalProperties } = schema;
  if (properties !== undefined) {
    const isShown = path.includes(".") && schema.description !== undefined;
    return [...(isShown ? [key] : []), ...(refersToAnother(schema) ? [] : keysBelow(key, properties))];
  }
  if (items?.properties !== undefined) return [key, ...keysOf({ ...key, path: `${path}[]`, schema: items })];
  if (typeof additionalProperties === "object" && additionalProperties.properties !== undefined)
    return [key, ...keysOf({ ...key, path: `${path}.NAME`, schema: additionalProperties })];
  return [key];
}

/** Where all of several keys hold the same keys, these are shown once, below `*`. */
function keysBelow(key: Key, properties: Readonly<Record<string, KeySchema>>): readonly Key[] {
  const below = Object.entries(properties).map(([name, schema]) => ({
    path: `${key.path}.${name}`,
    schema,
    isRequired: (key.schema.required ?? []).includes(name),
  }));
  const [first] = below;
  const names = new Set(below.map(({ schema }) => Object.keys(schema.properties ?? {}).join()));
  if (first?.schema.properties === undefined || below.length < ALIKE_MIN || names.size > 1)
    return below.flatMap(keysOf);
  return [...below, ...keysBelow({ ...first, path: `${key.path}.*` }, first.schema.properties)];
}

const ALIKE_MIN = 3;

function refersToAnother({ description = "" }: KeySchema): boolean {
  return /^As `[\w.]+`\.$/.test(description);
}

function row({ path, schema, isRequired }: Key): readonly string[] {
  const values = refersToAnother(schema) ? [] : [given(schema, isRequired), held(schema)];
  return [`\`${path}\``, values.filter((part) => part !== "").join("; "), prose(schema.description ?? "")];
}

/** "`main`, `test`", "1 to 256", "list": what a key may hold; nothing of a text, and of a key that holds others. */
function held(schema: KeySchema): string {
  const { type, items, anyOf, additionalProperties, default: value } = schema;
  if (schema.enum !== undefined)
    return schema.enum
      .filter((word) => word !== value)
      .map((word) => `\`${shown(word)}\``)
      .join(", ");
  if (anyOf !== undefined) return [...new Set(anyOf.map((each) => held(each) || "text"))].join(" or ");
  if (type === "array") return items?.enum === undefined ? "list" : `list of ${held(items)}`;
  if (type === "integer") return range(schema);
  if (type === "boolean") return value === undefined ? "`true`, `false`" : `\`${value !== true}\``;
  return type === "object" && typeof additionalProperties === "object" ? "map" : "";
}

/** Zod's default bounds of an integer, which the page leaves out. */
const UNBOUNDED = Number.MAX_SAFE_INTEGER;

function range({ minimum = -UNBOUNDED, maximum = UNBOUNDED }: KeySchema): string {
  return maximum === UNBOUNDED ? `from ${minimum}` : `${minimum} to ${maximum}`;
}

/** Its default, in bold, or that it is required. */
function given({ default: value, properties }: KeySchema, isRequired: boolean): string {
  if (isRequired) return "required";
  const isEmpty = value === undefined || (typeof value === "object" && Object.keys(value ?? {}).length === 0);
  if (isEmpty || properties !== undefined) return "";
  return `**\`${typeof value === "object" ? JSON.stringify(value) : shown(`${value}`)}\`**`;
}

/** A tab as it is written in YAML. */
function shown(text: string): string {
  return text.replaceAll("\t", "\\t");
}
