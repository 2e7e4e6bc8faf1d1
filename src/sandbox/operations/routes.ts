/**
 * Where the operations without method and path in the interface are served: under the sandbox's own paths, with a JSON
 * body. The switch `routes` moves them. GET and DELETE carry parameters in the query, and a segment in braces is a
 * parameter: `/payouts/{payoutId}/void`.
 */
import { z } from "zod";
import { PATHLESS_OPERATIONS, type PathlessOperation } from "../../wire/index.ts";

const METHODS = ["GET", "DELETE", "POST", "PUT", "PATCH"] as const;

export interface Route {
  readonly method: (typeof METHODS)[number];
  readonly path: string;
}

/** The sandbox's own paths. */
const PATHS: Readonly<Record<PathlessOperation, string>> = {
  searchPayouts: "/pathless/payouts/search",
  searchDeposits: "/pathless/deposits/search",
  createPayoutWithFirstAuthorization: "/pathless/payouts/create",
  createDepositPathless: "/pathless/deposits/create",
  voidPayoutPathless: "/pathless/payouts/void",
  voidDepositPathless: "/pathless/deposits/void",
  accountBalances: "/pathless/accounts/balance",
  accountsOfUser: "/pathless/accounts/of-user",
};

const routeAt = (path: string) =>
  z.strictObject({ method: z.enum(METHODS), path: z.string() }).default({ method: "POST", path });

export const routesSchema = z.strictObject(
  Object.fromEntries(PATHLESS_OPERATIONS.map((name) => [name, routeAt(PATHS[name])])) as Record<
    PathlessOperation,
    ReturnType<typeof routeAt>
  >,
);

export type Routes = Readonly<z.output<typeof routesSchema>>;
export type RouteChanges = z.input<typeof routesSchema>;

/** Whether parameters travel in the query; with other methods they are members of a JSON body. */
export function hasQuery({ method }: Route): boolean {
  return method === "GET" || method === "DELETE";
}

export function parametersIn(path: string): string[] {
  return path.split("/").flatMap((segment) => parameterIn(segment) ?? []);
}

/** "payoutId" of "{payoutId}"; undefined for a literal segment. */
export function parameterIn(segment: string): string | undefined {
  return /^\{(\w+)\}$/.exec(segment)?.[1];
}
