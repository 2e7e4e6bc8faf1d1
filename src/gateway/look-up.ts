/** Look-ups (find, balance): they change nothing, so they may be repeated; what stays unanswered becomes a Fault. */
import type { Clock } from "../context/clock.ts";
import { type Fault, fault } from "../faults/index.ts";
import type { ErrorObject } from "../wire/index.ts";
import type { Answer, Gateway } from "./gateway.ts";
import type { OperationAnswer, OperationBodies, OperationName } from "./operations.ts";

type LookUpName = Exclude<OperationName, "createPayoutV2">;

const ATTEMPTS_MAX = 3;
const FIRST_PAUSE_MS = 200;
const PAUSE_MAX_MS = 30_000;

/** Asks up to three times, honouring Retry-After. Throws a SERVICE_ fault when there is no answer of the interface's form. */
export async function lookUp<Name extends LookUpName>(
  gateway: Gateway,
  clock: Clock,
  name: Name,
  body: OperationBodies[Name],
): Promise<OperationAnswer<Name>> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await gateway.call(name, body);
    if (answer.kind === "success") return answer.body;
    if (!mayPass(answer) || attempt === ATTEMPTS_MAX) throw faultOf(name, answer, gateway);
    await clock.sleep(pauseMs(answer, attempt));
  }
}

type Failure = Exclude<Answer<LookUpName>, { kind: "success" }>;

function mayPass(answer: Failure): boolean {
  if (answer.kind === "unanswered") return true;
  return answer.status >= 500 || answer.status === 429;
}

function pauseMs(answer: Failure, attempt: number): number {
  const asked =
    answer.kind === "unanswered" ? Number.NaN : Number.parseInt(answer.retryAfter ?? "", 10) * 1000;
  const pause = Number.isNaN(asked) ? FIRST_PAUSE_MS * 4 ** (attempt - 1) : asked;
  return Math.min(Math.max(pause, 0), PAUSE_MAX_MS);
}

function faultOf(operation: LookUpName, answer: Failure, gateway: Gateway): Fault {
  if (answer.kind === "unanswered") {
    if (answer.timedOut) return fault("SERVICE_TIMEOUT", { timeoutMs: gateway.timeoutMs }, { operation });
    return fault("SERVICE_UNREACHABLE", { baseUrl: gateway.baseUrl, reason: answer.reason }, { operation });
  }
  const { status } = answer;
  if (answer.kind === "unreadable") {
    return fault("SERVICE_ANSWER_UNREADABLE", { operation, status, reason: answer.reason }, { operation });
  }
  const text = errorText(answer.errors);
  if (status === 401 || status === 403) return fault("SERVICE_REFUSED_KEY", { status, text }, { operation });
  if (status === 409) return fault("SERVICE_CONFLICT", { operation, text }, { operation });
  if (status >= 500) return fault("SERVICE_FAILED", { operation, status, text }, { operation });
  const serviceCode = answer.errors[0]?.code ?? "not given";
  return fault("SERVICE_REFUSED", { operation, status, text, serviceCode }, { operation });
}

/** The service's own words: "nonce was used before (CONFLICT_NONCE)". */
export function errorText(errors: readonly ErrorObject[]): string {
  const words = errors.map(({ error, code }) =>
    code === undefined ? error : `${error ?? "error"} (${code})`,
  );
  return words.join("; ").slice(0, 500) || "no reason given";
}
