/** Turns the parameters in a request's address into the JSON body that would mean the same. */
import { parseJson, writeJson } from "../../wire/index.ts";
import { NUMBER_MARK } from "../../wire/json.ts";
import { invalidParameters } from "../refusal.ts";

export type Pair = readonly [name: string, value: string];
type Members = Readonly<Record<string, unknown>>;

/**
 * The body with the parameters of path and query. `query`: undefined if the parameters are in the body; in it a list
 * repeats its name. A body that is not a JSON object is returned unchanged, for its reader to refuse.
 */
export function bodyOf(inPath: readonly Pair[], query: string | undefined, body: string): string {
  const fromPath = membersOf(inPath.map(([name, value]) => [name, decoded(value)]));
  if (query !== undefined && body !== "")
    throw invalidParameters("the body: expected none, the parameters are in the query");
  const sent = query === undefined ? objectIn(body) : membersOf(pairsOf(query));
  if (sent === undefined) return body;
  for (const [name, value] of Object.entries(fromPath)) {
    if (Object.hasOwn(sent, name) && sent[name] !== value)
      throw invalidParameters(`${name}: the path has another one`);
  }
  return writeJson({ ...fromPath, ...sent });
}

/** What the parameters of the operations without a path are, if not text. */
const NUMBERS: ReadonlySet<string> = new Set(["page", "size", "nonce", "customFeeRate"]);
export const LISTS: ReadonlySet<string> = new Set(["references", "states", "sort"]);
const FLAGS: ReadonlySet<string> = new Set([
  "authorize",
  "verifyBalance",
  "subtractFee",
  "useCoinConsolidation",
  "batchingAllowed",
]);
const TEXTS: ReadonlySet<string> = new Set([
  "queryDate",
  "payoutIds",
  "depositIds",
  "accountIds",
  "payoutId",
  "depositId",
  "username",
]);
export const AMOUNT = "requestedAmount";

/** Names that the interface does not know may repeat too; they come back in the echo of a search. */
function membersOf(pairs: readonly Pair[]): Members {
  const byName = Map.groupBy(pairs, ([name]) => name);
  return Object.fromEntries(
    Array.from(byName, ([name, sent]) => {
      const values = sent.map(([, value]) => readValue(name, value));
      const isKnownOnce = NUMBERS.has(name) || FLAGS.has(name) || TEXTS.has(name);
      if (values.length > 1 && isKnownOnce) throw invalidParameters(`${name}: expected once`);
      return [name, values.length > 1 || LISTS.has(name) ? values : values[0]];
    }),
  );
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Reads a text as parseJson would in a body. If it does not fit its type, the request's table refuses it. */
function readValue(name: string, text: string): unknown {
  if (NUMBERS.has(name) && NUMBER.test(text)) return `${NUMBER_MARK}${text}`;
  if (FLAGS.has(name) && (text === "true" || text === "false")) return text === "true";
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
  if (text === undefined) throw invalidParameters("the address: expected percent-encoded UTF-8");
  // Such a text would be mistaken for a marked number.
  if (text.startsWith(NUMBER_MARK))
    throw invalidParameters("the address: a text begins with a NUL character");
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
