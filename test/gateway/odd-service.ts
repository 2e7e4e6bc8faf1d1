/**
 * A service that answers as a test dictates: a sandbox behind a node:http server that can replace its answers, break
 * the connection, or say what the sandbox never would.
 */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { onTestFinished } from "vitest";
import {
  openSandbox,
  SANDBOX_HEADERS,
  type SandboxAnswer,
  type SandboxOptions,
} from "../../src/sandbox/index.ts";
import { NOBODY_ELSE } from "../quiet-seed.ts";

export interface Exchange {
  readonly path: string;
  readonly body: string;
  readonly headers: IncomingHttpHeaders;
  readonly response: ServerResponse;
  /** Carries the request out like the sandbox; returns its answer without sending it. */
  honest(): SandboxAnswer;
  /** Sends an answer. */
  answer(statusCode: number, body: string, headers?: Readonly<Record<string, string>>): void;
}

export interface OddService {
  readonly url: string;
  /** The paths of all requests, in order of arrival. */
  readonly arrivals: readonly string[];
  /** References of the payouts that were really created. */
  creations(): string[];
  /** Takes no more connections until it is started again on the same port. */
  stop(): void;
  start(): Promise<void>;
}

export const CREATE = "/payouts/v2/create";
export const FIND = "/payouts/v2/find";

/** A payout that somebody else made at the service. */
export const STRANGER = {
  payoutId: "01a2004c-de6b-7555-850c-1753d24b0e45",
  accountId: "6f1cbb7e-0000-4000-8000-000000000001",
  reference: "EXT-1",
  callbackUrl: "https://elsewhere.example/hook",
  requestedAmount: { currency: "BTC", amount: 0.5 },
  payoutState: "COMPLETED",
};

/** Starts a service; `play` sees every request and returns false to have it answered normally. */
export async function startOddService(
  play: (exchange: Exchange) => boolean | undefined,
  options: SandboxOptions = {},
): Promise<OddService> {
  const sandbox = openSandbox({ seed: NOBODY_ELSE, ...options });
  const arrivals: string[] = [];
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request);
    response.setHeader("server", SANDBOX_HEADERS.server);
    const { url: path = "/", headers } = request;
    arrivals.push(path);
    const answer: Exchange["answer"] = (statusCode, text, sent = { "content-type": "application/json" }) =>
      void response.writeHead(statusCode, sent).end(text);
    const honest = () => sandbox.handle({ method: request.method ?? "GET", path, headers, body });
    if (play({ path, body: body.toString("utf8"), headers, response, honest, answer }) !== false) return;
    const { statusCode, body: text } = honest();
    answer(statusCode, text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
    sandbox.close();
  });
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return {
    url: `http://127.0.0.1:${port}`,
    arrivals,
    creations: () => sandbox.creations().map(({ reference }) => reference),
    stop: () => server.close(),
    start: () => new Promise((resolve) => server.listen(port, "127.0.0.1", resolve)),
  };
}

/** The interface's error array with one error. */
export function errorBody(code: string, error = "no"): string {
  return JSON.stringify([{ error, code, timestamp: "2026-11-20T09:30:00.000Z" }]);
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
