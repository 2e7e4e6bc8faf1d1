/**
 * A refusal: the service's answer to a request that it does not carry out. Thrown inside an operation, so that its
 * transaction rolls back, and converted to the interface's array of error objects.
 */
import type { z } from "zod";
import { writeJson } from "../wire/index.ts";

export interface RefusalReason {
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

/** The body of an answer: the interface's array of error objects. */
export function errorBody({ reasons }: Refusal, timestamp: string): string {
  return writeJson(reasons.map((reason) => ({ ...reason, timestamp })));
}

export function invalidParameter(error: string): Refusal {
  return refusal(400, "INVALID_PARAMETER", error);
}

/** A 400 that names every parameter that does not fit its table. */
export function wrongParameters({ issues }: z.ZodError): Refusal {
  const reasons = issues.map(({ path, message }) => `${path.join(".") || "the body"}: ${message}`);
  return new Refusal(
    400,
    reasons.map((error) => ({ error, code: "INVALID_PARAMETER" })),
  );
}

/** A rule that a request must keep, and what is reported if it does not. */
export type Rule = readonly [holds: boolean, complaint: string];

/** Throws one refusal, a 400, with all broken rules. */
export function refuseBroken(rules: readonly Rule[]): void {
  const errors = rules.filter(([holds]) => !holds).map(([, complaint]) => complaint);
  if (errors.length > 0)
    throw new Refusal(
      400,
      errors.map((error) => ({ error, code: "INVALID_PARAMETER" })),
    );
}
