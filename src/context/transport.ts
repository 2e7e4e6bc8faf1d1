/**
 * The only access to the network: sends single requests over a pool of connections. Never retries and never follows
 * a redirect. For every unanswered request it says whether the request's head may have left this machine.
 */
import type { Dispatcher, Pool } from "undici";
import { fault } from "../faults/index.ts";
import { type TlsFailure, tlsFailureOf } from "./tls-failure.ts";

export type HttpMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export interface HttpRequest {
  readonly method: HttpMethod;
  /** Absolute URL. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Empty for a request without a body. */
  readonly body: Buffer;
  /** Limit on the whole exchange, from the call to the last byte of the answer. */
  readonly timeoutMs: number;
  /** Limit on a pause within a response that has begun; default: only the total counts. */
  readonly idleTimeoutMs?: number | undefined;
  /** Called right before the head is written; when it returns a reason, nothing is written. */
  readonly stopBeforeWrite?: (() => string | undefined) | undefined;
}

export type HttpExchange =
  | {
      readonly kind: "answered";
      readonly status: number;
      readonly headers: Readonly<Record<string, string | string[] | undefined>>;
      readonly text: string;
    }
  | {
      readonly kind: "unanswered";
      /** False only if certainly not one byte of the request was written. */
      readonly headWritten: boolean;
      readonly timedOut: boolean;
      readonly reason: string;
      /** Why there was no TLS connection. */
      readonly tls?: TlsFailure;
    };

export interface Transport {
  /** Sends one request, once. Never rejects. */
  send(request: HttpRequest): Promise<HttpExchange>;
  /**
   * Requests not yet written use new connections. HTTP/1.1 matches answers to requests by order alone: after a
   * duplicate or surplus answer, every request on that connection gets the answer to the one before.
   */
  renewConnections(): void;
  close(): Promise<void>;
}

/** Reaches nothing: for a process that must not speak to the service. */
export const noTransport: Transport = {
  send: () => Promise.reject(fault("DESK_NEVER_CONNECTS", {})),
  renewConnections: () => undefined,
  close: () => Promise.resolve(),
};

interface TransportSettings {
  readonly connections: number;
  readonly answerBytesMax: number;
  /** Every connection goes through a tunnel opened by this proxy (CONNECT: RFC 9110, section 9.3.6). */
  readonly proxy?: HttpProxy | undefined;
}

export interface HttpProxy {
  readonly url: string;
  /** "user:password" */
  readonly credentials?: string;
}

const CONNECT_TIMEOUT_MS = 10_000;

export function undiciTransport(settings: TransportSettings): Transport {
  let undici: Promise<typeof import("undici")> | undefined;
  const pools = new Map<string, Dispatcher>();
  /** Requests sent over them are still answered. */
  const retired = new Set<Dispatcher>();
  const retire = async (pool: Dispatcher) => {
    retired.add(pool);
    // Closing fails if everything is being destroyed meanwhile.
    await Promise.allSettled([pool.close()]);
    retired.delete(pool);
  };
  return {
    send: async (request) => {
      const { promise, resolve } = Promise.withResolvers<HttpExchange>();
      // Loaded on first use: most commands send nothing, and loading it takes much of their time.
      undici ??= import("undici");
      const library = await undici;
      const poolInUse = (origin: string) => {
        const pool = pools.get(origin) ?? openPool(library, origin, settings);
        pools.set(origin, pool);
        return pool;
      };
      new Exchange(request, settings.answerBytesMax, resolve, poolInUse).queue();
      return promise;
    },
    renewConnections: () => {
      for (const pool of pools.values()) void retire(pool);
      pools.clear();
    },
    close: async () => {
      await Promise.all([...pools.values(), ...retired].map((pool) => pool.destroy()));
    },
  };
}

/** Explicit, so that a forgotten NODE_TLS_REJECT_UNAUTHORIZED does not show our key to anybody. */
const VERIFIED = { rejectUnauthorized: true };

/** The deadlines are ours; undici's own timeouts are switched off for each request. */
function openPool(
  { Pool, ProxyAgent }: typeof import("undici"),
  origin: string,
  { connections, proxy }: TransportSettings,
): Dispatcher {
  const options: Pool.Options = { connections, pipelining: 1, allowH2: false };
  if (proxy === undefined)
    return new Pool(origin, { ...options, connect: { timeout: CONNECT_TIMEOUT_MS, ...VERIFIED } });
  const { url, credentials } = proxy;
  const token =
    credentials === undefined ? {} : { token: `Basic ${Buffer.from(credentials).toString("base64")}` };
  // Without a tunnel the proxy would see the request and could answer it.
  return new ProxyAgent({
    ...options,
    ...token,
    uri: url,
    proxyTunnel: true,
    connectTimeout: CONNECT_TIMEOUT_MS,
    requestTls: VERIFIED,
    proxyTls: VERIFIED,
  });
}

