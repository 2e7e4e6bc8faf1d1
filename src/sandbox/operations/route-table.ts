/** Finds the operation for a method and an address, and reads the parameters in the address. */
import { type AddressReader, addressReader } from "./addressed-body.ts";
import type { Operation } from "./operation.ts";
import { hasQuery, parameterIn, parametersIn, type Route } from "./routes.ts";

export interface ServedOperation extends Route {
  readonly operation: Operation;
}

export type RouteTable = ReturnType<typeof routeTable>;

export interface FoundRoute {
  readonly operation: Operation;
  /** The JSON body with all parameters of path, query and body. Throws 400 if there is no such body. */
  fullBody(body: string): string;
}

export function routeTable(served: readonly ServedOperation[]) {
  const places = served.map(placeOf).sort((place, other) => place.parameterCount - other.parameterCount);
  // Nearly all requests match here, with one look-up and nothing to read from their address.
  const plain = new Map(
    places
      .filter(({ reader }) => reader === undefined)
      .map(({ method, path, operation }) => [`${method} ${path}`, { operation, fullBody: unchanged }]),
  );
  return {
    /** The operation for a method and a path with its query. Paths without parameters take precedence. */
    find: (method: string, path: string): FoundRoute | undefined =>
      plain.get(`${method} ${path}`) ?? matchAmong(places, method, path),
    methodsAt: (path: string) => {
      const { pathname } = partsOf(path);
      return places
        .filter((place) => valuesIn(pathname, place.path) !== undefined)
        .map((place) => place.method);
    },
  };
}

interface Place extends ServedOperation {
  readonly parameterCount: number;
  /** Undefined if the address carries no parameters. */
  readonly reader: AddressReader | undefined;
}

function placeOf(route: ServedOperation): Place {
  const parameterCount = parametersIn(route.path).length;
  const reader = hasQuery(route) || parameterCount > 0 ? addressReader(route.operation.request) : undefined;
  return { ...route, parameterCount, reader };
}

function unchanged(body: string): string {
  return body;
}

function matchAmong(places: readonly Place[], method: string, path: string): FoundRoute | undefined {
  const { pathname, query } = partsOf(path);
  for (const place of places) {
    const values = place.method === method ? valuesIn(pathname, place.path) : undefined;
    if (values === undefined) continue;
    const { operation, reader } = place;
    if (reader === undefined) return { operation, fullBody: unchanged };
    const sent = { path: values, query: hasQuery(place) ? query : undefined };
    return { operation, fullBody: (body) => reader(sent, body) };
  }
  return undefined;
}

function partsOf(path: string): { readonly pathname: string; readonly query: string } {
  const at = path.indexOf("?");
  return at < 0 ? { pathname: path, query: "" } : { pathname: path.slice(0, at), query: path.slice(at + 1) };
}

/** The path's parameters as sent, by name; undefined if the path does not match. */
function valuesIn(pathname: string, template: string): (readonly [string, string])[] | undefined {
  const segments = pathname.split("/");
  const expected = template.split("/");
  if (segments.length !== expected.length) return undefined;
  const values: [string, string][] = [];
  for (const [at, wanted] of expected.entries()) {
    const segment = segments[at] ?? "";
    const name = parameterIn(wanted);
    if (name === undefined ? segment !== wanted : segment === "") return undefined;
    if (name !== undefined) values.push([name, segment]);
  }
  return values;
}
