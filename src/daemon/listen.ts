/** HTTP servers of the daemon, and how they listen at a configured address. */
import fastify, { type FastifyInstance } from "fastify";
import { fault } from "../faults/index.ts";
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

interface ServerLimits {
  readonly requestMaxMs?: number;
  readonly bodyLimit?: number;
  readonly trustProxy?: string;
  readonly tls?: TlsFiles | undefined;
}

/**
 * A server with limited connections: anybody who can reach its port may open some and stay silent, or drip, and a process
 * that cannot open more files sends no payment. The oldest one ends for a new one, so that a monitor always gets in: it
 * asks at once and is answered at once.
 */
export function limitedServer({
  tls,
  requestMaxMs = REQUEST_MAX_MS,
  ...limits
}: ServerLimits = {}): FastifyInstance {
  const options = {
    forceCloseConnections: true,
    requestTimeout: requestMaxMs,
    connectionTimeout: requestMaxMs,
    ...limits,
  };
  // By itself Node looks only every 30 seconds.
  const checking = { connectionsCheckingInterval: 1000 };
  const app: FastifyInstance =
    tls === undefined
      ? fastify({ ...options, http: checking })
      : // Of its other type of server nothing is used that differs.
        (fastify({ ...options, https: { ...tls, ...checking } }) as unknown as FastifyInstance);
  const open = new Set<{ destroy(): unknown }>();
  app.server.on("connection", (socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
    const [oldest] = open;
    if (open.size > CONNECTIONS_MAX) oldest?.destroy();
  });
  return app;
}

const REQUEST_MAX_MS = 10_000;
const CONNECTIONS_MAX = 256;

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
