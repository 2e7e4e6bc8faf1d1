/**
 * Handles a service request over HTTP. The exact bytes of a body go to the core, since the signature covers them
 * and no number may pass through a float; connections break where a fault script says so.
 */
import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { SandboxAnswer } from "./core.ts";
import type { Delivery } from "./misbehaviour.ts";
import { percentDecoded } from "./operations/addressed-body.ts";
import { errorBody, Refusal, refusal } from "./refusal.ts";
import type { Sandbox } from "./sandbox.ts";

export const BODY_BYTES_MAX = 1024 * 1024;

/** Identifies the request. Not from the sandbox's own random source, whose sequence it must not disturb. */
export const REQUEST_ID = "x-request-id";

/** Says that a sandbox answers: only there may approvals be given by name alone. */
export const SANDBOX_HEADERS = { server: "paydrop-sandbox" } as const;

/**
 * Handles the requests of one turn of the event loop together, commits their changes once, and only then sends the
 * answers. Besides sharing the commit, handling them in one go, without system calls in between, halves the cost of
 * each, and wakes a sleeping client only once.
 */
export function deliveries(sandbox: Sandbox, latencyMs: number) {
  const carryOut = oncePerTurn((requests: readonly Received[]) => {
    const handled = requests.map(({ deliver, response }) => ({ response, outcome: outcomeOf(deliver) }));
    const failure = outcomeOf(sandbox.commit);
    for (const { response, outcome } of handled) sendDelayed(failure ?? outcome, response, latencyMs);
  });
  return (request: IncomingMessage, response: ServerResponse): void => {
    const { method = "GET", url = "/", headers } = request;
    if (!isReadable(url)) {
      sendFailure(refusal(400, "INVALID_ADDRESS", "the address cannot be read"), response);
      return;
    }
    readBody(request, (body) => {
      if (body === undefined) {
        const reason = `the body has more than ${BODY_BYTES_MAX} bytes`;
        sendFailure(refusal(413, "BODY_TOO_LARGE", reason), response);
        return;
      }
      const { delayBeforeMs, deliver } = sandbox.plan({ method, path: url, headers, body });
      if (delayBeforeMs > 0) setTimeout(carryOut, delayBeforeMs, { deliver, response }).unref();
      else carryOut({ deliver, response });
    });
  };
}

/** Returns a function that collects items; `doAll` receives those of one turn. */
function oncePerTurn<Item>(doAll: (items: readonly Item[]) => void): (item: Item) => void {
  let collected: Item[] = [];
  const finish = () => {
    const items = collected;
    collected = [];
    doAll(items);
  };
  return (item) => {
    if (collected.length === 0) setImmediate(finish);
    collected.push(item);
  };
}

interface Received {
  deliver(): Delivery;
  readonly response: ServerResponse;
}

interface Failed {
  readonly kind: "failed";
  readonly error: unknown;
}

/** The result of an action, or its defect. */
function outcomeOf<Result>(action: () => Result): Result | Failed {
  try {
    return action();
  } catch (error) {
    return { kind: "failed", error };
  }
}

function sendDelayed(outcome: Delivery | Failed, response: ServerResponse, latencyMs: number): void {
  const delayMs = outcome.kind === "failed" ? 0 : outcome.delayAfterMs + latencyMs;
  if (delayMs > 0) setTimeout(send, delayMs, outcome, response).unref();
  else send(outcome, response);
}

function send(outcome: Delivery | Failed, response: ServerResponse): void {
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

/** Sends headers for the whole body, and breaks the connection in the middle of it. */
function sendHalf({ statusCode, body }: SandboxAnswer, response: ServerResponse): void {
  const bytes = Buffer.from(body);
  response.writeHead(statusCode, headersOf(body));
  response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => response.destroy());
}

function headersOf(body: string) {
  const always = {
    ...SANDBOX_HEADERS,
    [REQUEST_ID]: randomUUID(),
    "content-length": Buffer.byteLength(body),
  };
  return body === "" ? always : { "content-type": "application/json; charset=utf-8", ...always };
}

/** Whether the path has valid percent-encoding; the operation reads the query. */
function isReadable(address: string): boolean {
  if (!address.includes("%")) return true;
  const [path = ""] = address.split("?");
  return (percentDecoded(path) ?? "") !== "";
}

/**
 * Sends an error in the interface's form, for an address or body that the core cannot take, or for a defect inside
 * it.
 */
export function sendFailure(error: unknown, response: ServerResponse): void {
  const failure = error instanceof Refusal ? error : refusalOf(error);
  const body = errorBody(failure, new Date().toISOString());
  sendWhole({ statusCode: failure.statusCode, body }, response);
}

/** The refusal for an error with a status of the HTTP server; anything else is a defect. */
function refusalOf(error: unknown): Refusal {
  const reason = error instanceof Error ? error.message : String(error);
  const status = error instanceof Error && "statusCode" in error ? error.statusCode : undefined;
  if (status === 400) return refusal(400, "INVALID_ADDRESS", reason);
  if (status === 413) return refusal(413, "BODY_TOO_LARGE", reason);
  return refusal(500, "INTERNAL_ERROR", reason);
}

/**
 * Calls `done` with the body, or with undefined as soon as it exceeds the limit; not at all for a body that breaks
 * off.
 */
function readBody(request: IncomingMessage, done: (body: Buffer | undefined) => void): void {
  if (Number.parseInt(request.headers["content-length"] ?? "0", 10) > BODY_BYTES_MAX) {
    done(undefined);
    return;
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  request.on("data", (chunk: Buffer) => {
    const wasWithin = bytes <= BODY_BYTES_MAX;
    bytes += chunk.length;
    if (bytes <= BODY_BYTES_MAX) chunks.push(chunk);
    else if (wasWithin) done(undefined);
  });
  request.on("end", () => {
    if (bytes > BODY_BYTES_MAX) return;
    const [only] = chunks;
    done(chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks));
  });
}
