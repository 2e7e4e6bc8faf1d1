/**
 * Where the sandbox serves the operations without method and path in the interface: under its own paths, with a
 * JSON body. The switch `routes` moves them, within the rules of route-rules.ts.
 */
import { z } from "zod";

const routeSchema = z.strictObject({
  method: z.enum(["GET", "DELETE", "POST", "PUT", "PATCH"]),
  /** A segment in braces is a parameter of the operation: `/payouts/{payoutId}/void`. */
  path: z.string(),
});

export type Route = Readonly<z.output<typeof routeSchema>>;

/** The route of each operation without a path; the defaults are the sandbox's own. */
export const routesSchema = z.strictObject({
  searchPayouts: routeSchema.default({ method: "POST", path: "/pathless/payouts/search" }),
  searchDeposits: routeSchema.default({ method: "POST", path: "/pathless/deposits/search" }),
  createPayoutWithFirstAuthorization: routeSchema.default({
    method: "POST",
    path: "/pathless/payouts/create",
  }),
  createDepositPathless: routeSchema.default({ method: "POST", path: "/pathless/deposits/create" }),
  voidPayoutPathless: routeSchema.default({ method: "POST", path: "/pathless/payouts/void" }),
  voidDepositPathless: routeSchema.default({ method: "POST", path: "/pathless/deposits/void" }),
  accountBalances: routeSchema.default({ method: "POST", path: "/pathless/accounts/balance" }),
  accountsOfUser: routeSchema.default({ method: "POST", path: "/pathless/accounts/of-user" }),
});

export type Routes = Readonly<z.output<typeof routesSchema>>;
export type RouteChanges = z.input<typeof routesSchema>;

/** Whether parameters travel in the query; with other methods they are members of a JSON body. */
export function hasQuery({ method }: Route): boolean {
  return method === "GET" || method === "DELETE";
}

/** The parameter in a segment of a path: "payoutId" of "{payoutId}"; undefined for a literal segment. */
export function parameterIn(segment: string): string | undefined {
  return /^\{(\w+)\}$/.exec(segment)?.[1];
}

export function parametersIn(path: string): string[] {
  return path.split("/").flatMap((segment) => parameterIn(segment) ?? []);
}
