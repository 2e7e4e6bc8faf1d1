/** The Retry-After header: seconds, or a date (RFC 9110, section 10.2.3). */
import type { Answer } from "./answer.ts";
import type { OperationName } from "./operations.ts";

/** Delay in milliseconds from `now`, 0 for a date that has passed; undefined without a header or for an invalid one. */
export function retryAfterMs(answer: Answer<OperationName>, now: string): number | undefined {
  const header = answer.kind === "unanswered" ? undefined : answer.retryAfter;
  if (header === undefined) return undefined;
  const waitMs = /^\s*-?\d+\s*$/.test(header)
    ? Number.parseInt(header, 10) * 1000
    : Date.parse(header) - Date.parse(now);
  return Number.isNaN(waitMs) ? undefined : Math.max(waitMs, 0);
}
