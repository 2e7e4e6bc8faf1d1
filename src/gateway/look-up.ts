/** Look-ups (find, balances): they change nothing, so they may be repeated; what stays unanswered becomes a fault. */
import type { Clock } from "../context/clock.ts";
import type { Answer } from "./answer.ts";
import { failureOf, problemOf, ServiceFault } from "./failure.ts";
import type { Gateway } from "./gateway.ts";
import type { LookUpName, OperationAnswer, OperationBodies } from "./operations.ts";

const ATTEMPTS_MAX = 3;
const FIRST_PAUSE_MS = 200;
const PAUSE_MAX_MS = 30_000;

/** Asks up to three times, honouring Retry-After. Throws a ServiceFault when there is no answer of the interface's form. */
export async function lookUp<Name extends LookUpName>(
  gateway: Gateway,
  clock: Clock,
  name: Name,
  body: OperationBodies[Name],
): Promise<OperationAnswer<Name>> {
  for (let attempt = 1; ; attempt += 1) {
    const answer: Answer<LookUpName> = await gateway.call(name, body);
    if (answer.kind === "success") return answer.body as OperationAnswer<Name>;
    const failure = failureOf(name, answer);
    if (!failure.mayPass || attempt === ATTEMPTS_MAX) {
      throw new ServiceFault(failure, problemOf(failure, answer, gateway));
    }
    const retryAfter = answer.kind === "unanswered" ? undefined : answer.retryAfter;
    await clock.sleep(pauseMs(retryAfter, attempt, clock.now()));
  }
}

/** What Retry-After asks (seconds, or a date: RFC 9110, section 10.2.3), within bounds; otherwise ever longer. */
function pauseMs(retryAfter: string | undefined, attempt: number, now: string): number {
  const asked = retryAfter === undefined ? Number.NaN : askedMs(retryAfter, now);
  const pause = Number.isNaN(asked) ? FIRST_PAUSE_MS * 4 ** (attempt - 1) : asked;
  return Math.min(Math.max(pause, 0), PAUSE_MAX_MS);
}

function askedMs(retryAfter: string, now: string): number {
  if (/^\s*-?\d+\s*$/.test(retryAfter)) return Number.parseInt(retryAfter, 10) * 1000;
  return Date.parse(retryAfter) - Date.parse(now);
}
