/** The keys of paydrop.yaml that say how the service is reached and what it does where its interface is silent (docs/policies.md). */
import { z } from "zod";
import { amountText } from "./limits-schema.ts";

const httpUrl = z.url({
  protocol: /^https?$/,
  error: "expected an address that begins with https:// or http://",
});

const plainUrl = httpUrl.refine(isPlainAddress, "expected an address without a user, a query or a fragment");

/** An id is put at its end for each payment, and it must come back as it was sent: as in the column of this name. */
export const callbackUrl = plainUrl.refine(
  (url) => !/[^\x21-\x7e]/.test(url),
  "expected an address of plain characters, with a percent sign before the codes of all others",
);

export const service = z.strictObject({
  baseUrl: plainUrl.transform((url) => url.replace(/\/+$/, "")),
  network: z.enum(["main", "test"]).default("main"),
  username: z.string().min(1),
  callbackUrl,
  correlation: z.enum(["callbackUrl", "reference"]).default("callbackUrl"),
  dateStyle: z.enum(["Z", "offset"]).default("Z"),
});

export const signing = z
  .strictObject({
    scheme: z.enum(["hmac-sha256", "module"]).default("hmac-sha256"),
    /** Path of a module whose default export returns the headers of a request. */
    module: z.string().min(1).optional(),
    /** For the module, at each request. */
    timeoutMs: z.int().min(100).default(10_000),
  })
  .refine(({ scheme, module }) => (scheme === "module") === (module !== undefined), {
    path: ["module"],
    error: "needed with `scheme: module`, and only there",
  });

export const nonce = z
  .strictObject({
    /** What makes a nonce valid is not shown by the interface; `unknown` satisfies every rule by sending one at a time. */
    rule: z.enum(["unknown", "unique", "increasing"]).default("unknown"),
    floor: z
      .string()
      .regex(/^\d{1,19}$/, "expected digits in quotes")
      .default("0")
      .transform((text) => BigInt(text)),
    /** With `unique`: how long the service remembers a nonce. Without it, a doubt is never sent again by itself. */
    memoryDays: z.int().min(1).optional(),
    /** With `increasing`: a nonce is still taken when it is at most so much below the highest one that the service has seen. */
    window: z.int().min(1).optional(),
  })
  .refine(({ rule, window }) => window === undefined || rule === "increasing", {
    path: ["window"],
    error: "says how far nonces that must rise may be overtaken: set nonce.rule to increasing, or remove it",
  });

export const doubt = z.strictObject({ settleMinutes: z.int().min(1).default(15) });

export const otp = z.strictObject({
  source: z.enum(["totp", "command", "prompt"]).default("totp"),
  command: z.string().optional(),
  singleUse: z.boolean().default(true),
});

export const http = z.strictObject({
  concurrency: z.int().min(1).max(256).default(8),
  ratePerSecond: z.int().min(1).default(20),
  /** For a whole exchange. */
  timeoutMs: z.int().min(100).default(15_000),
  /** For a silence within an answer that has begun. */
  idleTimeoutMs: z.int().min(100).default(5000),
  /** Through which every connection to the service goes; its credentials are the secret PAYDROP_PROXY_CREDENTIALS. */
  proxy: plainUrl.optional(),
  /** How long a run waits for a service that went out while it was sending. */
  outageSeconds: z.int().min(0).default(60),
});

export const paging = z.strictObject({
  size: z.int().min(1).default(200),
  idsPerRequest: z.int().min(1).default(100),
  firstPage: z.int().min(0).max(1).default(0),
  /** Pages of one search that are asked for at the same time. */
  concurrency: z.int().min(1).max(32).default(4),
  /** Property to direction; the property must exist at the service, and a rising one keeps pages from moving. */
  sort: z.record(z.string().min(1), z.enum(["ASC", "DESC"])).default({ createdDate: "ASC" }),
});

const routePath = z
  .string()
  .regex(/^\/[^?#\s]*$/, "expected a path that begins with /, such as /payouts/{payoutId}/void");

/** Parameters travel in the query for GET and DELETE, in a JSON body otherwise. */
const route = z.strictObject({ method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]), path: routePath });

/** An amount has no form in a query. */
const bodyRoute = z.strictObject({ method: z.enum(["POST", "PUT", "PATCH"]), path: routePath });

/** Where the operations are to which the interface gives neither method nor path; off until set. */
export const routes = z.strictObject({
  searchPayouts: route.optional(),
  searchDeposits: route.optional(),
  createPayoutWithFirstAuthorization: bodyRoute.optional(),
  createDepositPathless: bodyRoute.optional(),
  voidPayoutPathless: route.optional(),
  voidDepositPathless: route.optional(),
  accountBalances: route.optional(),
  accountsOfUser: route.optional(),
});

export const authorization = z.strictObject({
  /**
   * The members of the authorization request, which the interface does not show. The texts {payoutId}, {username}, {otpCode} and
   * {nonce} stand for what they name; {nonce} alone becomes a number.
   */
  body: z
    .record(z.string(), z.json())
    .refine(holdsOnlyExactNumbers, "a number with decimals or beyond 2^53 must be a text in quotes")
    .optional(),
});

/** A further client key. Its secrets are PAYDROP_KEY_NAME, PAYDROP_SIGNING_SECRET_NAME and PAYDROP_OTP_SECRET_NAME. */
export const clientKey = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z][a-z0-9-]*$/, "expected lower-case letters, digits and hyphens, such as payroll-eu"),
});

export const custodyAccount = z.strictObject({
  name: z.string().min(1),
  id: z.guid("expected a UUID").transform((id) => id.toLowerCase()),
  currency: z.string().regex(/^[A-Z0-9]{2,10}$/, "expected a currency code"),
  createOperation: z
    .enum([
      "createPayout",
      "createPayoutV2",
      "createAndFirstAuthorizationPayout",
      "createAndFirstAuthorizationPayoutV2",
      "createPayoutWithFirstAuthorization",
    ])
    .default("createPayoutV2"),
  /** Only with createPayoutWithFirstAuthorization: whether the creation is also the first authorization. */
  authorize: z.boolean().default(false),
  /** What the network takes for one payout, in the account's currency, as previews count it; without it they count none. */
  feeEstimate: amountText.optional(),
  /** Name of the client key that pays from it, one of `keys`; the one without a name where absent. */
  key: z.string().optional(),
});

function isPlainAddress(text: string): boolean {
  // What is no address at all was refused by the rule before, in its own words.
  if (!URL.canParse(text)) return true;
  const { username, password, search, hash } = new URL(text);
  return username === "" && password === "" && search === "" && hash === "";
}

/** YAML has already made floats of its numbers: what is not a safe integer may have lost digits. */
function holdsOnlyExactNumbers(value: unknown): boolean {
  if (typeof value === "number") return Number.isSafeInteger(value);
  if (typeof value !== "object" || value === null) return true;
  return Object.values(value).every(holdsOnlyExactNumbers);
}
