/**
 * The service without a socket: a request in, an answer out, synchronously. Checks in this order: path (404, 405), key and
 * signature (401), body (400), nonce (409), business rules (400, 404, 409); then everything happens in one transaction.
 */
import { parseJson, writeJson } from "../wire/index.ts";
import { wireDate } from "./answers/dates.ts";
import { beginSeededDeposit } from "./life/deposit-life.ts";
import { planForeignPayout } from "./life/foreign-payout.ts";
import { tick } from "./life/tick.ts";
import type { Call, Operation, ReadRequest } from "./operations/operation.ts";
import { operations } from "./operations/operations.ts";
import type { SandboxOptions } from "./options.ts";
import { Refusal, refusal } from "./refusal.ts";
import { signatureHolds } from "./rules/signature.ts";
import type { SeededClient } from "./seed.ts";
import { type Service, serviceIn } from "./service.ts";
import { openDatabase, type SandboxDatabase } from "./state/database.ts";

export interface SandboxRequest {
  readonly method: string;
  /** Without host and query. */
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

/** What a fault script changes about the handling of one request. */
export interface Handling {
  /** A request processed twice carries the same nonce both times. */
  readonly ignoreNonce?: boolean;
  readonly visibilityLagMs?: number;
}

export interface Core {
  handle(request: SandboxRequest, handling?: Handling): SandboxAnswer;
  /** Lets everything happen that is due; every request does so first. */
  tick(): void;
  readonly service: Service;
  close(): void;
}

/** Name of the operation behind a path, or undefined. */
export function operationNameOf(path: string): string | undefined {
  return BY_PATH.get(path)?.name;
}

export function openCore(options: SandboxOptions): Core {
  const database = openDatabase(options.database ?? ":memory:");
  const service = serviceIn(database, options);
  const clock = options.clock ?? Date.now;
  plantSeed(database, service, clock());
  const passTime = database.transaction((nowMs: number) => tick(service, nowMs));
  const carryOut = database.transaction((request: ReadRequest, call: Call, ignoreNonce: boolean) => {
    useNonce(service, call.client, request.nonce, ignoreNonce);
    return request.carryOut(call);
  });

  const answer = (request: SandboxRequest, handling: Handling, nowMs: number): SandboxAnswer => {
    const operation = operationAt(request);
    const client = authenticated(service, request);
    const bodyText = textOf(request.body);
    const sent = parsed(bodyText);
    const read = operation.read(sent);
    const visibilityLagMs = handling.visibilityLagMs ?? service.policy.visibilityLagMs;
    try {
      const call = { service, client, nowMs, bodyText, sent, visibilityLagMs };
      const body = carryOut.immediate(read, call, handling.ignoreNonce ?? false);
      return { statusCode: operation.successCode, body: body === undefined ? "" : writeJson(body) };
    } catch (error) {
      if (service.policy.nonce.burnedByRefusal && read.nonce !== undefined && isRefusedByRule(error)) {
        service.nonces.use(client.key, read.nonce);
      }
      throw error;
    }
  };

  return {
    service,
    tick: () => passTime.immediate(clock()),
    handle: (request, handling = {}) => {
      const nowMs = clock();
      passTime.immediate(nowMs);
      try {
        return answer(request, handling, nowMs);
      } catch (error) {
        if (error instanceof Refusal) return refused(error, wireDate(nowMs, service.policy.dateStyle));
        throw error;
      }
    },
    close: () => database.close(),
  };
}

const BY_PATH: ReadonlyMap<string, Operation> = new Map(operations.map((one) => [one.path, one]));

function operationAt({ method, path }: SandboxRequest): Operation {
  const operation = BY_PATH.get(path);
  if (operation === undefined) throw refusal(404, "OPERATION_NOT_FOUND", `there is no operation at ${path}`);
  if (method !== "POST") throw refusal(405, "METHOD_NOT_ALLOWED", "every operation is a POST");
  return operation;
}

function authenticated(service: Service, { method, path, headers, body }: SandboxRequest): SeededClient {
  const { key, signature } = headers;
  const client = service.seed.clients.find((one) => one.key === key);
  const holds =
    client !== undefined &&
    typeof signature === "string" &&
    signatureHolds(signature, client.secret, method, path, body);
  if (!holds)
    throw refusal(401, "AUTHENTICATION_FAILED", "unknown key, or the signature does not fit the request");
  return client;
}

function textOf(body: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    throw refusal(400, "BODY_NOT_JSON", "the body is not UTF-8");
  }
}

function parsed(bodyText: string): unknown {
  try {
    return parseJson(bodyText);
  } catch {
    throw refusal(400, "BODY_NOT_JSON", "the body is not JSON");
  }
}

function useNonce(
  service: Service,
  client: SeededClient,
  nonce: bigint | undefined,
  ignoreNonce: boolean,
): void {
  if (nonce === undefined || ignoreNonce) return;
  if (!service.nonces.use(client.key, nonce)) throw refusal(409, "CONFLICT_NONCE", `invalid nonce ${nonce}`);
}

function isRefusedByRule(error: unknown): boolean {
  return error instanceof Refusal && (error.statusCode === 400 || error.statusCode === 404);
}

function refused({ statusCode, reasons }: Refusal, timestamp: string): SandboxAnswer {
  return { statusCode, body: writeJson(reasons.map((reason) => ({ ...reason, timestamp }))) };
}

/** Puts the seed in, at a database's first start only. */
function plantSeed(database: SandboxDatabase, service: Service, nowMs: number): void {
  const plant = database.transaction(() => {
    const fresh = database.prepare("INSERT INTO meta VALUES ('seeded', 'yes') ON CONFLICT DO NOTHING").run();
    if (fresh.changes === 0) return;
    for (const seeded of service.seed.accounts) service.accounts.open(seeded, nowMs);
    for (const seeded of service.seed.deposits) beginSeededDeposit(service, seeded, nowMs);
    for (const foreign of service.seed.foreignPayouts) planForeignPayout(service, foreign, nowMs);
  });
  plant.immediate();
}
