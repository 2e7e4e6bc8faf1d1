/**
 * The only client of the service: signs, sends once, and tells exactly what came back. It draws no conclusions: what an
 * answer means for a creation is execution's business, what it means for a look-up is look-up.ts's.
 */
import { z } from "zod";
import type { Context } from "../context/context.ts";
import { type ErrorObject, errorArray, parseJson, writeJson } from "../wire/index.ts";
import { type OperationAnswer, type OperationBodies, type OperationName, operations } from "./operations.ts";
import { pace } from "./pace.ts";
import type { Signer } from "./signing.ts";

export interface GatewaySettings {
  readonly baseUrl: string;
  readonly timeoutMs: number;
  readonly ratePerSecond: number;
  readonly dateStyle: "Z" | "offset";
  readonly signer: Signer;
}

/** What came back for one request. */
export type Answer<Name extends OperationName> =
  /** The operation's success status with the body that the interface shows. */
  | { readonly kind: "success"; readonly status: number; readonly body: OperationAnswer<Name> }
  /** Another status with the interface's error array. */
  | {
      readonly kind: "error";
      readonly status: number;
      readonly errors: readonly ErrorObject[];
      readonly retryAfter?: string;
    }
  /** Anything else that is HTTP: HTML, an unreadable success, a redirect. */
  | {
      readonly kind: "unreadable";
      readonly status: number;
      readonly reason: string;
      readonly retryAfter?: string;
    }
  | {
      readonly kind: "unanswered";
      readonly headWritten: boolean;
      readonly timedOut: boolean;
      readonly reason: string;
    };

export interface Gateway {
  readonly baseUrl: string;
  readonly timeoutMs: number;
  /** Sends one request, once. `stopBeforeWrite` is asked right before the first byte. */
  call<Name extends OperationName>(
    operation: Name,
    body: OperationBodies[Name],
    stopBeforeWrite?: () => string | undefined,
  ): Promise<Answer<Name>>;
}

export function openGateway(
  context: Pick<Context, "clock" | "transport">,
  settings: GatewaySettings,
): Gateway {
  const nextSlot = pace(context.clock, settings.ratePerSecond);
  const basePath = new URL(settings.baseUrl).pathname.replace(/\/+$/, "");

  return {
    baseUrl: settings.baseUrl,
    timeoutMs: settings.timeoutMs,
    call: async (name, body, stopBeforeWrite) => {
      await nextSlot();
      const operation = operations[name];
      const queryDate = operation.mutating
        ? {}
        : { queryDate: writeDate(context.clock.now(), settings.dateStyle) };
      const bytes = Buffer.from(writeJson({ ...body, ...queryDate }));
      const path = `${basePath}${operation.path}`;
      const exchange = await context.transport.post({
        url: new URL(path, settings.baseUrl).href,
        headers: {
          "content-type": "application/json",
          accept: "application/json",
          ...settings.signer({ method: "POST", path, body: bytes }),
        },
        body: bytes,
        timeoutMs: settings.timeoutMs,
        ...(stopBeforeWrite === undefined ? {} : { stopBeforeWrite }),
      });
      if (exchange.kind === "unanswered") return exchange;
      return readAnswer(name, exchange.status, exchange.text, exchange.headers["retry-after"]);
    },
  };
}

function readAnswer<Name extends OperationName>(
  name: Name,
  status: number,
  text: string,
  retryAfterHeader: string | string[] | undefined,
): Answer<Name> {
  const retryAfter = typeof retryAfterHeader === "string" ? { retryAfter: retryAfterHeader } : {};
  const json = tryParse(text);
  if (json === undefined)
    return { kind: "unreadable", status, reason: `not JSON: ${excerpt(text)}`, ...retryAfter };
  if (status !== operations[name].successStatus) {
    const errors = errorArray.safeParse(json.value);
    if (errors.success) return { kind: "error", status, errors: errors.data, ...retryAfter };
    return {
      kind: "unreadable",
      status,
      reason: `not the interface's error array: ${excerpt(text)}`,
      ...retryAfter,
    };
  }
  const schema: z.ZodType = operations[name].answer;
  const body = schema.safeParse(json.value);
  if (!body.success) return { kind: "unreadable", status, reason: z.prettifyError(body.error) };
  return { kind: "success", status, body: body.data as OperationAnswer<Name> };
}

function tryParse(text: string): { value: unknown } | undefined {
  try {
    return { value: parseJson(text) };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function excerpt(text: string): string {
  return text === "" ? "an empty body" : JSON.stringify(text.slice(0, 120));
}

function writeDate(instant: string, style: "Z" | "offset"): string {
  return style === "Z" ? instant : instant.replace("Z", "+0000");
}