/** One request in undici, and its state. */
class Exchange implements Dispatcher.DispatchHandler {
  private readonly request: HttpRequest;
  private readonly origin: string;
  private readonly path: string;
  private readonly answerBytesMax: number;
  private readonly settle: (exchange: HttpExchange) => void;
  private readonly poolInUse: (origin: string) => Dispatcher;
  private readonly deadline: NodeJS.Timeout;
  private silence: NodeJS.Timeout | undefined;
  private controller: Dispatcher.DispatchController | undefined;
  private pool: Dispatcher | undefined;
  private isMovingOn = false;
  private headWritten = false;
  private isLate = false;
  private settled = false;
  private status = 0;
  private headers: Record<string, string | string[] | undefined> = {};
  private chunks: Buffer[] = [];
  private bytes = 0;

  constructor(
    request: HttpRequest,
    answerBytesMax: number,
    settle: (exchange: HttpExchange) => void,
    poolInUse: (origin: string) => Dispatcher,
  ) {
    this.request = request;
    const { origin, pathname, search } = new URL(request.url);
    this.origin = origin;
    this.path = `${pathname}${search}`;
    this.answerBytesMax = answerBytesMax;
    this.settle = settle;
    this.poolInUse = poolInUse;
    this.deadline = setTimeout(
      () => this.giveUp(`no answer within ${request.timeoutMs} ms`),
      request.timeoutMs,
    );
  }

  /** Waits for a free connection of the pool that is in use now. */
  queue(): void {
    const { method, headers, body } = this.request;
    const { origin, path } = this;
    this.pool = this.poolInUse(origin);
    this.pool.dispatch(
      {
        origin,
        method,
        path,
        headers: { ...headers },
        body: body.length === 0 ? null : body,
        headersTimeout: 0,
        bodyTimeout: 0,
      },
      this,
    );
  }

  /** undici calls this synchronously before it writes the head; aborting here keeps the request from the socket. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    const stop = this.reasonNotToWrite();
    if (stop !== undefined) {
      this.fail(stop, false);
      controller.abort(new Error(stop));
    } else if (this.pool !== this.poolInUse(this.origin)) {
      this.isMovingOn = true;
      controller.abort(new Error("its connection was given up while it waited"));
    } else {
      this.headWritten = true;
    }
  }

  private reasonNotToWrite(): string | undefined {
    if (this.isLate || this.settled) return "the deadline passed before a connection was free";
    // undici re-queues a request when a connection ends in certain ways.
    if (this.headWritten) return "the connection ended after the request was written";
    return this.request.stopBeforeWrite?.();
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    // Informational responses (RFC 9110, section 15.2) do not count as an answer.
    if (status < 200) return;
    this.status = status;
    this.headers = headers;
    // Most answers end in the same turn of the event loop, and need no timer.
    queueMicrotask(() => this.watchSilence());
  }

  private watchSilence(): void {
    const { idleTimeoutMs } = this.request;
    clearTimeout(this.silence);
    if (idleTimeoutMs === undefined || this.settled) return;
    this.silence = setTimeout(
      () => this.giveUp(`the answer began and then stood still for ${idleTimeoutMs} ms`),
      idleTimeoutMs,
    );
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.silence?.refresh();
    this.bytes += chunk.length;
    if (this.bytes > this.answerBytesMax) {
      this.fail(`the answer has more than ${this.answerBytesMax} bytes`, false);
    } else {
      this.chunks.push(chunk);
    }
  }

  onResponseEnd(): void {
    this.finish({
      kind: "answered",
      status: this.status,
      headers: this.headers,
      text: Buffer.concat(this.chunks).toString("utf8"),
    });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.isMovingOn) {
      this.isMovingOn = false;
      this.queue();
      return;
    }
    const tls = tlsFailureOf(error);
    if (tls !== undefined && !this.headWritten)
      this.finish({ kind: "unanswered", headWritten: false, timedOut: false, ...tls });
    else this.fail(describe(error), isTimeout(error));
  }

  /**
   * Fails a request after its deadline, unless the answer has arrived. After the process was suspended, a turn of
   * the event loop runs timers first, then reads received data, then runs this.
   */
  private giveUp(reason: string): void {
    this.isLate = true;
    setImmediate(() => this.fail(reason, true));
  }

  private fail(reason: string, timedOut: boolean): void {
    const aborting = !this.settled && this.headWritten ? this.controller : undefined;
    this.finish({ kind: "unanswered", headWritten: this.headWritten, timedOut, reason });
    aborting?.abort(new Error(reason));
  }

  private finish(exchange: HttpExchange): void {
    if (this.settled) return;
    this.settled = true;
    clearTimeout(this.deadline);
    clearTimeout(this.silence);
    this.settle(exchange);
  }
}

function describe(error: Error): string {
  const code = "code" in error && error.code !== undefined ? String(error.code) : error.name;
  return error.message.includes(code) ? error.message : `${error.message} (${code})`;
}

function isTimeout(error: Error): boolean {
  return "code" in error && String(error.code).includes("TIMEOUT");
}
