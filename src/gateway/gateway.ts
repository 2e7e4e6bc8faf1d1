/**
 * The only client of the service: signs a request, sends it once, and returns exactly what came back. It concludes
 * nothing and repeats nothing: look-up.ts may ask again, and execution decides what an answer means for a creation.
 */
import { type Clock, sleepUnlessAborted } from "../context/clock.ts";
import type { Context } from "../context/context.ts";
import { present } from "../model/present.ts";
import { type Answer, type FailedAnswer, isSuccess, readAnswer, type UnsignedCode } from "./answer.ts";
import { cutAnswer, type Recognise } from "./elements.ts";
import { isSearch, type OperationBodies, type OperationName, operationOf } from "./operations.ts";
import { type Routes, requireFillablePaths, routeOf, type Target, targetOf } from "./routes.ts";
import { type Form, formsOf, headerSecrets, type Secret, scrubExchange, scrubFailure } from "./scrub.ts";
import type { SignedHeaders, Signer, SigningInput } from "./signing.ts";

const SIGNING_TIMEOUT_MS = 10_000;

/** How the sandbox names itself in the header `server`. */
const SANDBOX = "paydrop-sandbox";

export interface GatewaySettings {
  readonly baseUrl: string;
  /** For the whole exchange. */
  readonly timeoutMs: number;
  /** The longest pause within a response that has begun. */
  readonly idleTimeoutMs?: number;
  readonly ratePerSecond: number;
  readonly dateStyle: "Z" | "offset";
  readonly signer: Signer;
  /** For signing one request; default 10 seconds. */
  readonly signingTimeoutMs?: number;
  /** Method and path of the operations for which the interface shows none. */
  readonly routes?: Routes;
  /** Secrets to remove from answers, in addition to the authenticating headers of each request. */
  readonly secrets?: readonly Secret[];
}

export interface Gateway {
  readonly baseUrl: string;
  readonly timeoutMs: number;
  /** When it aborts, look-ups are not repeated any more. */
  readonly stop?: AbortSignal;
  /** Whether Paydrop's own sandbox has answered here; undefined before the first answer. */
  isSandbox(): boolean | undefined;
  /** Throws INTERFACE_GAP if the operation has no path and no configured route. */
  requireRoute(operation: OperationName): void;
  /**
   * Sends one request, once. Removes secrets from the answer. Throws only INTERFACE_GAP, CONFIG_KEY_INVALID, and
   * what `recognise` throws.
   */
  call<Name extends OperationName>(
    operation: Name,
    body: OperationBodies[Name],
    options?: CallOptions,
  ): Promise<Answer<Name>>;
  /** Drops the open connections, after an unreadable answer or one that may belong to another request. */
  renewConnections(): void;
}

export interface CallOptions {
  /** For searches: the elements that it recognises are not parsed. */
  readonly recognise?: Recognise | undefined;
  /** Asked right before the first byte; when it returns a reason, nothing is written. */
  readonly stopBeforeWrite?: () => string | undefined;
  /** The one-time code of a body whose members are unknown; otherwise the member `otpCode` is taken. */
  readonly oneTimeCode?: string;
}

