/**
 * Serves the sandbox over HTTP on the loopback interface: the service's operations, their document and, if enabled,
 * the control API. The exact bytes of a body go to the service, since the signature covers them and no number may pass
 * through a float; connections break where a fault says so.
 */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { fault } from "../faults/index.ts";
import { controlOf } from "./control.ts";
import { servedDocument } from "./document.ts";
import type { Delivery } from "./faults.ts";
import type { SandboxAnswer } from "./handle.ts";
import { percentDecoded } from "./operations/addressed-body.ts";
import type { SandboxOptions } from "./options.ts";
import { Refusal, refusal, refusalAnswer } from "./refusal.ts";
import { openSandbox, type Sandbox } from "./sandbox.ts";

export interface ServerOptions extends SandboxOptions {
  /** 0 (default) takes a free one. */
  readonly port?: number;
  /** Delays every answer; for demonstrations. */
  readonly latencyMs?: number;
  /** Serves the control API under /control; off by default. */
  readonly control?: boolean;
}

export interface RunningSandbox extends Omit<Sandbox, "close"> {
  /** "http://127.0.0.1:PORT" */
  readonly url: string;
  close(): Promise<void>;
}

/** Says that a sandbox answers: the keys of a trial pay nowhere else. */
export const SANDBOX_HEADERS = { server: "paydrop-sandbox" } as const;

/** Starts a sandbox that listens. Throws USAGE when the port is taken, and what `openSandbox` throws. */
export async function startSandbox(options: ServerOptions = {}): Promise<RunningSandbox> {
  const sandbox = openSandbox(options);
  const server = serverOf(sandbox, options);
  const url = await listen(server, options.port ?? 0).catch((error: unknown) => {
    sandbox.close();
    throw error;
  });
  const timer = setInterval(() => sandbox.tick(), TICK_MS).unref();
  return {
    ...sandbox,
    url,
    close: async () => {
      clearInterval(timer);
      const isClosed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await isClosed;
      sandbox.close();
    },
  };
}

const TICK_MS = 100;
const BODY_BYTES_MAX = 1024 * 1024;
const DOCUMENT_PATH = "/openapi.json";

async function listen(server: Server, port: number): Promise<string> {
  try {
    server.listen({ host: "127.0.0.1", port });
    await once(server, "listening");
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const what = `the sandbox cannot listen on port ${port}: ${reason}`;
    throw fault("USAGE", { what, how: "Name another port, or 0 for a free one." }, {}, { cause });
  }
}

function serverOf(sandbox: Sandbox, { control: hasControl = false, latencyMs = 0 }: ServerOptions): Server {
  const control = controlOf(sandbox);
  const deliver = deliveries(sandbox, latencyMs);
  return createServer((request, response) => {
    const { method = "GET", url = "/", headers } = request;
    if (!isReadable(url)) {
      sendFailure(refusal(400, "INVALID_ADDRESS", "the address cannot be read"), response);
      return;
    }
    readBody(request, (body) => {
      if (body === undefined) {
        const reason = `the body has more than ${BODY_BYTES_MAX} bytes`;
        sendFailure(refusal(413, "BODY_TOO_LARGE", reason), response);
      } else if (method === "GET" && url === DOCUMENT_PATH) {
        sendResult(response, () => ({ statusCode: 200, body: servedDocument(sandbox.served) }));
      } else if (hasControl && url.startsWith("/control/")) {
        sendResult(response, () => control(method, url, body));
      } else {
        const { delayBeforeMs, deliver: carryOut } = sandbox.plan({ method, path: url, headers, body });
        if (delayBeforeMs > 0) setTimeout(deliver, delayBeforeMs, { carryOut, response }).unref();
        else deliver({ carryOut, response });
      }
    });
  });
}

/** Whether the path has valid percent-encoding; the operation reads the query. */
function isReadable(address: string): boolean {
  if (!address.includes("%")) return true;
  const [path = ""] = address.split("?");
  return (percentDecoded(path) ?? "") !== "";
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

interface Received {
  carryOut(): Delivery;
  readonly response: ServerResponse;
}

interface Failed {
  readonly kind: "failed";
  readonly error: unknown;
}

/**
 * Carries out the requests of one turn of the event loop together, commits their changes once, and only then sends the
 * answers. Besides sharing the commit, carrying them out in one go, without system calls in between, halves the cost
 * of each, and wakes a sleeping client only once.
 */
function deliveries({ commit }: Sandbox, latencyMs: number): (received: Received) => void {
  let ofThisTurn: Received[] = [];
  const carryOutAll = () => {
    const outcomes = ofThisTurn.map(({ carryOut, response }) => ({ response, outcome: outcomeOf(carryOut) }));
    ofThisTurn = [];
    const failure = outcomeOf(commit);
    for (const { response, outcome } of outcomes) sendDelayed(failure ?? outcome, response, latencyMs);
  };
  return (received) => {
    if (ofThisTurn.length === 0) setImmediate(carryOutAll);
    ofThisTurn.push(received);
  };
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

/** Sends headers for the whole body, and breaks the connection in the middle of it. */
function sendHalf({ statusCode, body }: SandboxAnswer, response: ServerResponse): void {
  const bytes = Buffer.from(body);
  response.writeHead(statusCode, headersOf(body));
  response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => response.destroy());
}

function sendResult(response: ServerResponse, answer: () => SandboxAnswer): void {
  const outcome = outcomeOf(answer);
  if ("kind" in outcome) sendFailure(outcome.error, response);
  else sendWhole(outcome, response);
}

/** Sends an error in the interface's form, for a request that the service cannot take, or for a defect inside it. */
function sendFailure(error: unknown, response: ServerResponse): void {
  const reason = error instanceof Error ? error.message : String(error);
  const failure = error instanceof Refusal ? error : refusal(500, "INTERNAL_ERROR", reason);
  sendWhole(refusalAnswer(failure, new Date().toISOString()), response);
}

function sendWhole({ statusCode, body }: SandboxAnswer, response: ServerResponse): void {
  response.writeHead(statusCode, headersOf(body)).end(body);
}

/** The request's identifier is not from the sandbox's own random source, whose sequence it must not disturb. */
function headersOf(body: string) {
  const always = {
    ...SANDBOX_HEADERS,
    "x-request-id": randomUUID(),
    "content-length": Buffer.byteLength(body),
  };
  return body === "" ? always : { "content-type": "application/json; charset=utf-8", ...always };
}
