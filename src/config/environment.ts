/** Overrides paydrop.yaml by environment variables: `service.baseUrl` by PAYDROP_SERVICE_BASE_URL. */
import { z } from "zod";
import { fault, readYaml } from "../faults/index.ts";
import type { Environment } from "./environment-variables.ts";
import { configSchema } from "./schema.ts";
import { isSecretVariable } from "./secrets.ts";

const PREFIX = "PAYDROP_";

const CONFIG_VARIABLE = "PAYDROP_CONFIG";

/** Anybody can set variables in their own shell, so variables must not say who may decide. */
const DECIDING = /^PAYDROP_(?:APPROVAL|PEOPLE)(?:_|$)/;

/**
 * Applies every PAYDROP_ variable, and returns which variable set which key path ("http.concurrency"). A variable
 * that matches no key is a Fault, since it is a typing mistake; so is one that says who may decide.
 */
export function overrideFrom(environment: Environment, document: unknown) {
  const variables = new Map<string, string>();
  let result = document;
  // By name, so that PAYDROP_LIMITS comes before PAYDROP_LIMITS_PER_ROW, which it would otherwise undo.
  for (const [variable, text] of Object.entries(environment).sort()) {
    if (text === undefined || !isOverride(variable)) continue;
    if (DECIDING.test(variable)) {
      const reason =
        "`approval` and `people` say who may decide, so they come from the configuration file only";
      throw fault("ENVIRONMENT_INVALID", { variable, reason }, { key: variable });
    }
    const found = findKey(allKeys(), variable.slice(PREFIX.length));
    if (found === undefined) {
      const reason =
        "it does not name a configuration key (PAYDROP_SERVICE_BASE_URL names `service.baseUrl`)";
      throw fault("ENVIRONMENT_INVALID", { variable, reason }, { key: variable });
    }
    // A text key takes the value literally: an amount must not become a number, nor a user named `yes` a boolean.
    const value = found.schema.type === "string" ? text : parseValue(variable, text);
    result = withValue(result, found.path, value);
    variables.set(found.path.join("."), variable);
  }
  return { document: result, variables };
}

/** PAYDROP_CONFIG belongs to the command line, and secrets are not configuration keys. */
function isOverride(variable: string): boolean {
  return variable.startsWith(PREFIX) && variable !== CONFIG_VARIABLE && !isSecretVariable(variable);
}

interface SchemaNode {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly additionalProperties?: SchemaNode | boolean;
  readonly items?: SchemaNode;
}

let keys: SchemaNode | undefined;

/** All keys, listed when first asked for: that takes 25 ms, and most commands run without overrides. */
function allKeys(): SchemaNode {
  keys ??= z.toJSONSchema(configSchema, { io: "input", unrepresentable: "any" }) as SchemaNode;
  return keys;
}

/** The keys at a path: `["limits"]` has perRow, perFile and so on. */
export function knownKeys(path: readonly PropertyKey[]): readonly string[] {
  const place = path.reduce<SchemaNode | undefined>(
    (node, step) => (typeof step === "number" ? node?.items : node?.properties?.[String(step)]),
    allKeys(),
  );
  return Object.keys(place?.properties ?? {});
}

interface Key {
  readonly path: readonly string[];
  readonly schema: SchemaNode;
}

/** The key whose path, in upper snake case and joined by `_`, is `name`. */
function findKey(node: SchemaNode, name: string): Key | undefined {
  for (const [key, child] of Object.entries(node.properties ?? {})) {
    const written = upperSnake(key);
    if (name === written) return { path: [key], schema: child };
    const rest = name.startsWith(`${written}_`) ? findKey(child, name.slice(written.length + 1)) : undefined;
    if (rest !== undefined) return { path: [key, ...rest.path], schema: rest.schema };
  }
  const member = node.additionalProperties;
  return typeof member === "object" && name !== "" ? { path: [name], schema: member } : undefined;
}

function upperSnake(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

/** Numbers, booleans, lists and maps are written as in the file: in YAML, of which JSON is a subset. */
function parseValue(variable: string, text: string): unknown {
  const read = readYaml(text);
  if ("value" in read) return read.value;
  throw fault("ENVIRONMENT_INVALID", { variable, reason: read.reason }, { key: variable });
}

function withValue(document: unknown, path: readonly string[], value: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  const members =
    typeof document === "object" && document !== null && !Array.isArray(document) ? document : {};
  return { ...members, [key]: withValue(Reflect.get(members, key), rest, value) };
}
