/**
 * A request's way to its answer, without a socket. The order of checks: path (404, 405), key and signature (401),
 * body (400), nonce (409), business rules (400, 404, 409). A request is decided before it changes anything.
 */
import { parseJson, writeJson } from "../wire/index.ts";
import { JsonText, wireDate } from "./answers.ts";
import type { Call, ReadRequest } from "./operations/operation.ts";
import type { RouteTable } from "./operations/route-table.ts";
import { Refusal, refusal, refusalAnswer } from "./refusal.ts";
import type { SeededClient } from "./seed.ts";
import type { Service } from "./service.ts";

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

/** How one request is handled: its arrival time, and changes by a fault. */
export interface Handling {
  /** Milliseconds since 1970, by the sandbox's clock; now when left out. */
  readonly arrivedAt?: number | undefined;
  /** A request processed twice carries the same nonce both times. */
  readonly ignoreNonce?: boolean;
  readonly visibilityLagMs?: number;
  readonly rowsShifted?: number;
}

/** Answers a request after everything that was due. */
export function answerTo(
  service: Service,
  routes: RouteTable,
  request: SandboxRequest,
  { ignoreNonce = false, visibilityLagMs = service.policy.visibilityLagMs, rowsShifted = 0 }: Handling,
  nowMs: number,
): SandboxAnswer {
  service.agenda.passUntil(nowMs);
  try {
    const { operation, fullBody } =
      routes.find(request.method, request.path) ?? refuseUnknownPath(routes, request);
    const client = authenticated(service, request);
    const bodyText = fullBody(textOf(request.body));
    const sent = parsedBody(bodyText);
    const read = operation.read(sent);
    const call = { service, client, nowMs, bodyText, sent, visibilityLagMs, rowsShifted };
    if (!ignoreNonce) requireFreeNonce(read, call);
    return { statusCode: operation.successCode, body: carriedOut(read, call) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return refusalAnswer(error, wireDate(nowMs, service.policy));
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

function authenticated({ clients, policy }: Service, request: SandboxRequest): SeededClient {
  const { key, signature } = request.headers;
  const client = typeof key === "string" ? clients.get(key) : undefined;
  const holds =
    client !== undefined &&
    typeof signature === "string" &&
    policy.signatureHolds(signature, client.secret, request);
  if (!holds)
    throw refusal(401, "AUTHENTICATION_FAILED", "unknown key, or the signature does not fit the request");
  return client;
}

function requireFreeNonce({ nonce }: ReadRequest, { service, client }: Call): void {
  if (nonce !== undefined && !service.nonces.isFree(client.key, nonce))
    throw refusal(409, "CONFLICT_NONCE", `invalid nonce ${nonce}`);
}

/** The answer's body, after the changes that the request asks for. A refusal changes no more than its nonce. */
function carriedOut(read: ReadRequest, call: Call): string {
  try {
    const { answer, carryOut } = read.decide(call);
    useNonce(read, call);
    carryOut?.();
    return answerText(answer);
  } catch (error) {
    if (call.service.policy.nonce.burnedByRefusal && isRefusedByRule(error)) useNonce(read, call);
    throw error;
  }
}

function useNonce({ nonce }: ReadRequest, { service, client }: Call): void {
  if (nonce !== undefined) service.nonces.use(client.key, nonce);
}

function isRefusedByRule(error: unknown): boolean {
  return error instanceof Refusal && (error.statusCode === 400 || error.statusCode === 404);
}

function answerText(answer: unknown): string {
  if (answer === undefined) return "";
  return answer instanceof JsonText ? answer.text : writeJson(answer);
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
