/** The table of all operations that the sandbox serves, those with a path first. */
import { fault } from "../../faults/index.ts";
import { PATHLESS_OPERATIONS } from "../../wire/index.ts";
import { accountBalances, accountBalancesPathless, accountsOfUser } from "./accounts.ts";
import {
  authorizePayout,
  voidDeposit,
  voidDepositPathless,
  voidPayout,
  voidPayoutPathless,
} from "./changes.ts";
import { createDeposit, createDepositPathless, createDepositSynchronously } from "./create-deposit.ts";
import {
  createAndAuthorizePayout,
  createAndAuthorizePayoutV2,
  createPayout,
  createPayoutV2,
  createPayoutWithFirstAuthorization,
} from "./create-payout.ts";
import type { Operation } from "./operation.ts";
import { brokenRoutes } from "./route-rules.ts";
import type { ServedOperation } from "./route-table.ts";
import type { Route, Routes } from "./routes.ts";
import { findDeposits, findPayouts, searchDeposits, searchPayouts } from "./search.ts";

const operations: readonly Operation[] = [
  accountBalances,
  createDeposit,
  createDepositSynchronously,
  findDeposits,
  voidDeposit,
  authorizePayout,
  createAndAuthorizePayout,
  createAndAuthorizePayoutV2,
  createPayout,
  createPayoutV2,
  findPayouts,
  voidPayout,
  searchPayouts,
  searchDeposits,
  createPayoutWithFirstAuthorization,
  createDepositPathless,
  voidPayoutPathless,
  voidDepositPathless,
  accountBalancesPathless,
  accountsOfUser,
];

export const operationNames: readonly string[] = operations.map(({ name }) => name);

/** Every operation with its method and path. Throws CONFIG_KEY_INVALID if `brokenRoutes` finds a problem. */
export function servedOperations(routes: Routes): ServedOperation[] {
  const served = operationsAt(routes);
  const [broken] = brokenRoutes(served);
  if (broken === undefined) return served;
  const { name, reason } = broken;
  throw fault("CONFIG_KEY_INVALID", { reason, path: `routes.${name}`, hint: "" }, { key: `routes.${name}` });
}

/** Every operation with its method and path, even if it cannot be served there. */
export function operationsAt(routes: Routes): ServedOperation[] {
  return operations.map((operation) => ({ operation, ...routeOf(operation, routes) }));
}

function routeOf({ name, path }: Operation, routes: Routes): Route {
  if (path !== undefined) return { method: "POST", path };
  const pathless = PATHLESS_OPERATIONS.find((pathlessName) => pathlessName === name);
  if (pathless === undefined) throw fault("INVARIANT_BROKEN", { what: `${name} has no path and no route` });
  return routes[pathless];
}
