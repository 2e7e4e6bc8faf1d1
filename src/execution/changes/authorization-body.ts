/** The body of an authorization, which the interface does not show, from the template that the configuration gives. */

export interface AuthorizationValues {
  readonly payoutId: string;
  readonly username: string;
  readonly otpCode: string;
  /** int64. */
  readonly nonce: bigint;
}

/** A JSON value; what a template holds besides its placeholders goes out as it is. */
type Json = string | number | boolean | null | readonly Json[] | { readonly [member: string]: Json };

/** Puts the values in place of {payoutId}, {username}, {otpCode} and {nonce}, at any depth; "{nonce}" alone becomes a number. */
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
  if (isList(member)) return member.map((one) => filled(one, values));
  return fillAuthorizationBody(member, values);
}

function isList(member: Json): member is readonly Json[] {
  return Array.isArray(member);
}
