/**
 * The service without a socket: synchronous, from request to answer. The order of checks: path (404, 405), key and
 * signature (401), body (400), nonce (409), business rules (400, 404, 409). A change is stored whole or not at all.
 */
import { parseJson, writeJson } from "../wire/index.ts";
import { wireDate } from "./answers/dates.ts";
import { JsonText } from "./answers/page-answer.ts";
import { beginSeededDeposit } from "./life/deposit-life.ts";
import { planForeignPayout, tick } from "./life/tick.ts";
import { servedOperations } from "./operations/operations.ts";
import { type RouteTable, routeTable } from "./operations/route-table.ts";
import type { SandboxOptions } from "./options.ts";
import { errorBody, Refusal, refusal } from "./refusal.ts";
import type { SeededClient } from "./seed.ts";
import { type Service, serviceIn } from "./service.ts";
import { countStart } from "./state/meta.ts";
import { openStore } from "./state/store.ts";

export interface SandboxRequest {
  readonly method: string;
  /** As sent: with the query, without the host. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Uint8Array;
}

export interface SandboxAnswer {
  readonly statusCode: number;
  /** JSON, or empty for no body. */
  readonly body: string;
}

/** How one request is handled: its arrival time, and changes by a fault script. */
export interface Handling {
  /** Milliseconds since 1970, by the sandbox's clock; now when left out. */
  readonly arrivedAt?: number | undefined;
  /** A request processed twice carries the same nonce both times. */
  readonly ignoreNonce?: boolean;
  readonly visibilityLagMs?: number;
  readonly rowsShifted?: number;
}

export type Core = ReturnType<typeof openCore>;

/** An answer must not leave before the next `commit`: so concurrent requests share one write to the database. */
export function openCore(options: SandboxOptions) {
  const store = openStore(options.database);
  const service = serviceIn(store, options);
  const served = servedOperations(service.policy.routes);
  const routes = routeTable(served);
  const { change, commit, close } = store;
  const clock = movableClock(options.clock ?? Date.now, service.meta);
  const { now } = clock;
  const passTime = (nowMs: number) => {
    if (service.agenda.isDue(nowMs)) change(() => tick(service, nowMs));
  };

  change(() => {
    countStart(service.meta);
    plantSeed(service, now());
  });
  commit();
  return {
    service,
    served,
    /** Milliseconds since 1970, by the sandbox's clock. */
    now,
    change,
    /** Writes to the database the changes since the last commit. */
    commit,
    close,
    /** Advances the sandbox's clock permanently, and performs everything that becomes due. */
    advance: (durationMs: number) => {
      change(() => clock.advance(durationMs));
      passTime(now());
    },
    /** Performs everything that is due; every request does so first. */
    tick: () => passTime(now()),
    /** Name of the operation behind a path with its query, or undefined. */
    operationNameOf: (method: string, path: string) => routes.find(method, path)?.operation.name,
    handle: (request: SandboxRequest, handling: Handling = {}): SandboxAnswer => {
      const nowMs = handling.arrivedAt ?? now();
      passTime(nowMs);
      try {
        return answerTo({ service, routes, change }, request, handling, nowMs);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        const body = errorBody(error, wireDate(nowMs, service.policy.dateStyle));
        return { statusCode: error.statusCode, body };
      }
    },
  };
}

/** A clock that can be moved forward; how far survives a restart. */
function movableClock(baseClock: () => number, meta: Service["meta"]) {
  let offsetMs = Number.parseInt(meta.get("clock-offset-ms") ?? "0", 10);
  return {
    now: () => baseClock() + offsetMs,
    advance: (durationMs: number) => {
      offsetMs += durationMs;
      meta.set("clock-offset-ms", String(offsetMs));
    },
  };
}

interface Parts {
  readonly service: Service;
  readonly routes: RouteTable;
  change<Result>(action: () => Result): Result;
}

/** Throws a Refusal. */
function answerTo(
  { service, routes, change }: Parts,
  request: SandboxRequest,
  { visibilityLagMs = service.policy.visibilityLagMs, rowsShifted = 0, ignoreNonce = false }: Handling,
  nowMs: number,
): SandboxAnswer {
  const { operation, fullBody } =
    routes.find(request.method, request.path) ?? refuseUnknownPath(routes, request);
  const client = authenticated(service, request);
  const bodyText = fullBody(textOf(request.body));
  const sent = parsedBody(bodyText);
  const read = operation.read(sent);
  const { nonce } = read;
  const call = { service, client, nowMs, bodyText, sent, visibilityLagMs, rowsShifted };
  const mutate = (used: bigint) => {
    if (!ignoreNonce) useNonce(service, client, used);
    return read.carryOut(call);
  };
  try {
    const body = nonce === undefined ? read.carryOut(call) : change(() => mutate(nonce));
    return { statusCode: operation.successCode, body: bodyTextOf(body) };
  } catch (error) {
    if (service.policy.nonce.burnedByRefusal && nonce !== undefined && isRefusedByRule(error)) {
      change(() => service.nonces.use(client.key, nonce));
    }
    throw error;
  }
}

function refuseUnknownPath(routes: RouteTable, { path }: SandboxRequest): never {
  const [place = ""] = path.split("?");
  const methods = routes.methodsAt(path);
  if (methods.length > 0) {
    throw refusal(405, "METHOD_NOT_ALLOWED", `the operation at ${place} is a ${methods.join(" or ")}`);
  }
  throw refusal(404, "OPERATION_NOT_FOUND", `there is no operation at ${place}`);
}

function authenticated(service: Service, request: SandboxRequest): SeededClient {
  const { key, signature } = request.headers;
  const client = typeof key === "string" ? service.directory.clientOf(key) : undefined;
  const holds =
    client !== undefined &&
    typeof signature === "string" &&
    service.policy.signatureHolds(signature, client.secret, request);
  if (!holds)
    throw refusal(401, "AUTHENTICATION_FAILED", "unknown key, or the signature does not fit the request");
  return client;
}

function bodyTextOf(body: unknown): string {
  if (body === undefined) return "";
  return body instanceof JsonText ? body.text : writeJson(body);
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function textOf(body: Uint8Array): string {
  try {
    return utf8.decode(body);
  } catch {
    throw refusal(400, "BODY_NOT_JSON", "the body is not UTF-8");
  }
}

function parsedBody(bodyText: string): unknown {
  try {
    return parseJson(bodyText);
  } catch {
    throw refusal(400, "BODY_NOT_JSON", "the body is not JSON");
  }
}

function useNonce(service: Service, client: SeededClient, nonce: bigint): void {
  if (!service.nonces.use(client.key, nonce)) throw refusal(409, "CONFLICT_NONCE", `invalid nonce ${nonce}`);
}

function isRefusedByRule(error: unknown): boolean {
  return error instanceof Refusal && (error.statusCode === 400 || error.statusCode === 404);
}

/** Applies the seed at a database's first start. */
function plantSeed(service: Service, nowMs: number): void {
  if (service.meta.get("seeded") !== undefined) return;
  service.meta.set("seeded", "yes");
  for (const seeded of service.seed.accounts) service.accounts.open(seeded, nowMs);
  for (const seeded of service.seed.deposits) beginSeededDeposit(service, seeded, nowMs);
  for (const foreign of service.seed.foreignPayouts) planForeignPayout(service, foreign, nowMs);
}
