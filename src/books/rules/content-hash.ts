/** Hashes the content of a fact. Equal values hash equally: 0.050 like 0.05, members in any order. */
import { hash } from "node:crypto";
import { type ObservedRate, withSortedMembers } from "../../model/index.ts";
import { Decimal } from "../../money/index.ts";

/** SHA-256 over canonical JSON, lower-case hex. Undefined members are ignored. */
export function contentHash(content: object): string {
  return hash("sha256", JSON.stringify(content, canonicalMember));
}

function canonicalMember(name: string, value: unknown): unknown {
  return value instanceof Decimal ? value.normalized().toString() : withSortedMembers(name, value);
}

/** A rate as facts contain it: without its time, which does not affect what is booked. */
export function rateAlone(rate: ObservedRate | undefined): ObservedRate | undefined {
  return rate === undefined ? undefined : { rate: rate.rate, from: rate.from, to: rate.to };
}
