/**
 * Builds the method, path and body of a request. Operations with a path are a POST with a JSON body. Pathless
 * operations follow the configured `routes`: placeholders in the path are filled from the members; the other
 * members go to the query for GET and DELETE, and to a JSON body otherwise.
 */
import type { HttpMethod } from "../context/transport.ts";
import { type Fault, fault } from "../faults/index.ts";
import { PATHLESS_OPERATIONS, type PathlessOperation, writeJson } from "../wire/index.ts";
import { type OperationName, operationOf } from "./operations.ts";

export interface Route {
  readonly method: HttpMethod;
  /** Relative to the base URL: "/payouts/{payoutId}/void". */
  readonly path: string;
}

export type Routes = { readonly [Name in PathlessOperation]?: Route | undefined };

export interface Target {
  readonly method: HttpMethod;
  /** Including the query, if any. */
  readonly path: string;
  readonly body: Buffer;
}

/** Method and path of an operation. Throws INTERFACE_GAP if neither the interface nor `routes` gives a path. */
export function routeOf(name: OperationName, routes: Routes): Route {
  const { path } = operationOf(name);
  if (path !== undefined) return { method: "POST", path };
  const route = routes[name as PathlessOperation];
  if (route === undefined) {
    const [what, key] = [`method and path of ${name}`, `routes.${name}`];
    const keys = `\`${key}.method\` (GET, POST, ...) and \`${key}.path\` (/...)`;
    throw fault("INTERFACE_GAP", { what, key, keys }, { operation: name });
  }
  return route;
}

/** Throws CONFIG_KEY_INVALID for an unknown placeholder, before an intent is written for such a call. */
export function requireFillablePaths(routes: Routes): void {
  for (const name of PATHLESS_OPERATIONS) {
    for (const [, member = ""] of routes[name]?.path.matchAll(PLACEHOLDER) ?? []) {
      if (!PATH_MEMBERS[name].includes(member)) throw unknownMember(name, member);
    }
  }
}

/** Throws INTERFACE_GAP, or CONFIG_KEY_INVALID for a placeholder that `members` cannot fill. */
export function targetOf(
  name: OperationName,
  members: Readonly<Record<string, unknown>>,
  basePath: string,
  routes: Routes,
): Target {
  const { method, path: template } = routeOf(name, routes);
  if (method === "POST" && !template.includes("{"))
    return { method, path: basePath + template, body: Buffer.from(writeJson(members)) };
  const texts = new Map(Object.entries(members));
  const rest = new Map(texts);
  const path = `${basePath}${template.replace(PLACEHOLDER, (_whole, member: string) => {
    const value = texts.get(member);
    rest.delete(member);
    if (typeof value !== "string") throw unknownMember(name as PathlessOperation, member);
    return encodeURIComponent(value);
  })}`;
  if (method === "GET" || method === "DELETE") {
    const query = queryOf(rest).toString();
    return { method, path: query === "" ? path : `${path}?${query}`, body: Buffer.alloc(0) };
  }
  return { method, path, body: Buffer.from(writeJson(Object.fromEntries(rest))) };
}

/** Matches anything between braces, so that a misspelt name is refused instead of sent. */
const PLACEHOLDER = /\{([^}]*)\}/g;

/** The text members that an operation always has, and which its path may therefore contain. */
const PATH_MEMBERS: Readonly<Record<PathlessOperation, readonly string[]>> = {
  searchPayouts: [],
  searchDeposits: [],
  createPayoutWithFirstAuthorization: ["accountId", "reference", "username"],
  createDepositPathless: ["accountId", "reference"],
  voidPayoutPathless: ["payoutId"],
  voidDepositPathless: ["depositId"],
  accountBalances: ["accountIds"],
  accountsOfUser: ["username"],
};

function unknownMember(name: PathlessOperation, member: string): Fault {
  const path = `routes.${name}.path`;
  const reason = `the key \`${path}\` asks for {${member}}, which ${name} does not always have`;
  const possible = PATH_MEMBERS[name].map((member) => `{${member}}`).join(" and ");
  const hint = possible === "" ? ": it can have no {...}" : `: it can have ${possible}`;
  return fault("CONFIG_KEY_INVALID", { path, reason, hint }, { key: path });
}

/** An array becomes one parameter per item, all with the same name. */
function queryOf(members: ReadonlyMap<string, unknown>): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of members) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== undefined) query.append(name, parameterText(item));
    }
  }
  return query;
}

function parameterText(value: unknown): string {
  return typeof value === "string" ? value : writeJson(value);
}
