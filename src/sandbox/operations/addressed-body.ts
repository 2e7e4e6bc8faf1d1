/**
 * What a request says in its address, as the JSON body that would say the same, so that everything after reads one form. The
 * request's own table decides what a text stands for: digits of a number, a truth value, an item of a list.
 */
import type { z } from "zod";
import { parseJson, writeJson } from "../../wire/index.ts";
import { NUMBER_MARK } from "../../wire/json.ts";
import { invalidParameter } from "../refusal.ts";
import { type ParameterType, parametersOf } from "./parameters.ts";

export interface Addressed {
  /** Names and values out of the path, still percent-encoded. */
  readonly path: readonly Pair[];
  /** The query without its question mark; undefined where the parameters are in the body. */
  readonly query: string | undefined;
}

/** Makes the body of all parameters from an address and a body. */
export type AddressReader = (sent: Addressed, body: string) => string;

/**
 * The reader for requests of a table. A list repeats its name in the query; every other parameter comes once, or twice alike where
 * the path has it too. It throws 400 INVALID_PARAMETER. A body that is no JSON object comes back as it is: its reader refuses it.
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

/** As parseJson would have read it from a body. What does not fit its type stays a text, and the table says what is wrong. */
function readValue(text: string, type: ParameterType | undefined): unknown {
  if ((type === "integer" || type === "number") && NUMBER.test(text)) return `${NUMBER_MARK}${text}`;
  if (type === "boolean" && (text === "true" || text === "false")) return text === "true";
  return text;
}

/** Names and values of a query, a blank written as `+` or `%20`. */
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
  // It would pass for the mark of a number.
  if (text.startsWith(NUMBER_MARK)) throw invalidParameter("the address: a text begins with a NUL character");
  return text;
}

/** Undefined where a percent sign stands for nothing, or the bytes are no UTF-8. */
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
