/** Our nouns as JSON text for the store: decimals keep every digit and come back as decimals. */
import { Decimal } from "../money/index.ts";

const DECIMAL_MEMBER = "$decimal";

export function writeExact(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    member instanceof Decimal ? { [DECIMAL_MEMBER]: member.toString() } : member,
  );
}

/** What `writeExact` wrote; the caller names the type that it stored. */
export function readExact<Value>(text: string): Value {
  return JSON.parse(text, (_name, member: unknown) => {
    const digits =
      typeof member === "object" && member !== null ? Reflect.get(member, DECIMAL_MEMBER) : undefined;
    return typeof digits === "string" ? Decimal.of(digits) : member;
  });
}
