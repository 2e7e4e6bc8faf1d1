/** One form for everything but a success: what went wrong, in whose words, and what it leaves behind at the service. */
import type { TlsFailure } from "../context/tls-failure.ts";
import { Fault, type Problem, problem, type Where } from "../faults/index.ts";
import { present } from "../model/present.ts";
import type { ErrorObject } from "../wire/index.ts";
import type { FailedAnswer } from "./answer.ts";
import { type Effect, type OperationName, operationOf } from "./operations.ts";

/** The conditions of the interface's section Errors, and what can happen around them. */
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
 * What a call that changes something may have left behind. refused: nothing, the service says so. not sent: nothing, it never left.
 * in doubt: unknown. For a look-up: nothing to leave.
 */
export type Consequence = "nothing" | "refused" | "not sent" | "in doubt";

export interface ServiceFailure {
  readonly operation: OperationName;
  readonly condition: Condition;
  readonly consequence: Consequence;
  readonly status?: number;
  /** The service's own words: "nonce was used before (CONFLICT_NONCE)". */
  readonly serviceText: string;
  /** Of the first error object. */
  readonly serviceCode?: string;
  /** When the service says that it happened, of the first error object, as it was sent. */
  readonly timestamp?: string;
  readonly requestId?: string;
  /** Whether asking again later may help a look-up. */
  readonly mayPass: boolean;
}

/** A service's failure as a fault; thrown by look-ups. */
export class ServiceFault extends Fault {
  readonly failure: ServiceFailure;

  constructor(failure: ServiceFailure, what: Problem) {
    super(what);
    this.failure = failure;
  }
}

export interface Sending {
  /**
   * Counts the sends of this nonce: from the second one on no answer proves that nothing was done, because the first may have
   * been. 1 where absent.
   */
  readonly attempt?: number;
  /** What this call could do, where its operation could do more. */
  readonly effect?: Effect;
}

/** What a failed answer means for the call that it answers. */
export function failureOf(
  operation: OperationName,
  answer: FailedAnswer,
  { attempt = 1, effect = operationOf(operation).effect }: Sending = {},
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
    // A 2xx that cannot be read was damaged on its way, or is the answer to another request.
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

/** The service's own words, all of them: "amount: must be positive (WRONG); url: malformed (WRONG)". */
function errorText(errors: readonly ErrorObject[]): string {
  const words = errors.map(({ error, code }) =>
    code === undefined ? error : `${error ?? "error"} (${code})`,
  );
  return words.join("; ").slice(0, 500) || "no reason given";
}

/** The statuses that prove, with the interface's error array on the only send of a nonce, that nothing was done. */
const REFUSALS: Readonly<Record<Effect, readonly number[]>> = {
  "look-up": [],
  "payout creation": [400, 404],
  // Half of it may have happened: the payout may exist and only its authorization be refused.
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

/** An error object without any text may come from a proxy and not from the service. */
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

const TLS_CODES = {
  "not TLS": "SERVICE_WITHOUT_TLS",
  "certificate untrusted": "SERVICE_CERTIFICATE_UNTRUSTED",
  "certificate of another host": "SERVICE_CERTIFICATE_OF_ANOTHER",
  "certificate expired": "SERVICE_CERTIFICATE_EXPIRED",
} as const satisfies Readonly<Record<TlsFailure, string>>;

/** Where it happened, in the words that the service's operator needs to find it. */
export function whereOf({ operation, serviceCode, timestamp, requestId }: ServiceFailure): Where {
  return { operation, ...present({ serviceCode, serviceTimestamp: timestamp, requestId }) };
}

/** The catalogue's problem for a failure of the service; `timeoutMs` and `baseUrl` name the settings it may ask to check. */
export function problemOf(
  failure: ServiceFailure,
  answer: FailedAnswer,
  { baseUrl, timeoutMs }: { readonly baseUrl: string; readonly timeoutMs: number },
): Problem {
  const { operation, serviceText: text, serviceCode } = failure;
  const where = whereOf(failure);
  if (answer.kind === "unanswered") {
    if (answer.unsigned !== undefined) return problem(answer.unsigned, { reason: text }, where);
    if (answer.tls !== undefined) return problem(TLS_CODES[answer.tls], { baseUrl, reason: text }, where);
    return answer.timedOut
      ? problem("SERVICE_TIMEOUT", { timeoutMs }, where)
      : problem("SERVICE_UNREACHABLE", { baseUrl, reason: text }, where);
  }
  const { status } = answer;
  const code = serviceCode ?? "not given";
  const refused = problem("SERVICE_REFUSED", { operation, status, text, serviceCode: code }, where);
  switch (failure.condition) {
    case "unreadable":
      return problem("SERVICE_ANSWER_UNREADABLE", { operation, status, reason: text }, where);
    case "not authenticated":
      return problem("SERVICE_REFUSED_KEY", { status, text }, where);
    case "access denied":
      // Only authorize lists it: there it is the user that is denied, elsewhere the key.
      return operation === "authorize" ? refused : problem("SERVICE_REFUSED_KEY", { status, text }, where);
    case "conflict":
      return problem("SERVICE_CONFLICT", { operation, text }, where);
    case "too many requests":
      return problem("SERVICE_BUSY", { operation, status, text }, where);
    case "service failed":
    case "deposit creation failed":
      return problem("SERVICE_FAILED", { operation, status, text }, where);
    default:
      return refused;
  }
}
