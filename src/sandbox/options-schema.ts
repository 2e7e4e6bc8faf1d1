/**
 * The one schema of a sandbox's options as a person writes them in a file: every option that is plain data. Clock, identifiers and
 * signature check are functions, and the database is a place of the machine: those are given by whoever starts the sandbox.
 */
import { z } from "zod";
import type { PathlessOperation } from "../wire/index.ts";
import { faultScript } from "./fault-scripts.ts";
import { operationNames, operationsAt } from "./operations/operations.ts";
import { brokenRoutes } from "./operations/route-rules.ts";
import { ROUTE_METHODS, routesOf } from "./operations/routes.ts";
import type { SandboxOptions } from "./options.ts";
import { durationMs, sandboxSeed } from "./seed.ts";
import { brokenSeedRules } from "./seed-rules.ts";

/** The options that a file can hold. */
export type WrittenOptions = Omit<SandboxOptions, "database" | "clock" | "uuid" | "signature">;

const seed = sandboxSeed.superRefine((parts, context) => {
  for (const { path, reason } of brokenSeedRules(parts)) {
    context.addIssue({ code: "custom", path, message: reason });
  }
});

const count = z.int().min(1);

const route = z.strictObject({ method: z.enum(ROUTE_METHODS), path: z.string() });

const routes = z
  .strictObject({
    searchPayouts: route,
    searchDeposits: route,
    createPayoutWithFirstAuthorization: route,
    createDepositPathless: route,
    voidPayoutPathless: route,
    voidDepositPathless: route,
    accountBalances: route,
    accountsOfUser: route,
  } satisfies Readonly<Record<PathlessOperation, z.ZodType>>)
  .exactPartial()
  .superRefine((changes, context) => {
    for (const { name, reason } of brokenRoutes(operationsAt(routesOf(changes)))) {
      context.addIssue({ code: "custom", path: [name], message: reason });
    }
  });

const feeRates = z.strictObject({ SLOW: count, NORMAL: count, FAST: count }).exactPartial();

const nonce = z
  .strictObject({
    rule: z.enum(["unique", "increasing", "window"]),
    window: count,
    burnedByRefusal: z.boolean(),
  })
  .exactPartial();

const reference = z
  .strictObject({ trimmed: z.boolean(), lowerCased: z.boolean(), lengthMax: count })
  .exactPartial();

const refusalStatus = z.literal([400, 403, 404, 409, 422]);

const refusalStatuses = z
  .strictObject({
    zeroAmount: refusalStatus,
    bothDestinations: refusalStatus,
    disabledAccount: refusalStatus,
    unknownOrderCode: refusalStatus,
  })
  .exactPartial();

/** Fault scripts of operations that there are: a misspelt name would never meet a request, and nobody would notice. */
export const faultScripts = z.array(
  faultScript.refine(({ operation }) => operation === "*" || operationNames.includes(operation), {
    path: ["operation"],
    error: "expected * or an operation's name in the interface document, such as createPayoutV2",
  }),
);

/** A key for every option: one that is added to SandboxOptions and not here does not compile. */
const keys = {
  seed,
  randomSeed: z.int(),
  stepMs: count,
  network: z.enum(["main", "test"]),
  taprootAllowed: z.boolean(),
  feeRates,
  nonce,
  reference,
  otpSingleUse: z.boolean(),
  routes,
  dateStyle: z.enum(["Z", "offset"]),
  firstPage: z.literal([0, 1]),
  pageSizeDefault: count,
  pageSizeMax: count,
  filterItemsMax: count,
  sortProperties: z.array(z.string().min(1)),
  repeatedItems: z.enum(["refused", "counted-once"]),
  refusalStatus: refusalStatuses,
  expiredRateWhen: z.array(z.enum(["expiry-passed", "rate-unknown", "expiry-too-far"])),
  fixedRateLifetimeMaxMs: durationMs,
  visibilityLagMs: durationMs,
  queryDateToleranceMs: durationMs,
  faults: faultScripts,
} satisfies { readonly [Key in keyof Required<WrittenOptions>]: z.ZodType<WrittenOptions[Key]> };

export const writtenOptions = z.strictObject(keys).exactPartial();
