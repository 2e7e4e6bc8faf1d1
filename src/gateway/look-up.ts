/** Look-ups (find, balances). They change nothing, so they may be repeated. Throws a fault if none is answered. */
import { type Clock, sleepUnlessAborted } from "../context/clock.ts";
import { type Problem, problem } from "../faults/index.ts";
import type { Answer } from "./answer.ts";
import { failureOf, problemOf, type ServiceFailure, ServiceFault, whereOf } from "./failure.ts";
import type { CallOptions, Gateway } from "./gateway.ts";
import type { LookUpName, OperationAnswer, OperationBodies, OperationName } from "./operations.ts";

const ATTEMPTS_MAX = 3;
const FIRST_PAUSE_MS = 200;
const PAUSE_MAX_MS = 30_000;

/**
 * Asks up to three times with backoff, honouring Retry-After up to 30 s, until `gateway.stop` aborts. Throws a
 * ServiceFault unless the service gives a valid answer.
 */
export async function lookUp<Name extends LookUpName>(
  gateway: Gateway,
  clock: Clock,
  name: Name,
  body: OperationBodies[Name],
  options: Pick<CallOptions, "recognise"> = {},
): Promise<OperationAnswer<Name>> {
  for (let attempt = 1; ; attempt += 1) {
    const answer: Answer<LookUpName> = await gateway.call(name, body, options);
    if (answer.kind === "success") return answer.body as OperationAnswer<Name>;
    const failure = failureOf(name, answer);
    const askedMs = retryAfterMs(answer, clock.now());
    const pauseMs = Math.min(askedMs ?? FIRST_PAUSE_MS * 4 ** (attempt - 1), PAUSE_MAX_MS);
    const isLast = !failure.mayPass || attempt === ATTEMPTS_MAX;
    if (isLast || !(await sleepUnlessAborted(clock, pauseMs, gateway.stop)))
      throw new ServiceFault(failure, searchRefusal(body, failure) ?? problemOf(failure, answer, gateway));
  }
}

/**
 * The problem of a refused search, naming the settings that shape it: nearly always the refusal is about the form
 * of its page or filter, which the interface leaves open and the configuration states. Undefined for any other
 * failure.
 */
function searchRefusal(body: OperationBodies[LookUpName], failure: ServiceFailure): Problem | undefined {
  const { operation, condition, status = 0, serviceText: text } = failure;
  const isRefused = ["parameter wrong", "not found", "conflict", "refused"].includes(condition);
  if (!isRefused || !("page" in body || "size" in body)) return undefined;
  const { page = "not given", size = "not given", sort = {} } = body;
  const items = Math.max(0, ...Object.values(body).map(countOfIds));
  const params = { operation, status, text, page, size, items, sort: sortText(sort) };
  return problem("SERVICE_REFUSED_SEARCH", params, whereOf(failure));
}

function sortText(sort: Readonly<Record<string, string>> | readonly string[]): string {
  const criteria = Array.isArray(sort) ? sort : Object.entries(sort).map((criterion) => criterion.join(" "));
  return criteria.join(", ") || "nothing";
}

/** Counts the items of a list, or of the comma-separated text of a pathless search. */
function countOfIds(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  return typeof value === "string" && value !== "" ? value.split(",").length : 0;
}

/**
 * The Retry-After header: seconds, or a date (RFC 9110, section 10.2.3). Delay in milliseconds from `now`, 0 for a
 * date that has passed; undefined without a header or for an invalid one.
 */
export function retryAfterMs(answer: Answer<OperationName>, now: string): number | undefined {
  const header = answer.kind === "unanswered" ? undefined : answer.retryAfter;
  if (header === undefined) return undefined;
  const waitMs = /^\s*-?\d+\s*$/.test(header)
    ? Number.parseInt(header, 10) * 1000
    : Date.parse(header) - Date.parse(now);
  return Number.isNaN(waitMs) ? undefined : Math.max(waitMs, 0);
}
