/**
 * The only client of the service: signs, sends once, and tells exactly what came back. It draws no conclusions and repeats
 * nothing: look-up.ts may ask again, and what an answer means for a creation is execution's business.
 */
import { type Clock, hasSlept } from "../context/clock.ts";
import type { Context } from "../context/context.ts";
import { present } from "../model/present.ts";
import { type Answer, readAnswer, type UnsignedCode } from "./answer.ts";
import { type OperationBodies, type OperationName, operationOf } from "./operations.ts";
import { pace } from "./pace.ts";
import { type Routes, requireFillablePaths, routeOf, targetOf } from "./routes.ts";
import { headerSecrets, type Secret, scrubExchange, scrubFailure } from "./scrub.ts";
import type { SignedHeaders, Signer, SigningInput } from "./signing.ts";

const SIGNING_TIMEOUT_MS = 10_000;

export interface GatewaySettings {
  readonly baseUrl: string;
  /** For a whole exchange. */
  readonly timeoutMs: number;
  /** The longest silence within an answer that has begun. */
  readonly idleTimeoutMs?: number;
  readonly ratePerSecond: number;
  readonly dateStyle: "Z" | "offset";
  readonly signer: Signer;
  /** For the signer of one request; 10 seconds where absent. */
  readonly signingTimeoutMs?: number;
  /** Method and path of the operations to which the interface gives none. */
  readonly routes?: Routes;
  /** What no answer may repeat, besides the headers that authenticate a request: the secrets behind them. */
  readonly secrets?: readonly Secret[];
}

export interface Gateway {
  readonly baseUrl: string;
  readonly timeoutMs: number;
  /** Ends the pauses between attempts of a look-up, and with them the attempts. */
  readonly stop?: AbortSignal;
  /** Throws ROUTE_MISSING for an operation that cannot be called because nothing says where it is. */
  requireRoute(operation: OperationName): void;
  /**
   * Sends one request, once. In what it answers none of its secrets is repeated. Throws only what keeps the request from being made:
   * ROUTE_MISSING.
   */
  call<Name extends OperationName>(
    operation: Name,
    body: OperationBodies[Name],
    options?: CallOptions,
  ): Promise<Answer<Name>>;
  /** To be called when an answer may belong to another request. Happens automatically after an answer that cannot be read. */
  renewConnections(): void;
}

interface CallOptions {
  /** Asked right before the first byte; when it returns a reason, nothing is written. */
  readonly stopBeforeWrite?: () => string | undefined;
  /** The one-time code in a body whose members the interface does not show; elsewhere it is the member `otpCode`. */
  readonly oneTimeCode?: string;
}

/** Throws CONFIG_KEY_INVALID for a route whose path asks for what its operation does not always have. */
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
  const nextSlot = pace(context.clock, settings.ratePerSecond);
  const { origin, pathname } = new URL(baseUrl);
  const basePath = pathname.replace(/\/+$/, "");
  requireFillablePaths(routes);

  return {
    baseUrl,
    timeoutMs,
    ...present({ stop: context.stop }),
    requireRoute: (name) => {
      routeOf(name, routes);
    },
    call: async (name, body, { stopBeforeWrite, oneTimeCode } = {}) => {
      await nextSlot();
      const isLookUp = operationOf(name).effect === "look-up";
      const queryDate = isLookUp ? { queryDate: writeDate(context.clock.now(), settings.dateStyle) } : {};
      const target = targetOf(name, { ...body, ...queryDate }, basePath, routes);
      const { method, body: bytes } = target;
      // Not resolved against the base URL, where a path that begins with // would name another host.
      const url = new URL(`${origin}${target.path}`);
      const path = `${url.pathname}${url.search}`;
      const signing = { method, path, body: bytes };
      const signed = await signedHeaders(signer, signing, context.clock, signingTimeoutMs);
      const used = "headers" in signed ? [...secrets, ...headerSecrets(signed.headers, secrets)] : secrets;
      const code = [{ name: "one-time code", text: oneTimeCode ?? codeIn(body) }];
      if ("reason" in signed) {
        const unsigned = { kind: "unanswered", headWritten: false, timedOut: false, ...signed } as const;
        return scrubFailure(unsigned, [...used, ...code]);
      }
      const exchange = await context.transport.send({
        method,
        url: url.href,
        headers: headersOf(bytes, signed.headers),
        body: bytes,
        timeoutMs,
        idleTimeoutMs,
        stopBeforeWrite,
      });
      const told = scrubExchange(exchange, used);
      const answer = told.kind === "unanswered" ? told : readAnswer(name, told);
      if (answer.kind === "unreadable") context.transport.renewConnections();
      return scrubFailure(answer, [...used, ...code]);
    },
    renewConnections: () => context.transport.renewConnections(),
  };
}

function headersOf(body: Uint8Array, signed: SignedHeaders): Readonly<Record<string, string>> {
  return {
    ...(body.length === 0 ? {} : { "content-type": "application/json" }),
    accept: "application/json",
    // Without it a service may compress, which nothing here undoes: a short answer can become as long as it likes.
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

/** A user's signer may throw or never end; either way the request is not made. A signature that comes too late is not used. */
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
    const late = hasSlept(clock, timeoutMs, settled.signal).then(() => undefined);
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
