/** Model objects as JSON text for the store: decimals keep every digit and are restored as decimals. */
import { Decimal } from "../money/index.ts";

const DECIMAL_MEMBER = "$decimal";

export function writeExact(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    member instanceof Decimal ? { [DECIMAL_MEMBER]: member.toString() } : member,
  );
}

/** Parses what `writeExact` wrote; the caller names the stored type. */
export function readExact<Value>(text: string): Value {
  return JSON.parse(text, (_name, member: unknown) => {
    const digits =
      typeof member === "object" && member !== null ? Reflect.get(member, DECIMAL_MEMBER) : undefined;
    return typeof digits === "string" ? Decimal.of(digits) : member;
  });
}
