/** Environment variables over paydrop.yaml: `service.baseUrl` is overridden by PAYDROP_SERVICE_BASE_URL. */
import { parse } from "yaml";
import { z } from "zod";
import { fault } from "../faults/index.ts";
import { configSchema } from "./schema.ts";
import { SECRET_VARIABLES } from "./secrets.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

const PREFIX = "PAYDROP_";

/** The document with every PAYDROP_ variable put in its place. A variable that names no key is a Fault: it is a typing mistake. */
export function overrideFrom(environment: Environment, document: unknown): unknown {
  let result = document;
  for (const [variable, value] of Object.entries(environment)) {
    if (value === undefined || !variable.startsWith(PREFIX) || SECRET_VARIABLES.has(variable)) continue;
    const path = pathOf(variable);
    if (path === undefined) {
      throw fault("CONFIG_KEY_UNKNOWN", {
        path: variable,
        hint: " from the environment, or correct its name",
      });
    }
    result = withValue(result, path, parse(value));
  }
  return result;
}

interface SchemaNode {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly additionalProperties?: SchemaNode | boolean;
}

function pathOf(variable: string): string[] | undefined {
  const root = z.toJSONSchema(configSchema, { io: "input", unrepresentable: "any" }) as SchemaNode;
  return findPath(root, variable.slice(PREFIX.length));
}

/** The path of keys whose names, in upper snake case and joined by `_`, are `name`. */
function findPath(node: SchemaNode, name: string): string[] | undefined {
  for (const [key, child] of Object.entries(node.properties ?? {})) {
    const written = upperSnake(key);
    if (name === written) return [key];
    const rest = name.startsWith(`${written}_`) ? findPath(child, name.slice(written.length + 1)) : undefined;
    if (rest !== undefined) return [key, ...rest];
  }
  const takesAnyKey = typeof node.additionalProperties === "object";
  return takesAnyKey && name !== "" ? [name] : undefined;
}

function upperSnake(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

function withValue(document: unknown, path: readonly string[], value: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  const members =
    typeof document === "object" && document !== null && !Array.isArray(document) ? document : {};
  return { ...members, [key]: withValue(Reflect.get(members, key), rest, value) };
}
