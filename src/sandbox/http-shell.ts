/**
 * Serves the sandbox over HTTP on the loopback interface: the service's operations, their document and, if enabled,
 * the control API. http-delivery.ts handles the service's requests.
 */
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import fastify, { type FastifyInstance } from "fastify";
import { fault } from "../faults/index.ts";
import { serveControl } from "./control.ts";
import { BODY_BYTES_MAX, deliveries, REQUEST_ID, sendFailure } from "./http-delivery.ts";
import { openapiDocument } from "./openapi/document.ts";
import type { SandboxOptions } from "./options.ts";
import { refusal } from "./refusal.ts";
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

/** Starts a sandbox that listens. Throws USAGE when the port is taken, and what `openSandbox` throws. */
export async function startSandbox(options: ServerOptions = {}): Promise<RunningSandbox> {
  const sandbox = openSandbox(options);
  const app = serverOf(sandbox, options);
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

const TICK_MS = 100;

/** Service requests bypass the router, which would make each a third more expensive. */
function serverOf(sandbox: Sandbox, { control = false, latencyMs = 0 }: ServerOptions): FastifyInstance {
  const deliver = deliveries(sandbox, latencyMs);
  const app = fastify({
    forceCloseConnections: true,
    bodyLimit: BODY_BYTES_MAX,
    serverFactory: (handleRoute) =>
      createServer((request, response) => {
        if (!isRouted(request, control)) return deliver(request, response);
        response.setHeader(REQUEST_ID, randomUUID());
        handleRoute(request, response);
      }),
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
  app.setErrorHandler((error, _request, reply) => {
    reply.hijack();
    sendFailure(error, reply.raw);
  });
  app.setNotFoundHandler(({ method, url }, reply) => {
    reply.hijack();
    sendFailure(refusal(404, "OPERATION_NOT_FOUND", `there is no ${method} ${url}`), reply.raw);
  });
  serveDocument(app, sandbox);
  if (control) serveControl(app, sandbox);
  return app;
}

/** Whether a request is for the document or the control API instead of the service. */
function isRouted({ method, url = "/" }: IncomingMessage, control: boolean): boolean {
  return (method === "GET" && url === DOCUMENT_PATH) || (control && url.startsWith("/control/"));
}

const DOCUMENT_PATH = "/openapi.json";

/** Built on demand, since most sandboxes never need it. */
function serveDocument(app: FastifyInstance, { served }: Sandbox): void {
  app.get(DOCUMENT_PATH, (_request, reply) => {
    reply.type("application/json").send(openapiDocument(served));
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
