/** Hashes the content of a fact. Equal values hash equally: 0.050 like 0.05, members in any order. */
import { hash } from "node:crypto";
import type { ObservedRate } from "../../model/index.ts";
import { Decimal } from "../../money/index.ts";

/** SHA-256 over canonical JSON, lower-case hex. Undefined members are ignored. */
export function contentHash(content: object): string {
  return hash("sha256", JSON.stringify(canonical(content)));
}

/** A copy, because `JSON.stringify` with a function for each member takes half as long again. */
function canonical(value: object): unknown {
  if (value instanceof Decimal) return value.normalized().toString();
  if (Array.isArray(value)) return value.map(canonicalMember);
  const members = value as Readonly<Record<string, unknown>>;
  const sorted: Record<string, unknown> = {};
  for (const name of Object.keys(members).sort()) sorted[name] = canonicalMember(members[name]);
  return sorted;
}

function canonicalMember(value: unknown): unknown {
  return typeof value === "object" && value !== null ? canonical(value) : value;
}

/** A rate as facts contain it: without its time, which does not affect the booking. */
export function rateAlone(rate: ObservedRate | undefined): ObservedRate | undefined {
  return rate === undefined ? undefined : { rate: rate.rate, from: rate.from, to: rate.to };
}
