/**
 * The sandbox over HTTP on the loopback interface. It hands the exact bytes of a body to the core, since the signature covers
 * them and no number may pass through a float, and it breaks connections where a fault script says so.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { fault } from "../faults/index.ts";
import { writeJson } from "../wire/index.ts";
import { serveControl } from "./control.ts";
import type { SandboxRequest } from "./core.ts";
import type { Delivery, PlannedDelivery } from "./misbehaviour.ts";
import { openapiDocument } from "./openapi/document.ts";
import { browsablePage } from "./openapi/page.ts";
import type { SandboxOptions } from "./options.ts";
import { openSandbox, type Sandbox } from "./sandbox.ts";

export interface ServerOptions extends SandboxOptions {
  /** 0 (default) takes a free one. */
  readonly port?: number;
  /** Every answer waits this long; for demonstrations. */
  readonly latencyMs?: number;
  /** Serves the control API under /control; off by default. */
  readonly control?: boolean;
}

export interface RunningSandbox extends Omit<Sandbox, "close"> {
  /** "http://127.0.0.1:PORT" */
  readonly url: string;
  close(): Promise<void>;
}

/** Starts a sandbox that listens. Throws USAGE when the port is taken, and what `openSandbox` throws. */
export async function startSandbox(options: ServerOptions = {}): Promise<RunningSandbox> {
  const sandbox = openSandbox(options);
  // A fresh UUID, not one of the sandbox's own source: how many requests came must not change what a random seed repeats.
  const app = fastify({
    forceCloseConnections: true,
    bodyLimit: BODY_BYTES_MAX,
    genReqId: () => randomUUID(),
    // An address that cannot be read: no hook has seen it.
    frameworkErrors: (error, request, reply) => sendFailure(error, reply.header(REQUEST_ID, request.id)),
  });
  app.addHook("onRequest", (request, reply, done) => {
    reply.header(REQUEST_ID, request.id);
    done();
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
  app.setErrorHandler((error, _request, reply) => sendFailure(error, reply));
  serveDocument(app, sandbox);
  if (options.control === true) serveControl(app, sandbox);
  app.all("/*", (request, reply) => deliver(sandbox, request, reply, options.latencyMs ?? 0));
  const url = await listen(app, options.port ?? 0).catch((error: unknown) => {
    sandbox.close();
    throw error;
  });
  const timer = setInterval(() => sandbox.tick(), TICK_MS).unref();
  return {
    ...sandbox,
    url,
    close: async () => {
      clearInterval(timer);
      await app.close();
      sandbox.close();
    },
  };
}

/** On every answer, so that a caller and the sandbox can speak of the same request. */
const REQUEST_ID = "x-request-id";
const BODY_BYTES_MAX = 1024 * 1024;
const TICK_MS = 100;

/** GET /openapi.json and, to read it by, GET /. Made when they are asked for: most sandboxes never are. */
function serveDocument(app: FastifyInstance, { served }: Sandbox): void {
  app.get("/openapi.json", (_request, reply) => {
    reply.type("application/json").send(openapiDocument(served));
  });
  app.get("/", (_request, reply) => {
    reply.type("text/html; charset=utf-8").send(browsablePage(served));
  });
}

async function listen(app: FastifyInstance, port: number): Promise<string> {
  try {
    return await app.listen({ host: "127.0.0.1", port });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const what = `the sandbox cannot listen on port ${port}: ${reason}`;
    throw fault("USAGE", { what, how: "Name another port, or 0 for a free one." }, {}, { cause });
  }
}

function sandboxRequest(request: FastifyRequest): SandboxRequest {
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  return { method: request.method, path: request.url, headers: request.headers, body };
}

/** Nothing waits where no script and no latency says so: a promise for each request costs more than a look-up. */
function deliver(
  sandbox: Sandbox,
  request: FastifyRequest,
  reply: FastifyReply,
  latencyMs: number,
): FastifyReply | Promise<FastifyReply> {
  const planned = sandbox.plan(sandboxRequest(request));
  if (planned.delayBeforeMs > 0) return deliverLate(planned, reply, latencyMs);
  const delivery = planned.deliver();
  if (delivery.delayAfterMs + latencyMs > 0) return answerLate(delivery, reply, latencyMs);
  sendWithItsTurn(delivery, reply);
  return reply;
}

async function deliverLate(planned: PlannedDelivery, reply: FastifyReply, latencyMs: number) {
  await pause(planned.delayBeforeMs);
  return answerLate(planned.deliver(), reply, latencyMs);
}

async function answerLate(delivery: Delivery, reply: FastifyReply, latencyMs: number) {
  await pause(delivery.delayAfterMs + latencyMs);
  return send(delivery, reply);
}

interface Outgoing {
  readonly delivery: Delivery;
  readonly reply: FastifyReply;
}

const outgoing: Outgoing[] = [];

/** Answers of one turn of the event loop leave together: a client that sleeps is woken once for all of them, which is what costs. */
function sendWithItsTurn(delivery: Delivery, reply: FastifyReply): void {
  if (outgoing.length === 0) setImmediate(sendOutgoing);
  outgoing.push({ delivery, reply });
}

function sendOutgoing(): void {
  for (const { delivery, reply } of outgoing.splice(0)) send(delivery, reply);
}

async function pause(durationMs: number): Promise<void> {
  await wait(durationMs, undefined, { ref: false });
}

function send({ kind, answer }: Delivery, reply: FastifyReply): FastifyReply {
  switch (kind) {
    case "whole":
      reply.code(answer.statusCode);
      return answer.body === "" ? reply.send() : reply.type("application/json").send(answer.body);
    case "half":
      return sendHalf(Buffer.from(answer.body), answer.statusCode, reply);
    case "cut":
      reply.hijack();
      reply.raw.destroy();
      return reply;
  }
}

/** The headers promise the whole body, and the connection goes down in the middle of it. */
function sendHalf(body: Buffer, statusCode: number, reply: FastifyReply): FastifyReply {
  reply.hijack();
  reply.raw.writeHead(statusCode, {
    [REQUEST_ID]: reply.request.id,
    "content-type": "application/json",
    "content-length": body.length,
  });
  reply.raw.write(body.subarray(0, Math.floor(body.length / 2)), () => reply.raw.destroy());
  return reply;
}

const FAILURES = [
  { statusCode: 400, code: "INVALID_ADDRESS" },
  { statusCode: 413, code: "BODY_TOO_LARGE" },
];
const DEFECT = { statusCode: 500, code: "INTERNAL_ERROR" };

/** What goes wrong outside the core (an address or a body it cannot take) or inside it (a defect), in the interface's error form. */
function sendFailure(error: unknown, reply: FastifyReply): FastifyReply {
  const claimed = error instanceof Error && "statusCode" in error ? error.statusCode : undefined;
  const { statusCode, code } = FAILURES.find((failure) => failure.statusCode === claimed) ?? DEFECT;
  const reason = error instanceof Error ? error.message : String(error);
  const body = writeJson([{ error: reason, code, timestamp: new Date().toISOString() }]);
  return reply.code(statusCode).type("application/json").send(body);
}
