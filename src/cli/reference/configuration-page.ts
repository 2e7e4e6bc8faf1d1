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

The keys of \`paydrop.yaml\`; [samples/paydrop.yaml](../../samples/paydrop.yaml) uses all of them, and its first
line leads an editor to [the schema](../paydrop.schema.json). "values" has the default in bold, then what else a key
may hold; without any, another value like it, or a text. Paths are relative to the configuration's folder, amounts are
quoted texts. A variable can set each key but \`approval\` and \`people\`: \`PAYDROP_SERVICE_BASE_URL\` sets
\`service.baseUrl\`.

Secrets come from the environment only, each as itself or as \`NAME_FILE\`, the path of a file that only its owner
may read: \`PAYDROP_KEY\`, \`PAYDROP_SIGNING_SECRET\`, \`PAYDROP_OTP_SECRET\` (of a further key
\`PAYDROP_KEY_PAYROLL\`), \`PAYDROP_PROXY_CREDENTIALS\`, \`PAYDROP_NOTICES_URL\`,
\`PAYDROP_NOTICES_PASSWORD\`, \`PAYDROP_EVENTS_URL\`, \`PAYDROP_EVENTS_SECRET\` and \`DATABASE_URL\`.`;

export function configurationPage(): string {
  const { properties = {}, required = [] }: KeySchema = configJsonSchema();
  const sections = Object.entries(properties).map(([name, schema]) => ({
    name,
    about: schema.description,
    keys: keysOf({ path: name, schema, isRequired: required.includes(name) }),
  }));
  const all = sections.flatMap(({ keys }) => keys);
  return page([
    INTRODUCTION,
    "",
    ...sections.flatMap(({ name, about, keys }) => [
      `## ${name}`,
      "",
      ...(about === undefined || keys.some(({ path }) => path === name) ? [] : [prose(about), ""]),
      ...table(
        ["key", "values", "means"],
        keys.map((key) => row(key, all)),
      ),
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

function row({ path, schema, isRequired }: Key, all: readonly Key[]): readonly string[] {
  const values = refersToAnother(schema) ? [] : [given(schema, isRequired), heldBesides(path, schema, all)];
  return [`\`${path}\``, values.filter((part) => part !== "").join("; "), prose(schema.description ?? "")];
}

/** As `held`, but a long list that another key has is not repeated. */
function heldBesides(path: string, schema: KeySchema, all: readonly Key[]): string {
  const { enum: words = [] } = schema;
  const other = all.find(
    ({ path: name, schema: { enum: listed = [] } }) =>
      name !== path && listed.length >= LONG_MIN && listed.every((word) => words.includes(word)),
  );
  const listed = new Set(other?.schema.enum);
  if (other === undefined || listed.size === words.length) return held(schema);
  return `${held({ ...schema, enum: words.filter((word) => !listed.has(word)) })}, and those of \`${other.path}\``;
}

const LONG_MIN = 10;

/** "`main`, `test`", "1–256", "list": what a key may hold; nothing of a text, and of a key that holds others. */
function held(schema: KeySchema): string {
  const { type, items, anyOf, additionalProperties, default: value } = schema;
  if (schema.enum !== undefined)
    return schema.enum
      .filter((word) => word !== value)
      .map((word) => `\`${shown(word)}\``)
      .join(", ");
  if (anyOf !== undefined) return [...new Set(anyOf.map((each) => held(each) || "text"))].join(" or ");
  if (type === "array" && Array.isArray(value)) return "";
  if (type === "array") return items?.enum === undefined ? "list" : `list of ${held(items)}`;
  if (type === "integer") return range(schema);
  if (type === "boolean") return value === undefined ? "`true`, `false`" : "";
  return type === "object" && typeof additionalProperties === "object" ? "map" : "";
}

/** Zod's default bounds of an integer, which the page leaves out. */
const UNBOUNDED = Number.MAX_SAFE_INTEGER;

function range({ minimum = -UNBOUNDED, maximum = UNBOUNDED }: KeySchema): string {
  return maximum === UNBOUNDED ? `from ${minimum}` : `${minimum}–${maximum}`;
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