/** Throws CONFIG_KEY_INVALID for a route whose path contains a member that its operation does not always have. */
export function openGateway(
  context: Pick<Context, "clock" | "transport" | "stop">,
  settings: GatewaySettings,
): Gateway {
  const {
    baseUrl,
    timeoutMs,
    idleTimeoutMs,
    signer,
    signingTimeoutMs = SIGNING_TIMEOUT_MS,
    routes = {},
    secrets = [],
  } = settings;
  const nextSlot = rateLimit(context.clock, settings.ratePerSecond);
  const { origin, pathname } = new URL(baseUrl);
  const base = { origin, path: pathname.replace(/\/+$/, "") };
  const known = formsOf(secrets);
  let isSandbox: boolean | undefined;
  requireFillablePaths(routes);

  return {
    baseUrl,
    timeoutMs,
    ...present({ stop: context.stop }),
    isSandbox: () => isSandbox,
    requireRoute: (name) => {
      routeOf(name, routes);
    },
    call: async (name, body, { stopBeforeWrite, oneTimeCode, recognise } = {}) => {
      await nextSlot();
      const isLookUp = operationOf(name).effect === "look-up";
      const queryDate = isLookUp ? { queryDate: writeDate(context.clock.now(), settings.dateStyle) } : {};
      const { url, request } = requestOf(name, { ...body, ...queryDate }, base, routes);
      const signed = await signedHeaders(signer, request, context.clock, signingTimeoutMs);
      const withoutCode = (answer: FailedAnswer, forms: readonly Form[]) => {
        const code = { name: "one-time code", text: oneTimeCode ?? codeIn(body) };
        return scrubFailure<typeof name>(answer, [...forms, ...formsOf([code])]);
      };
      if ("reason" in signed)
        return withoutCode({ kind: "unanswered", headWritten: false, timedOut: false, ...signed }, known);
      const used = [...known, ...formsOf(headerSecrets(signed.headers, secrets))];
      const exchange = await context.transport.send({
        method: request.method,
        url,
        headers: headersOf(request.body, signed.headers),
        body: request.body,
        timeoutMs,
        idleTimeoutMs,
        stopBeforeWrite,
      });
      if (exchange.kind === "answered" && isSandbox !== true)
        isSandbox = exchange.headers["server"] === SANDBOX;
      const scrubbed = scrubExchange(exchange, used);
      if (scrubbed.kind === "unanswered") return withoutCode(scrubbed, used);
      const isPage = isSearch(name) && isSuccess(name, scrubbed.status);
      const cut = isPage ? await cutAnswer(scrubbed.text, recognise) : undefined;
      const answer = readAnswer(name, scrubbed, cut);
      if (answer.kind === "success") return answer;
      if (answer.kind === "unreadable") context.transport.renewConnections();
      return withoutCode(answer, used);
    },
    renewConnections: () => context.transport.renewConnections(),
  };
}

function requestOf(
  name: OperationName,
  members: Readonly<Record<string, unknown>>,
  { origin, path: basePath }: { readonly origin: string; readonly path: string },
  routes: Routes,
): { readonly url: string; readonly request: Target } {
  const { method, path, body } = targetOf(name, members, basePath, routes);
  // Concatenated, not resolved: a path that begins with // would otherwise name another host.
  const url = new URL(`${origin}${path}`);
  return { url: url.href, request: { method, path: `${url.pathname}${url.search}`, body } };
}

function headersOf(body: Uint8Array, signed: SignedHeaders): Readonly<Record<string, string>> {
  return {
    ...(body.length === 0 ? {} : { "content-type": "application/json" }),
    accept: "application/json",
    // We do not decompress: a short compressed response could become arbitrarily long.
    "accept-encoding": "identity",
    ...signed,
  };
}

function codeIn(body: OperationBodies[OperationName]): string {
  return "otpCode" in body && typeof body.otpCode === "string" ? body.otpCode : "";
}

type Signed =
  | { readonly headers: SignedHeaders }
  | { readonly reason: string; readonly unsigned: UnsignedCode };

/** Signs with a timeout: a user's signer may throw or never settle. A late signature is not used. */
async function signedHeaders(
  sign: Signer,
  input: SigningInput,
  clock: Clock,
  timeoutMs: number,
): Promise<Signed> {
  let settled: AbortController | undefined;
  try {
    const signing = sign(input);
    if (!(signing instanceof Promise)) return { headers: signing };
    settled = new AbortController();
    const late = sleepUnlessAborted(clock, timeoutMs, settled.signal).then(() => undefined);
    const headers = await Promise.race([signing, late]);
    if (headers !== undefined) return { headers };
    return { reason: `the signer gave nothing within ${timeoutMs} ms`, unsigned: "SIGNER_TIMEOUT" };
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error), unsigned: "SIGNER_FAILED" };
  } finally {
    settled?.abort();
  }
}

function writeDate(instant: string, style: "Z" | "offset"): string {
  return style === "Z" ? instant : instant.replace("Z", "+0000");
}

/**
 * Rate limit: spaces requests evenly, so that the service sees at most `ratePerSecond` per second. Each call takes
 * the next slot; undefined if it is now.
 */
export function rateLimit(clock: Clock, ratePerSecond: number): () => Promise<void> | undefined {
  const spacingMs = 1000 / ratePerSecond;
  let nextSlotMs = 0;
  return () => {
    const nowMs = clock.monotonicMs();
    const slotMs = Math.max(nowMs, nextSlotMs);
    nextSlotMs = slotMs + spacingMs;
    return slotMs > nowMs ? clock.sleep(slotMs - nowMs) : undefined;
  };
}
