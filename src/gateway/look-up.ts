/** Look-ups (find, balances): they change nothing, so they may be repeated; what stays unanswered becomes a fault. */
import { type Clock, hasSlept } from "../context/clock.ts";
import type { Answer } from "./answer.ts";
import { failureOf, problemOf, ServiceFault } from "./failure.ts";
import type { Gateway } from "./gateway.ts";
import type { LookUpName, OperationAnswer, OperationBodies } from "./operations.ts";
import { retryAfterMs } from "./retry-after.ts";
import { searchRefusal } from "./search-refusal.ts";

const ATTEMPTS_MAX = 3;
const FIRST_PAUSE_MS = 200;
const PAUSE_MAX_MS = 30_000;

/** Asks up to three times, honouring Retry-After within bounds and until `gateway.stop` aborts. Throws a ServiceFault when there is no answer of the interface's form. */
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
    const asked = retryAfterMs(answer, clock.now());
    const pauseMs = Math.min(asked ?? FIRST_PAUSE_MS * 4 ** (attempt - 1), PAUSE_MAX_MS);
    const isLast = !failure.mayPass || attempt === ATTEMPTS_MAX;
    if (isLast || !(await hasSlept(clock, pauseMs, gateway.stop)))
      throw new ServiceFault(failure, searchRefusal(body, failure) ?? problemOf(failure, answer, gateway));
  }
}
