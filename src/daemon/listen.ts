/** Opens an HTTP server at a configured address. */
import type { FastifyInstance } from "fastify";
import { fault } from "../faults/index.ts";
import { described } from "./run-outcome.ts";

export interface Listener {
  /** "http://127.0.0.1:9464" */
  readonly url: string;
  close(): Promise<void>;
}

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
