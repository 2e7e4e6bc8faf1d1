/** The service's answer to a request that it does not carry out: the interface's array of error objects. */
import type { z } from "zod";
import { writeJson } from "../wire/index.ts";

interface RefusalReason {
  readonly error: string;
  /** The interface names CONFLICT_EXPIRED_XRATE; all other codes are the sandbox's own. */
  readonly code: string;
}

export class Refusal extends Error {
  readonly statusCode: number;
  readonly reasons: readonly RefusalReason[];

  constructor(statusCode: number, reasons: readonly RefusalReason[]) {
    super(reasons.map((reason) => reason.error).join("; "));
    this.name = "Refusal";
    this.statusCode = statusCode;
    this.reasons = reasons;
  }
}

export function refusal(statusCode: number, code: string, error: string): Refusal {
  return new Refusal(statusCode, [{ error, code }]);
}

export function refusalAnswer({ statusCode, reasons }: Refusal, timestamp: string) {
  return { statusCode, body: writeJson(reasons.map((reason) => ({ ...reason, timestamp }))) };
}

/** A 400 with one reason for each complaint. */
export function invalidParameters(...complaints: readonly string[]): Refusal {
  return new Refusal(
    400,
    complaints.map((error) => ({ error, code: "INVALID_PARAMETER" })),
  );
}

/** A 400 that names every parameter that does not fit its table. */
export function wrongParameters({ issues }: z.ZodError): Refusal {
  return invalidParameters(
    ...issues.map(({ path, message }) => `${path.join(".") || "the body"}: ${message}`),
  );
}

/** A rule that a request must keep, and the complaint if it does not. */
export type Rule = readonly [holds: boolean, complaint: string];

export function complaintsOf(rules: readonly Rule[]): string[] {
  return rules.filter(([holds]) => !holds).map(([, complaint]) => complaint);
}

/** Throws one refusal, a 400, with the complaints of all broken rules. */
export function refuseBroken(rules: readonly Rule[]): void {
  const complaints = complaintsOf(rules);
  if (complaints.length > 0) throw invalidParameters(...complaints);
}
