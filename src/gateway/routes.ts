/**
 * Where a request goes and where its members travel. Operations with a path are a POST with a JSON body; those without one go by
 * the configuration's `routes`: to a query for GET and DELETE, to a JSON body otherwise, and members named in the path into it.
 */
import type { HttpMethod } from "../context/transport.ts";
import { type Fault, fault } from "../faults/index.ts";
import { Decimal } from "../money/index.ts";
import { type PathlessOperation, writeJson } from "../wire/index.ts";
import { type OperationName, operationOf } from "./operations.ts";

export interface Route {
  readonly method: HttpMethod;
  /** Below the base URL: "/payouts/{payoutId}/void". */
  readonly path: string;
}

export type Routes = { readonly [Name in PathlessOperation]?: Route | undefined };

export interface Target {
  readonly method: HttpMethod;
  /** With the query, if there is one. */
  readonly path: string;
  readonly body: Buffer;
}

/** Throws ROUTE_MISSING for an operation that has neither a path of its own nor a route. */
export function routeOf(name: OperationName, routes: Routes): Route {
  const { path } = operationOf(name);
  if (path !== undefined) return { method: "POST", path };
  const route = routes[name as PathlessOperation];
  if (route === undefined) throw fault("ROUTE_MISSING", { operation: name }, { operation: name });
  return route;
}

/** The request of an operation below `basePath`. Throws ROUTE_MISSING, or CONFIG_KEY_INVALID for a path that asks for a member it has not. */
export function targetOf(
  name: OperationName,
  members: Readonly<Record<string, unknown>>,
  basePath: string,
  routes: Routes,
): Target {
  const { method, path: template } = routeOf(name, routes);
  const rest = new Map(Object.entries(members));
  const path = `${basePath}${template.replace(/\{(\w+)\}/g, (_whole, member: string) => {
    const value = rest.get(member);
    rest.delete(member);
    if (typeof value !== "string") throw unknownMember(name, member);
    return encodeURIComponent(value);
  })}`;
  if (method === "GET" || method === "DELETE") {
    const query = queryOf(rest).toString();
    return { method, path: query === "" ? path : `${path}?${query}`, body: Buffer.alloc(0) };
  }
  return { method, path, body: Buffer.from(writeJson(Object.fromEntries(rest))) };
}

function unknownMember(name: OperationName, member: string): Fault {
  const path = `routes.${name}.path`;
  const reason = `the key \`${path}\` asks for {${member}}, which the operation does not have`;
  return fault("CONFIG_KEY_INVALID", { path, reason, hint: "" }, { key: path });
}

/** Arrays repeat their name. */
function queryOf(members: ReadonlyMap<string, unknown>): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of members) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined) query.append(name, parameterText(one));
    }
  }
  return query;
}

function parameterText(value: unknown): string {
  if (value instanceof Decimal || typeof value === "bigint") return value.toString();
  return typeof value === "string" ? value : writeJson(value);
}
