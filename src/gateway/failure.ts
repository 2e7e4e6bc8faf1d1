/** Every failed call in one form: the failure, and the state that the call may have left at the service. */
import type { TlsFailure } from "../context/tls-failure.ts";
import { Fault, type Problem, problem, type Where } from "../faults/index.ts";
import { present } from "../model/present.ts";
import type { ErrorObject } from "../wire/index.ts";
import type { FailedAnswer } from "./answer.ts";
import { type Effect, type OperationName, operationOf } from "./operations.ts";

/** The conditions of the interface's section Errors, plus those outside it. */
export type Condition =
  | "parameter wrong" // 400
  | "not authenticated" // 401
  | "access denied" // 403
  | "not found" // 404
  | "conflict" // 409
  | "too many requests" // 429
  | "deposit creation failed" // 502 of the synchronous creation
  | "service failed" // another 5xx
  | "refused" // another 4xx
  | "unreadable" // not the interface's form
  | "no answer"
  | "not sent";

/**
 * The state that a mutating call may have left at the service. refused: nothing, as the service said. not sent:
 * nothing, because it never left. in doubt: unknown. nothing: it was a look-up.
 */
export type Consequence = "nothing" | "refused" | "not sent" | "in doubt";

export interface ServiceFailure {
  readonly operation: OperationName;
  readonly condition: Condition;
  readonly consequence: Consequence;
  readonly status?: number;
  /** The service's own words, for example "nonce was used before (CONFLICT_NONCE)". */
  readonly serviceText: string;
  /** From the first error object. */
  readonly serviceCode?: string;
  /** From the first error object: when the error happened, as the service wrote it. */
  readonly timestamp?: string;
  readonly requestId?: string;
  /** Whether repeating a look-up later may help. */
  readonly mayPass: boolean;
}

export class ServiceFault extends Fault {
  readonly failure: ServiceFailure;

  constructor(failure: ServiceFailure, described: Problem) {
    super(described);
    this.failure = failure;
  }
}

/** Returns the result of `ask`, or the result of `otherwise` for its ServiceFault. Rethrows any other error. */
export async function unlessServiceFails<Result>(
  ask: () => Promise<Result>,
  otherwise: (failed: ServiceFault) => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof ServiceFault) return otherwise(error);
    throw error;
  }
}

export interface CallDetails {
  /**
   * The number of this send among those of its nonce; default 1. From the second on, no answer proves that nothing
   * was done, because an earlier send may have been carried out.
   */
  readonly attempt?: number;
  /** The effect of this call, if it is narrower than its operation's. */
  readonly effect?: Effect;
}

export function failureOf(
  operation: OperationName,
  answer: FailedAnswer,
  { attempt = 1, effect = operationOf(operation).effect }: CallDetails = {},
): ServiceFailure {
  if (answer.kind === "unanswered") {
    return {
      operation,
      condition: answer.headWritten ? "no answer" : "not sent",
      consequence: effect === "look-up" ? "nothing" : answer.headWritten ? "in doubt" : "not sent",
      serviceText: answer.reason,
      mayPass: answer.unsigned === undefined && answer.tls === undefined,
    };
  }
  const { status, requestId } = answer;
  const known = {
    operation,
    status,
    consequence: consequenceOf(effect, answer, attempt),
    ...present({ requestId }),
    // An unreadable 2xx was damaged in transit, or answers another request.
    mayPass: status >= 500 || status === 429 || (answer.kind === "unreadable" && status < 300),
  };
  if (answer.kind === "unreadable") return { ...known, condition: "unreadable", serviceText: answer.reason };
  const [{ code, timestamp } = {}] = answer.errors;
  return {
    ...known,
    condition: conditionOf(operation, status),
    serviceText: errorText(answer.errors),
    ...present({ serviceCode: code, timestamp }),
  };
}

/** All error objects as text: "amount: must be positive (WRONG); url: malformed (WRONG)". */
function errorText(errors: readonly ErrorObject[]): string {
  const words = errors.flatMap(({ error, code }) =>
    code === undefined ? (error ?? []) : `${error ?? "error"} (${code})`,
  );
  return words.join("; ").slice(0, 500) || "no reason given";
}

/** The statuses that prove, with the interface's error array on a nonce's only send, that nothing was done. */
const REFUSALS: Readonly<Record<Effect, readonly number[]>> = {
  "look-up": [],
  "payout creation": [400, 404],
  // It may be half done: the payout may exist and only its authorization have been refused.
  "payout creation and authorization": [],
  "deposit creation": [400, 404],
  change: [400, 403, 404, 409],
};

