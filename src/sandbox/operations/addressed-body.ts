/**
 * Turns the parameters in a request's address into the JSON body that would mean the same, so that all further code
 * reads one form. The operation's request table decides whether a text is a number, a boolean or a list item.
 */
import type { z } from "zod";
import { parseJson, writeJson } from "../../wire/index.ts";
import { NUMBER_MARK } from "../../wire/json.ts";
import { invalidParameter } from "../refusal.ts";
import { type ParameterType, parametersOf } from "./parameters.ts";

export interface Addressed {
  /** Names and values from the path, still percent-encoded. */
  readonly path: readonly Pair[];
  /** The query without its question mark; undefined if the parameters are in the body. */
  readonly query: string | undefined;
}

/** Returns the body with all parameters, from an address and a body. */
export type AddressReader = (sent: Addressed, body: string) => string;

/**
 * Reads requests of a table. In the query a list repeats its name; every other parameter occurs once, or twice with
 * one value if the path has it too. Throws 400 INVALID_PARAMETER. A body that is not a JSON object is returned
 * unchanged, for its reader to refuse.
 */
export function addressReader(table: z.ZodType): AddressReader {
  const parameters = parametersOf(table);
  const members = (pairs: readonly Pair[]) => membersOf(pairs, (name) => parameters.get(name)?.schema.type);
  return ({ path, query }, body) => {
    const fromPath = members(path.map(([name, value]) => [name, decoded(value)]));
    if (query === undefined) {
      const sent = objectIn(body);
      return sent === undefined ? body : writeJson(merged(sent, fromPath));
    }
    if (body !== "") throw invalidParameter("the body: expected none, the parameters are in the query");
    return writeJson(merged(members(pairsOf(query)), fromPath));
  };
}

type Pair = readonly [name: string, value: string];
type Members = Readonly<Record<string, unknown>>;

function merged(sent: Members, fromPath: Members): Members {
  for (const [name, value] of Object.entries(fromPath)) {
    if (Object.hasOwn(sent, name) && sent[name] !== value) {
      throw invalidParameter(`${name}: the path has another one`);
    }
  }
  return { ...fromPath, ...sent };
}

function membersOf(pairs: readonly Pair[], typeOf: (name: string) => ParameterType | undefined): Members {
  const byName = Map.groupBy(pairs, ([name]) => name);
  return Object.fromEntries(
    [...byName].map(([name, sent]) => {
      const type = typeOf(name);
      const values = sent.map(([, value]) => readValue(value, type));
      const isRepeated = values.length > 1;
      if (isRepeated && type !== undefined && type !== "array")
        throw invalidParameter(`${name}: expected once`);
      return [name, isRepeated || type === "array" ? values : values[0]];
    }),
  );
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Reads a text as parseJson would in a body. If it does not fit its type, the request's table refuses it. */
function readValue(text: string, type: ParameterType | undefined): unknown {
  if ((type === "integer" || type === "number") && NUMBER.test(text)) return `${NUMBER_MARK}${text}`;
  if (type === "boolean" && (text === "true" || text === "false")) return text === "true";
  return text;
}

/** Names and values of a query; a blank is written as `+` or `%20`. */
function pairsOf(query: string): Pair[] {
  return query
    .split("&")
    .filter((pair) => pair !== "")
    .map((pair) => {
      const [name = "", ...value] = pair.replaceAll("+", " ").split("=");
      return [decoded(name), decoded(value.join("="))];
    });
}

function decoded(sent: string): string {
  const text = percentDecoded(sent);
  if (text === undefined) throw invalidParameter("the address: expected percent-encoded UTF-8");
  // Such a text would be mistaken for a marked number.
  if (text.startsWith(NUMBER_MARK)) throw invalidParameter("the address: a text begins with a NUL character");
  return text;
}

/** Undefined for a broken percent-encoding or bytes that are not UTF-8. */
export function percentDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function objectIn(body: string): Members | undefined {
  try {
    const sent = parseJson(body);
    return typeof sent === "object" && sent !== null && !Array.isArray(sent) ? { ...sent } : undefined;
  } catch {
    return undefined;
  }
}
