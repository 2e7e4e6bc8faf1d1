/** Keys of paydrop.yaml for reaching the service, and for what its interface leaves open (docs/policies.md). */
import { z } from "zod";
import { amountText, currencyCode } from "./limits-schema.ts";

const httpUrl = z.url({
  protocol: /^https?$/,
  error: "expected an address that begins with https:// or http://",
});

const plainUrl = httpUrl.refine(isPlainAddress, "expected an address without a user, a query or a fragment");

/**
 * An id is appended per payment, and the URL must come back unchanged; the same rule as for the column of this
 * name.
 */
export const callbackUrl = plainUrl.refine(
  (url) => !/[^\x21-\x7e]/.test(url),
  "expected an address of plain characters, with a percent sign before the codes of all others",
);

export const service = z.strictObject({
  baseUrl: plainUrl.transform((url) => url.replace(/\/+$/, "")).describe("The service's address."),
  allowPlainHttp: z
    .boolean()
    .default(false)
    .describe("Lets `http://` reach another machine: others can read key, signature and payments."),
  network: z.enum(["main", "test"]).default("main").describe("The network of destination addresses."),
  username: z.string().min(1).describe("The service's user who creates payouts."),
  callbackUrl: callbackUrl.describe(
    "Where the service calls back, with each payment's unguessable id at the end.",
  ),
  correlation: z
    .enum(["callbackUrl", "reference"])
    .default("callbackUrl")
    .describe("What finds a payout again; `reference` also matches a stranger's equal payout."),
  dateStyle: z
    .enum(["Z", "offset"])
    .default("Z")
    .describe("How date-times are written: Z, or +0000; both are read."),
});

/** In milliseconds, up to an hour. A timer of more than 2^31 ms ends at once and would leave requests in doubt. */
const timeoutMs = z.int().min(100).max(3_600_000);

export const signing = z
  .strictObject({
    scheme: z
      .enum(["hmac-sha256", "module"])
      .default("hmac-sha256")
      .describe("How requests are signed: lower-case hex HMAC-SHA-256, or by your own module."),
    module: z
      .string()
      .min(1)
      .optional()
      .describe("Its default export turns { method, path, body, key, secret } into headers."),
    timeoutMs: timeoutMs
      .default(10_000)
      .describe("How long it may take; after that the request is not sent."),
  })
  .refine(({ scheme, module }) => (scheme === "module") === (module !== undefined), {
    path: ["module"],
    error: "needed with `scheme: module`, and only there",
  });

export const nonce = z
  .strictObject({
    rule: z
      .enum(["unknown", "unique", "increasing"])
      .default("unknown")
      .describe("Which nonces the service takes; `unknown` fits every rule: rising, one creation at a time."),
    floor: z
      .string()
      .regex(/^\d{1,19}$/, "expected digits in quotes")
      .default("0")
      .transform((text) => BigInt(text))
      .refine((floor) => floor < 2n ** 63n, "expected a nonce within int64: below 9223372036854775808")
      .describe("The smallest nonce, above those that the key used before; they start at the clock."),
    memoryDays: z
      .int()
      .min(1)
      .optional()
      .describe(
        "With `unique`: how long the service remembers a nonce; without it doubts are never sent again.",
      ),
    window: z
      .int()
      .min(1)
      .optional()
      .describe("With `increasing`: how far below the highest nonce another one is still accepted."),
  })
  .refine(({ rule, window }) => window === undefined || rule === "increasing", {
    path: ["window"],
    error: "says how far nonces that must rise may be overtaken: set nonce.rule to increasing, or remove it",
  });

export const doubt = z.strictObject({
  settleMinutes: z.int().min(1).default(15).describe("How long after a request its absence proves nothing."),
});

export const otp = z
  .strictObject({
    source: z
      .enum(["totp", "command", "prompt"])
      .default("totp")
      .describe("Where one-time codes come from: PAYDROP_OTP_SECRET (RFC 6238), a program, or the terminal."),
    command: z.string().min(1).optional().describe("The program that prints a code; it gets no secret."),
    singleUse: z
      .boolean()
      .default(true)
      .describe("Each code counts once: one creation per 30 seconds and source."),
  })
  .refine(({ source, command }) => source !== "command" || command !== undefined, {
    path: ["command"],
    error: "needed with `source: command`",
  });

