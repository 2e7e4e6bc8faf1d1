/**
 * A request of the service over HTTP, from its bytes to its answer. The exact bytes of a body go to the core, since the signature covers
 * them and no number may pass through a float; connections break where a fault script says so.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { writeJson } from "../wire/index.ts";
import type { SandboxAnswer, SandboxRequest } from "./core.ts";
import type { Delivery } from "./misbehaviour.ts";
import type { Sandbox } from "./sandbox.ts";
import { oncePerTurn } from "./turn.ts";

export const BODY_BYTES_MAX = 1024 * 1024;

/**
 * Carries out the requests of one turn of the event loop together, writes what they changed in one commit, and only then lets their
 * answers leave. One commit for many is one reason; the other is that handling them at a stretch, without the system's calls in
 * between, halves what each costs, and that a client that sleeps is woken once.
 */
export function deliveries(sandbox: Sandbox, latencyMs: number) {
  const carryOut = oncePerTurn((requests: readonly Received[]) => {
    const handled = requests.map((received) => handle(received));
    const failure = failureOf(sandbox.commit);
    for (const { outcome, response } of handled) leave(failure ?? outcome, response, latencyMs);
  });
  return (request: IncomingMessage, response: ServerResponse): void => {
    readBody(request, (body) => {
      if (body === undefined) {
        sendFailure(new BodyTooLarge(), response);
        return;
      }
      const { delayBeforeMs, deliver } = sandbox.plan(sandboxRequest(request, body));
      if (delayBeforeMs > 0) setTimeout(carryOut, delayBeforeMs, { deliver, response }).unref();
      else carryOut({ deliver, response });
    });
  };
}

interface Received {
  deliver(): Delivery;
  readonly response: ServerResponse;
}

/** A delivery, or the defect that came instead of one. */
type Outcome = Delivery | { readonly kind: "failed"; readonly error: unknown };

function handle({ deliver, response }: Received): {
  readonly outcome: Outcome;
  readonly response: ServerResponse;
} {
  try {
    return { outcome: deliver(), response };
  } catch (error) {
    return { outcome: { kind: "failed", error }, response };
  }
}

function failureOf(action: () => void): Outcome | undefined {
  try {
    action();
    return undefined;
  } catch (error) {
    return { kind: "failed", error };
  }
}

function leave(outcome: Outcome, response: ServerResponse, latencyMs: number): void {
  const delayMs = outcome.kind === "failed" ? 0 : outcome.delayAfterMs + latencyMs;
  if (delayMs > 0) setTimeout(send, delayMs, outcome, response).unref();
  else send(outcome, response);
}

function send(outcome: Outcome, response: ServerResponse): void {
  switch (outcome.kind) {
    case "whole":
      sendWhole(outcome.answer, response);
      break;
    case "half":
      sendHalf(outcome.answer, response);
      break;
    case "cut":
      response.destroy();
      break;
    case "failed":
      sendFailure(outcome.error, response);
  }
}

function sendWhole({ statusCode, body }: SandboxAnswer, response: ServerResponse): void {
  response.writeHead(statusCode, headersOf(body)).end(body);
}

/** The headers promise the whole body, and the connection goes down in the middle of it. */
function sendHalf({ statusCode, body }: SandboxAnswer, response: ServerResponse): void {
  const bytes = Buffer.from(body);
  response.writeHead(statusCode, headersOf(body));
  response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => response.destroy());
}

function headersOf(body: string) {
  const length = { "content-length": Buffer.byteLength(body) };
  return body === "" ? length : { "content-type": "application/json; charset=utf-8", ...length };
}

class BodyTooLarge extends Error {
  constructor() {
    super(`the body has more than ${BODY_BYTES_MAX} bytes`);
  }
}

/** What goes wrong outside the core (a body too large) or inside it (a defect), in the interface's error form. */
export function sendFailure(error: unknown, response: ServerResponse): void {
  const tooLarge = error instanceof Error && (error instanceof BodyTooLarge || isStatus413(error));
  const reason = error instanceof Error ? error.message : String(error);
  const code = tooLarge ? "BODY_TOO_LARGE" : "INTERNAL_ERROR";
  const body = writeJson([{ error: reason, code, timestamp: new Date().toISOString() }]);
  sendWhole({ statusCode: tooLarge ? 413 : 500, body }, response);
}

/** How fastify says that a body is too large. */
function isStatus413(error: Error): boolean {
  return "statusCode" in error && error.statusCode === 413;
}

/** Undefined for a body above the limit. A body that breaks off is nobody's: nothing is called. */
function readBody(request: IncomingMessage, done: (body: Buffer | undefined) => void): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  request.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= BODY_BYTES_MAX) chunks.push(chunk);
  });
  request.on("end", () => {
    const [only] = chunks;
    const whole = chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks);
    done(bytes > BODY_BYTES_MAX ? undefined : whole);
  });
}

function sandboxRequest(
  { method = "GET", url = "/", headers }: IncomingMessage,
  body: Buffer,
): SandboxRequest {
  const [path = "/"] = url.split("?");
  return { method, path, headers, body };
}
