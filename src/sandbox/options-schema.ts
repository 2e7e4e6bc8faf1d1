/** The schema of a sandbox's options as a person writes them in a file, with what only the whole of it can tell. */
import { z } from "zod";
import { faultScript } from "./fault-scripts.ts";
import { operationNames, operationsAt } from "./operations/operations.ts";
import { brokenRoutes } from "./operations/route-rules.ts";
import { routesOf } from "./operations/routes.ts";
import { switches } from "./options.ts";
import { refuseUnfittingParts } from "./seed-rules.ts";

const routes = switches.routes.superRefine((changes, context) => {
  for (const { name, reason } of brokenRoutes(operationsAt(routesOf(changes)))) {
    context.addIssue({ code: "custom", path: [name], message: reason });
  }
});

/** Fault scripts of operations that there are: a misspelt name would never meet a request, and nobody would notice. */
export const faultScripts = z.array(
  faultScript.refine(({ operation }) => operation === "*" || operationNames.includes(operation), {
    path: ["operation"],
    error: "expected * or an operation's name in the interface document, such as createPayoutV2",
  }),
);

const seed = switches.seed.superRefine(refuseUnfittingParts);

export const writtenOptions = z
  .strictObject({ ...switches, seed, routes, faults: faultScripts })
  .exactPartial();
