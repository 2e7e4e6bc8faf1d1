/** Finds the operation for a method and an address. The rules say where `routes` may put those without a path. */
import { z } from "zod";
import { fault } from "../../faults/index.ts";
import type { PathlessOperation } from "../../wire/index.ts";
import { complaintsOf, type Rule } from "../refusal.ts";
import { AMOUNT, bodyOf, LISTS, type Pair } from "./addressed-body.ts";
import type { Operation } from "./operation.ts";
import { hasQuery, parameterIn, parametersIn, type Route, type Routes } from "./routes.ts";
import { operations } from "./table.ts";

export interface ServedOperation extends Route {
  readonly operation: Operation;
}

/** Every operation with its method and path. Throws CONFIG_KEY_INVALID if `brokenRoutes` finds a problem. */
export function servedOperations(routes: Routes): ServedOperation[] {
  const [broken] = brokenRoutes(routes);
  if (broken === undefined) return operationsAt(routes);
  const key = `routes.${broken.name}`;
  throw fault("CONFIG_KEY_INVALID", { reason: broken.reason, path: key, hint: "" }, { key });
}

function operationsAt(routes: Routes): ServedOperation[] {
  return operations.map((operation) => {
    const { name, path } = operation;
    if (path !== undefined) return { operation, method: "POST", path };
    return { operation, ...routes[name as PathlessOperation] };
  });
}

/** Every rule that routes break: what a path may look like, what fits in a query, and which paths are taken. */
export function brokenRoutes(routes: Routes) {
  const served = operationsAt(routes);
  return served.flatMap((route, at) => {
    const { name, path } = route.operation;
    if (path !== undefined) return [];
    const rules = [...placeRules(route, served.slice(0, at)), ...parameterRules(route)];
    return complaintsOf(rules).map((reason) => ({ name, reason }));
  });
}

function placeRules(route: Route, others: readonly Route[]): Rule[] {
  const { method, path } = route;
  return [
    [/^\/[^\s?#]*$/.test(path), `${path} is no path: expected / first, and no blank, ? or #`],
    [!/^\/(?:openapi\.json|control(?:\/.*)?)?$/.test(path), `the sandbox itself is at ${path}`],
    [
      !others.some((other) => overlap(route, other)),
      `another operation of the sandbox is at ${method} ${path}`,
    ],
  ];
}

function parameterRules(route: ServedOperation): Rule[] {
  const { method, path } = route;
  const { request } = route.operation;
  const parameters = request instanceof z.ZodObject ? Object.keys(request.shape) : [];
  const names = parametersIn(path);
  const braced = path.split("/").filter((segment) => /[{}]/.test(segment));
  return [
    [braced.length === names.length, `${path}: expected a parameter in braces as a whole segment`],
    ...names.map(
      (name, at): Rule => [
        parameters.includes(name) && !LISTS.has(name) && name !== AMOUNT && names.indexOf(name) === at,
        `${path}: {${name}} is no parameter of the operation that a path can carry once`,
      ],
    ),
    [
      !hasQuery(route) || !parameters.includes(AMOUNT),
      `${method} has no body, and an amount of money does not fit in a query: expected POST, PUT or PATCH`,
    ],
  ];
}

/** Whether a request could match both. A path without parameters takes precedence, so it overlaps no other kind. */
function overlap(first: Route, other: Route): boolean {
  const [segments, otherSegments] = [first.path.split("/"), other.path.split("/")];
  const isLiteral = (route: Route) => parametersIn(route.path).length === 0;
  return (
    first.method === other.method &&
    isLiteral(first) === isLiteral(other) &&
    segments.length === otherSegments.length &&
    segments.every((segment, at) => {
      const beside = otherSegments[at] ?? "";
      return segment === beside || [segment, beside].some((one) => parameterIn(one) !== undefined);
    })
  );
}

interface FoundRoute {
  readonly operation: Operation;
  /** The JSON body with all parameters of path, query and body. Throws 400 if there is no such body. */
  fullBody(body: string): string;
}

export type RouteTable = ReturnType<typeof routeTable>;

export function routeTable(served: readonly ServedOperation[]) {
  const isPlain = (route: Route) => !hasQuery(route) && parametersIn(route.path).length === 0;
  // Nearly all requests match here, with one look-up and nothing to read from their address.
  const plain = new Map(
    served
      .filter(isPlain)
      .map(({ method, path, operation }) => [`${method} ${path}`, { operation, fullBody: unchanged }]),
  );
  const byParameters = served.toSorted(
    (one, other) => parametersIn(one.path).length - parametersIn(other.path).length,
  );
  const find = (method: string, address: string): FoundRoute | undefined => {
    const [pathname, query] = partsOf(address);
    for (const route of byParameters) {
      const inPath = route.method === method ? valuesIn(pathname, route.path) : undefined;
      if (inPath === undefined) continue;
      const { operation } = route;
      if (isPlain(route)) return { operation, fullBody: unchanged };
      return { operation, fullBody: (body) => bodyOf(inPath, hasQuery(route) ? query : undefined, body) };
    }
    return undefined;
  };
  return {
    /** The operation for a method and a path with its query. Paths without parameters take precedence. */
    find: (method: string, address: string) => plain.get(`${method} ${address}`) ?? find(method, address),
    methodsAt: (address: string) => {
      const [pathname] = partsOf(address);
      return served.filter(({ path }) => valuesIn(pathname, path) !== undefined).map(({ method }) => method);
    },
  };
}

function unchanged(body: string): string {
  return body;
}

function partsOf(address: string): [pathname: string, query: string] {
  const at = address.indexOf("?");
  return at < 0 ? [address, ""] : [address.slice(0, at), address.slice(at + 1)];
}

/** The path's parameters as sent, by name; undefined if the path does not match. */
function valuesIn(pathname: string, template: string): Pair[] | undefined {
  const segments = pathname.split("/");
  const expected = template.split("/");
  if (segments.length !== expected.length) return undefined;
  const values: Pair[] = [];
  for (const [at, wanted] of expected.entries()) {
    const segment = segments[at] ?? "";
    const name = parameterIn(wanted);
    if (name === undefined ? segment !== wanted : segment === "") return undefined;
    if (name !== undefined) values.push([name, segment]);
  }
  return values;
}
