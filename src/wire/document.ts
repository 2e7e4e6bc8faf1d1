/** JSON for readers other than the service: every exact number is a text, so that no JSON reader makes a float of it. */
import { Decimal } from "../money/index.ts";
import { NUMBER_MARK } from "./json.ts";

/** Indented by two. Decimals and int64 values become digits in quotes, and so do numbers of fields that the interface does not list. */
export function writeDocument(value: unknown): string {
  return JSON.stringify(value, asText, 2);
}

function asText(_name: string, member: unknown): unknown {
  if (member instanceof Decimal || typeof member === "bigint") return member.toString();
  if (typeof member === "string" && member.startsWith(NUMBER_MARK)) return member.slice(NUMBER_MARK.length);
  return member;
}
