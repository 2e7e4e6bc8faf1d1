/** JSON for readers other than the service: exact numbers are strings, so that no reader turns them into floats. */
import { Decimal } from "../money/index.ts";
import { NUMBER_MARK } from "./json.ts";

/** Indented by two spaces. Decimals, int64 values and numbers in unlisted fields become strings. */
export function writeDocument(value: unknown): string {
  return JSON.stringify(value, asText, 2);
}

function asText(_name: string, member: unknown): unknown {
  if (member instanceof Decimal || typeof member === "bigint") return member.toString();
  if (typeof member === "string" && member.startsWith(NUMBER_MARK)) return member.slice(NUMBER_MARK.length);
  return member;
}
