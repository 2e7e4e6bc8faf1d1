/** One hash for the content of a fact, equal wherever the values are equal: 0.050 hashes as 0.05, members in any order. */
import { createHash } from "node:crypto";
import type { ObservedRate } from "../model/index.ts";
import { Decimal } from "../money/index.ts";

/** SHA-256 over canonical JSON, lower-case hex. Members that are undefined do not count. */
export function contentHash(content: object): string {
  return createHash("sha256").update(JSON.stringify(content, canonicalMember)).digest("hex");
}

/** A rate as a fact holds it: when it was measured does not change what is booked. */
export function rateAlone(rate: ObservedRate | undefined): ObservedRate | undefined {
  return rate === undefined ? undefined : { rate: rate.rate, from: rate.from, to: rate.to };
}

function canonicalMember(_name: string, value: unknown): unknown {
  if (value instanceof Decimal) return value.normalized().toString();
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)));
}
