/**
 * Where the sandbox serves the operations to which the interface gives no method and no path: under paths of its own, with a JSON
 * body. The switch `routes` moves them; route-rules.ts says which places are no places.
 */
import type { PathlessOperation } from "../../wire/index.ts";

export interface Route {
  readonly method: RouteMethod;
  /** A segment in braces is a parameter of the operation: `/payouts/{payoutId}/void`. */
  readonly path: string;
}

export type RouteMethod = (typeof ROUTE_METHODS)[number];

export const ROUTE_METHODS = ["GET", "DELETE", "POST", "PUT", "PATCH"] as const;

export type Routes = Readonly<Record<PathlessOperation, Route>>;
export type RouteChanges = Partial<Routes>;

export function routesOf(changes: RouteChanges): Routes {
  return { ...OWN_ROUTES, ...changes };
}

/** Whether the parameters travel in the query; with the other methods they are members of a JSON body. */
export function hasQuery({ method }: Route): boolean {
  return method === "GET" || method === "DELETE";
}

/** The parameter that a segment of a path stands for: "payoutId" of "{payoutId}"; undefined for a literal one. */
export function parameterIn(segment: string): string | undefined {
  return /^\{(\w+)\}$/.exec(segment)?.[1];
}

export function parametersIn(path: string): string[] {
  return path.split("/").flatMap((segment) => parameterIn(segment) ?? []);
}

const OWN_ROUTES: Routes = {
  searchPayouts: { method: "POST", path: "/pathless/payouts/search" },
  searchDeposits: { method: "POST", path: "/pathless/deposits/search" },
  createPayoutWithFirstAuthorization: { method: "POST", path: "/pathless/payouts/create" },
  createDepositPathless: { method: "POST", path: "/pathless/deposits/create" },
  voidPayoutPathless: { method: "POST", path: "/pathless/payouts/void" },
  voidDepositPathless: { method: "POST", path: "/pathless/deposits/void" },
  accountBalances: { method: "POST", path: "/pathless/accounts/balance" },
  accountsOfUser: { method: "POST", path: "/pathless/accounts/of-user" },
};