function consequenceOf(
  effect: Effect,
  answer: Exclude<FailedAnswer, { kind: "unanswered" }>,
  attempt: number,
): Consequence {
  if (effect === "look-up") return "nothing";
  const mayRefuse = attempt === 1 && REFUSALS[effect].includes(answer.status);
  return mayRefuse && answer.kind === "error" && answer.errors.every(saysSomething) ? "refused" : "in doubt";
}

/** An error object without text may come from a proxy instead of the service. */
function saysSomething({ error, code }: ErrorObject): boolean {
  return (error ?? code) !== undefined;
}

const CONDITIONS: Readonly<Record<number, Condition>> = {
  400: "parameter wrong",
  401: "not authenticated",
  403: "access denied",
  404: "not found",
  409: "conflict",
  429: "too many requests",
};

function conditionOf(operation: OperationName, status: number): Condition {
  if (status === 502 && operation === "createDepositSynchronously") return "deposit creation failed";
  return CONDITIONS[status] ?? (status >= 500 ? "service failed" : "refused");
}

/** The fix for each. */
const TLS_FIXES: Readonly<Record<TlsFailure, string>> = {
  "not TLS":
    "Correct `service.baseUrl`: its port is one for http. Use the service's port for https, or write http:// if " +
    "its operator says that this connection needs no TLS.",
  "certificate untrusted":
    "Ask the service's operator for the certificate of its authority, and name the file in the environment " +
    "variable NODE_EXTRA_CA_CERTS. Do not switch the check off: anybody in between could change payments.",
  "certificate of another host":
    "Write the host in `service.baseUrl` as the service's operator names it; a certificate rarely covers an IP " +
    "address or a short name.",
  "certificate expired":
    "Check this machine's clock; if it is right, tell the service's operator that its certificate has expired.",
};

/** The details that the service's operator needs to find the failure. */
export function whereOf({ operation, serviceCode, timestamp, requestId }: ServiceFailure): Where {
  return { operation, ...present({ serviceCode, serviceTimestamp: timestamp, requestId }) };
}

/**
 * A proxy that answers for a service that is down, or checks keys in front of it, rarely uses the interface's form.
 */
function isPlainByStatus({ status = 0 }: ServiceFailure): boolean {
  return status === 401 || status === 429 || status >= 500;
}

/** The one error code that the interface names: the fixed rate of a deposit in a fiat currency has expired. */
const RATE_EXPIRED = "CONFLICT_EXPIRED_XRATE";

/** The catalogue problem for a failure. `timeoutMs` and `baseUrl` are settings that its text may name. */
export function problemOf(
  failure: ServiceFailure,
  answer: FailedAnswer,
  { baseUrl, timeoutMs }: { readonly baseUrl: string; readonly timeoutMs: number },
): Problem {
  const { operation, serviceText: text, serviceCode } = failure;
  const where = whereOf(failure);
  if (answer.kind === "unanswered") {
    if (answer.unsigned !== undefined) return problem(answer.unsigned, { reason: text }, where);
    if (answer.tls !== undefined)
      return problem("SERVICE_TLS", { baseUrl, reason: text, how: TLS_FIXES[answer.tls] }, where);
    return answer.timedOut
      ? problem("SERVICE_TIMEOUT", { timeoutMs }, where)
      : problem("SERVICE_UNREACHABLE", { baseUrl, reason: text }, where);
  }
  const { status } = answer;
  const code = serviceCode ?? "not given";
  const refused = problem("SERVICE_REFUSED", { operation, status, text, serviceCode: code }, where);
  switch (isPlainByStatus(failure) ? conditionOf(operation, status) : failure.condition) {
    case "unreadable":
      return problem("SERVICE_ANSWER_UNREADABLE", { operation, status, reason: text }, where);
    case "not authenticated":
      return problem("SERVICE_REFUSED_KEY", { status, text }, where);
    case "access denied":
      // The interface lists 403 only for authorize, if the user is denied; elsewhere it must concern the key.
      return operation === "authorize" ? refused : problem("SERVICE_REFUSED_KEY", { status, text }, where);
    case "conflict":
      return serviceCode === RATE_EXPIRED && operation.startsWith("createDeposit")
        ? problem("SERVICE_RATE_EXPIRED", { text }, where)
        : problem("SERVICE_CONFLICT", { operation, text }, where);
    case "too many requests":
      return problem("SERVICE_BUSY", { operation, status, text }, where);
    case "service failed":
    case "deposit creation failed":
      return problem("SERVICE_FAILED", { operation, status, text }, where);
    default:
      return refused;
  }
}
