/**
 * A refusal: the answer of the service to a request that it does not carry out. Thrown inside an operation so that the
 * transaction around it rolls back; core.ts turns it into the array of error objects.
 */

export interface RefusalReason {
  /** What is wrong, in words. */
  readonly error: string;
  readonly code: RefusalCode;
}

/** The document names CONFLICT_EXPIRED_XRATE; the other codes are this sandbox's own choice. */
export type RefusalCode =
  | "ACCESS_DENIED"
  | "ACCOUNT_DISABLED"
  | "ACCOUNT_NOT_FOUND"
  | "ALREADY_AUTHORIZED"
  | "AUTHENTICATION_FAILED"
  | "AUTHORIZATION_NOT_FOUND"
  | "BODY_NOT_JSON"
  | "CONFLICT_EXPIRED_XRATE"
  | "CONFLICT_NONCE"
  | "CONFLICT_QUERY_DATE"
  | "CONFLICT_STATE"
  | "DEPOSIT_FAILED"
  | "DEPOSIT_NOT_FOUND"
  | "INSUFFICIENT_BALANCE"
  | "INVALID_ONE_TIME_CODE"
  | "INVALID_PARAMETER"
  | "METHOD_NOT_ALLOWED"
  | "OPERATION_NOT_FOUND"
  | "PAYOUT_NOT_FOUND"
  | "USER_NOT_FOUND";

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

export function refusal(statusCode: number, code: RefusalCode, error: string): Refusal {
  return new Refusal(statusCode, [{ error, code }]);
}

/** 400: a parameter is wrong. */
export function invalidParameter(error: string): Refusal {
  return refusal(400, "INVALID_PARAMETER", error);
}