export const http = z.strictObject({
  concurrency: z
    .int()
    .min(1)
    .max(256)
    .default(8)
    .describe("Requests at once, where the nonce rule allows it."),
  ratePerSecond: z.int().min(1).default(20).describe("Requests per second, evenly spaced."),
  timeoutMs: timeoutMs
    .default(15_000)
    .describe("How long a request may take; a creation that takes longer is in doubt."),
  idleTimeoutMs: timeoutMs.default(5000).describe("How long an answer that has begun may pause."),
  proxy: plainUrl.optional().describe("The proxy to the service; its login is PAYDROP_PROXY_CREDENTIALS."),
  outageSeconds: z.int().min(0).default(60).describe("How long a run waits for a silent service."),
});

export const paging = z.strictObject({
  size: z
    .int()
    .min(1)
    // An int32 in the interface.
    .max(2 ** 31 - 1)
    .default(200)
    .describe("Elements asked for on one page."),
  idsPerRequest: z.int().min(1).default(100).describe("Ids or references asked for in one search."),
  firstPage: z.int().min(0).max(1).default(0).describe("The number of the service's first page."),
  concurrency: z.int().min(1).max(32).default(4).describe("Pages of one search asked for at once."),
  sort: z
    .record(z.string().min(1), z.enum(["ASC", "DESC"]))
    .default({ createdDate: "ASC" })
    .describe("A property and its direction; ascending keeps pages from shifting."),
});

const routePath = z
  .string()
  .regex(/^\/[^?#\s]*$/, "expected a path that begins with /, such as /payouts/{payoutId}/void");

/** Parameters go to the query for GET and DELETE, otherwise to a JSON body. */
const route = z.strictObject({
  method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]).describe("Its method."),
  path: routePath.describe("Its path, such as /payouts/{payoutId}/void."),
});

/** An amount cannot be written in a query. */
const bodyRoute = z.strictObject({
  method: z.enum(["POST", "PUT", "PATCH"]).describe("Its method."),
  path: routePath.describe("Its path."),
});

/** Method and path of the operations for which the interface shows none; disabled until set. */
export const routes = z.strictObject({
  searchPayouts: route.optional().describe("Searches payouts."),
  searchDeposits: route.optional().describe("Searches deposits."),
  createPayoutWithFirstAuthorization: bodyRoute
    .optional()
    .describe("Creates payouts, and may authorize them."),
  createDepositPathless: bodyRoute.optional().describe("Creates deposits."),
  voidPayoutPathless: route.optional().describe("Cancels a payout, `{payoutId}` in the path."),
  voidDepositPathless: route.optional().describe("Cancels a deposit, `{depositId}` in the path."),
  accountBalances: route.optional().describe("Asks for balances."),
  accountsOfUser: route.optional().describe("Asks in which accounts a user may approve."),
});

export const authorization = z.strictObject({
  body: z
    .record(z.string(), z.json())
    .refine(holdsOnlyExactNumbers, "a number with decimals or beyond 2^53 must be a text in quotes")
    .optional()
    .describe("Members of the request, with {payoutId}, {username}, {otpCode}, {nonce}."),
});

/**
 * An additional client key. Its secrets are PAYDROP_KEY_NAME, PAYDROP_SIGNING_SECRET_NAME and
 * PAYDROP_OTP_SECRET_NAME.
 */
export const clientKey = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z][a-z0-9-]*$/, "expected lower-case letters, digits and hyphens, such as payroll-eu")
    // PAYDROP_KEY_FILE is the path of the unnamed key.
    .refine(
      (name) => !/(?:^|-)file$/.test(name),
      "a variable that ends in _FILE holds a path: expected another ending",
    )
    .describe("Also the end of its secrets: PAYDROP_KEY_PAYROLL_EU for `payroll-eu`."),
});

export const custodyAccount = z.strictObject({
  name: z.string().min(1).describe("Your own name for it."),
  id: z
    .guid("expected a UUID")
    .transform((id) => id.toLowerCase())
    .describe("The service's UUID of it."),
  currency: currencyCode.describe("The currency that it holds."),
  createOperation: z
    .enum([
      "createPayout",
      "createPayoutV2",
      "createAndFirstAuthorizationPayout",
      "createAndFirstAuthorizationPayoutV2",
      "createPayoutWithFirstAuthorization",
    ])
    .default("createPayoutV2")
    .describe("The operation that creates its payouts."),
  authorize: z
    .boolean()
    .default(false)
    .describe("With createPayoutWithFirstAuthorization: it is also the first authorization."),
  feeEstimate: amountText.optional().describe("The network fee of one payout, for previews."),
  key: z.string().optional().describe("The client key that pays from it, one of `keys`."),
  voids: z.boolean().optional().describe("Whether its custody kind lets deposits be voided."),
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
