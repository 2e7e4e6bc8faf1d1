/**
 * Where the sandbox serves the operations to which the interface gives no method and no path. All of them take a JSON body and
 * the headers key and signature, as the operations with a path do; the switch `routes` moves them.
 */
import type { PathlessOperation } from "../../wire/index.ts";

export interface Route {
  /** A method whose requests carry a body. */
  readonly method: "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
}

export type Routes = Readonly<Record<PathlessOperation, Route>>;
export type RouteChanges = Partial<Routes>;

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

export function routesOf(changes: RouteChanges): Routes {
  return { ...OWN_ROUTES, ...changes };
}
