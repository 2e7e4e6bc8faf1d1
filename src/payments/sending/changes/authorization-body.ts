/** Builds the body of an authorization request from the configured template; the interface does not define it. */

export interface AuthorizationValues {
  readonly payoutId: string;
  readonly username: string;
  readonly otpCode: string;
  /** int64. */
  readonly nonce: bigint;
}

/** A JSON value. Anything in the template that is not a placeholder is sent unchanged. */
type Json = string | number | boolean | null | readonly Json[] | { readonly [member: string]: Json };

/** Fills in {payoutId}, {username}, {otpCode} and {nonce} at any depth; "{nonce}" alone becomes a number. */
export function fillAuthorizationBody(
  template: Readonly<Record<string, Json>>,
  values: AuthorizationValues,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(template).map(([name, member]) => [name, filled(member, values)]));
}

function filled(member: Json, values: AuthorizationValues): unknown {
  if (member === "{nonce}") return values.nonce;
  if (typeof member === "string") {
    return member.replace(
      /\{(payoutId|username|otpCode|nonce)\}/g,
      (_whole, name: keyof AuthorizationValues) => values[name].toString(),
    );
  }
  if (typeof member !== "object" || member === null) return member;
  if (isList(member)) return member.map((item) => filled(item, values));
  return fillAuthorizationBody(member, values);
}

function isList(member: Json): member is readonly Json[] {
  return Array.isArray(member);
}
