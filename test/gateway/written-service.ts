/**
 * An independent service: a bare node:http server that gives the one answer a test has written and records every
 * request. None of our schemas is involved.
 */
import { createHmac } from "node:crypto";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { onTestFinished } from "vitest";
import type { Gateway, GatewaySettings } from "../../src/gateway/index.ts";
import { type VirtualClock, virtualClock } from "../context/virtual-clock.ts";
import { CLIENT_KEY, gatewayTo, SIGNING_SECRET } from "./trial-gateway.ts";

export interface Arrival {
  readonly method: string;
  /** With the query, as in the request line. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface WrittenAnswer {
  readonly status: number;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface WrittenService {
  readonly url: string;
  readonly arrivals: readonly Arrival[];
  /** The client under test, whose clock shows 2026-11-20T09:30:00.000Z. */
  readonly gateway: Gateway;
  readonly clock: VirtualClock;
}

export async function startWrittenService(
  { status, body = "", headers = { "content-type": "application/json" } }: WrittenAnswer,
  settings: Partial<GatewaySettings> = {},
): Promise<WrittenService> {
  const arrivals: Arrival[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = "", url: path = "", headers: sent } = request;
    arrivals.push({ method, path, headers: sent, body: Buffer.concat(chunks).toString("utf8") });
    // Node's server would add a Date header; only what is written here must be answered.
    response.sendDate = false;
    response.writeHead(status, headers).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  const clock = virtualClock("2026-11-20T09:30:00.000Z");
  return { url, arrivals, clock, gateway: gatewayTo(url, settings, clock) };
}

/** The headers that the interface requires, computed here from the request and not by the client's code. */
export function requiredHeaders({ method, path, body }: Arrival): Readonly<Record<string, string>> {
  const signature = createHmac("sha256", SIGNING_SECRET).update(`${method}\n${path}\n${body}`).digest("hex");
  return { key: CLIENT_KEY, signature };
}
