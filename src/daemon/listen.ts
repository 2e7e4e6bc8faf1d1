/** HTTP servers of the daemon, and how they listen at a configured address. */
import fastify, { type FastifyInstance, type FastifyServerOptions } from "fastify";
import { fault } from "../faults/index.ts";
import { Connections } from "./connections.ts";
import { described } from "./described.ts";

export interface Listener {
  /** "http://127.0.0.1:9464" */
  readonly url: string;
  close(): Promise<void>;
}

export interface TlsFiles {
  readonly key: Buffer;
  readonly cert: Buffer;
}

interface ServerOptions extends Pick<FastifyServerOptions, "frameworkErrors" | "clientErrorHandler"> {
  /** How long a connection may be silent while it is open. */
  readonly silentMaxMs?: number;
  readonly bodyLimit?: number;
  readonly trustProxy?: string;
  readonly tls?: TlsFiles | undefined;
  readonly connections?: Connections;
}

/**
 * A server with limited connections: anybody who can reach its port could keep many open, and a process that cannot
 * open more files sends no payment. A new connection ends another one (`Connections`), so that a monitor always
 * gets in, because its requests are short.
 */
export function limitedServer({
  tls,
  silentMaxMs = SILENT_MAX_MS,
  connections = new Connections(),
  ...others
}: ServerOptions = {}): FastifyInstance {
  // A whole request may take as long as it keeps the lowest rate.
  const limits = { forceCloseConnections: true, requestTimeout: 0, connectionTimeout: silentMaxMs };
  const options = { ...limits, ...others };
  // By default Node looks only every 30 seconds. Answers of Node's own refusals would lack our headers.
  const http = { connectionsCheckingInterval: 1000, headersTimeout: HEAD_MAX_MS, requireHostHeader: false };
  const app: FastifyInstance =
    tls === undefined
      ? fastify({ ...options, http })
      : // Its server has another type, but nothing that differs is used.
        (fastify({ ...options, https: { ...tls, ...http } }) as unknown as FastifyInstance);
  connections.watch(app.server);
  // Closing the connection at once would destroy the answer if the client is still sending; `Connections` reads the
  // rest first.
  app.addHook("onSend", async ({ raw }, reply) => {
    if (!raw.complete) reply.removeHeader("connection");
  });
  return app;
}

const SILENT_MAX_MS = 10_000;
const HEAD_MAX_MS = 10_000;

/** `address`: host and port, from the configuration key `key`. Throws CONFIG_KEY_INVALID if it is in use. */
export async function listenAt(app: FastifyInstance, address: string, key: string): Promise<Listener> {
  const { hostname, port } = new URL(`http://${address}`);
  try {
    const url = await app.listen({
      host: hostname.replace(/^\[|\]$/g, ""),
      port: Number.parseInt(port || "80", 10),
    });
    return { url, close: () => app.close() };
  } catch (cause) {
    const reason = `nothing can listen at ${address}: ${described(cause).message}`;
    throw fault("CONFIG_KEY_INVALID", { path: key, reason, hint: "" }, { key }, { cause });
  }
}
