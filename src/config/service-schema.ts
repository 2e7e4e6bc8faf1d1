/** The keys of paydrop.yaml for reaching the service, and for what its interface does not define (docs/policies.md). */
import { z } from "zod";
import { amountText } from "./limits-schema.ts";

const httpUrl = z.url({
  protocol: /^https?$/,
  error: "expected an address that begins with https:// or http://",
});

const plainUrl = httpUrl.refine(isPlainAddress, "expected an address without a user, a query or a fragment");

/**
 * An id is appended per payment, and the URL must come back unchanged; the same rule as for the column of this name.
 */
export const callbackUrl = plainUrl.refine(
  (url) => !/[^\x21-\x7e]/.test(url),
  "expected an address of plain characters, with a percent sign before the codes of all others",
);

export const service = z.strictObject({
  baseUrl: plainUrl.transform((url) => url.replace(/\/+$/, "")),
  /** Requests to another machine may go unencrypted, key, signature and code included. */
  allowPlainHttp: z.boolean().default(false),
  network: z.enum(["main", "test"]).default("main"),
  username: z.string().min(1),
  callbackUrl,
  correlation: z.enum(["callbackUrl", "reference"]).default("callbackUrl"),
  dateStyle: z.enum(["Z", "offset"]).default("Z"),
});

/** In milliseconds, up to an hour: a timer of more than 2^31 ms ends at once, and what was sent would be in doubt. */
const timeoutMs = z.int().min(100).max(3_600_000);

export const signing = z
  .strictObject({
    scheme: z.enum(["hmac-sha256", "module"]).default("hmac-sha256"),
    /** Path of a module whose default export returns a request's headers. */
    module: z.string().min(1).optional(),
    /** For each call of the module. */
    timeoutMs: timeoutMs.default(10_000),
  })
  .refine(({ scheme, module }) => (scheme === "module") === (module !== undefined), {
    path: ["module"],
    error: "needed with `scheme: module`, and only there",
  });

export const nonce = z
  .strictObject({
    /** The interface does not define valid nonces; `unknown` satisfies every rule by sending one request at a time. */
    rule: z.enum(["unknown", "unique", "increasing"]).default("unknown"),
    floor: z
      .string()
      .regex(/^\d{1,19}$/, "expected digits in quotes")
      .default("0")
      .transform((text) => BigInt(text))
      .refine((floor) => floor < 2n ** 63n, "expected a nonce within int64: below 9223372036854775808"),
    /** With `unique`: how long the service remembers a nonce. Without it, doubts are never re-sent automatically. */
    memoryDays: z.int().min(1).optional(),
    /**
     * With `increasing`: how far below the highest nonce seen by the service another one may be and still be accepted.
     */
    window: z.int().min(1).optional(),
  })
  .refine(({ rule, window }) => window === undefined || rule === "increasing", {
    path: ["window"],
    error: "says how far nonces that must rise may be overtaken: set nonce.rule to increasing, or remove it",
  });

export const doubt = z.strictObject({ settleMinutes: z.int().min(1).default(15) });

export const otp = z
  .strictObject({
    source: z.enum(["totp", "command", "prompt"]).default("totp"),
    /** Its output is the code. */
    command: z.string().min(1).optional(),
    singleUse: z.boolean().default(true),
  })
  .refine(({ source, command }) => source !== "command" || command !== undefined, {
    path: ["command"],
    error: "needed with `source: command`",
  });

export const http = z.strictObject({
  concurrency: z.int().min(1).max(256).default(8),
  ratePerSecond: z.int().min(1).default(20),
  /** For the whole exchange. */
  timeoutMs: timeoutMs.default(15_000),
  /** For a pause within a response that has begun. */
  idleTimeoutMs: timeoutMs.default(5000),
  /** For every connection to the service; its credentials are the secret PAYDROP_PROXY_CREDENTIALS. */
  proxy: plainUrl.optional(),
  /** How long a run waits for a service that stops answering. */
  outageSeconds: z.int().min(0).default(60),
});

export const paging = z.strictObject({
  /** An int32 in the interface. */
  size: z
    .int()
    .min(1)
    .max(2 ** 31 - 1)
    .default(200),
  idsPerRequest: z.int().min(1).default(100),
  firstPage: z.int().min(0).max(1).default(0),
  /** Pages of one search requested concurrently. */
  concurrency: z.int().min(1).max(32).default(4),
  /** Property to direction. The service must have the property; ascending order keeps pages from shifting. */
  sort: z.record(z.string().min(1), z.enum(["ASC", "DESC"])).default({ createdDate: "ASC" }),
});

const routePath = z
  .string()
  .regex(/^\/[^?#\s]*$/, "expected a path that begins with /, such as /payouts/{payoutId}/void");

/** Parameters go to the query for GET and DELETE, otherwise to a JSON body. */
const route = z.strictObject({ method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]), path: routePath });

/** An amount cannot be written in a query. */
const bodyRoute = z.strictObject({ method: z.enum(["POST", "PUT", "PATCH"]), path: routePath });

/** Method and path of the operations for which the interface shows none; disabled until set. */
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
   * The members of the authorization request, which the interface does not define. {payoutId}, {username}, {otpCode}
   * and {nonce} are replaced; "{nonce}" alone becomes a number.
   */
  body: z
    .record(z.string(), z.json())
    .refine(holdsOnlyExactNumbers, "a number with decimals or beyond 2^53 must be a text in quotes")
    .optional(),
});

/**
 * An additional client key. Its secrets are PAYDROP_KEY_NAME, PAYDROP_SIGNING_SECRET_NAME and PAYDROP_OTP_SECRET_NAME.
 */
export const clientKey = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z][a-z0-9-]*$/, "expected lower-case letters, digits and hyphens, such as payroll-eu")
    // PAYDROP_KEY_FILE is the path of the unnamed key.
    .refine(
      (name) => !/(?:^|-)file$/.test(name),
      "a variable that ends in _FILE holds a path: expected another ending",
    ),
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
  /** The network fee of one payout, in the account's currency, for previews; without it they show no fees. */
  feeEstimate: amountText.optional(),
  /** Name of the client key that pays from it, one of `keys`; default: the unnamed key. */
  key: z.string().optional(),
});

function isPlainAddress(text: string): boolean {
  // An invalid URL was already refused by the previous rule, with its own message.
  if (!URL.canParse(text)) return true;
  const { username, password, search, hash } = new URL(text);
  return username === "" && password === "" && search === "" && hash === "";
}

/** YAML has already turned numbers into floats; anything but a safe integer may have lost digits. */
function holdsOnlyExactNumbers(value: unknown): boolean {
  if (typeof value === "number") return Number.isSafeInteger(value);
  if (typeof value !== "object" || value === null) return true;
  return Object.values(value).every(holdsOnlyExactNumbers);
}
