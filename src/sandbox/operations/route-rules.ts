/** Rules for the switch `routes`: what a path may look like, what fits in a query, and which paths are taken. */
import { type Parameter, parametersOf } from "./parameters.ts";
import type { ServedOperation } from "./route-table.ts";
import { hasQuery, parameterIn, parametersIn, type Route } from "./routes.ts";

/** Every rule that the routes break. Operations with a path are where the interface puts them. */
export function brokenRoutes(served: readonly ServedOperation[]) {
  return served.flatMap((route, at) => {
    if (route.operation.path !== undefined) return [];
    const { name, request } = route.operation;
    const rules = [
      ...placeRules(route, served.slice(0, at)),
      ...(isAddressed(route) ? parameterRules(route, parametersOf(request)) : []),
    ];
    return rules.filter(([holds]) => !holds).map(([, reason]) => ({ name, reason }));
  });
}

/** Whether the address carries parameters. Most do not, and then the tables need not be read. */
function isAddressed(route: Route): boolean {
  return hasQuery(route) || /[{}]/.test(route.path);
}

type RouteRule = readonly [holds: boolean, reason: string];

function placeRules(route: Route, others: readonly Route[]): RouteRule[] {
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

function parameterRules(route: Route, parameters: ReadonlyMap<string, Parameter>): RouteRule[] {
  const names = parametersIn(route.path);
  const braced = route.path.split("/").filter((segment) => /[{}]/.test(segment));
  const fitsInPath = (name: string) => {
    const type = parameters.get(name)?.schema.type;
    return type !== undefined && type !== "array" && type !== "object";
  };
  return [
    [braced.length === names.length, `${route.path}: expected a parameter in braces as a whole segment`],
    ...names.map(
      (name, at): RouteRule => [
        fitsInPath(name) && names.indexOf(name) === at,
        `${route.path}: {${name}} is no parameter of the operation that a path can carry once`,
      ],
    ),
    [
      !hasQuery(route) || [...parameters.values()].every(({ schema }) => schema.type !== "object"),
      `${route.method} has no body, and an amount of money does not fit in a query: expected POST, PUT or PATCH`,
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
    segments.every(
      (segment, at) =>
        segment === otherSegments[at] ||
        parameterIn(segment) !== undefined ||
        parameterIn(otherSegments[at] ?? "") !== undefined,
    )
  );
}
