/** Hashes the content of a fact. Equal values hash equally: 0.050 like 0.05, members in any order. */
import { createHash, type Hash, hash } from "node:crypto";
import type { ObservedRate } from "../model/index.ts";
import { Decimal } from "../money/index.ts";

/** SHA-256 over canonical JSON, lower-case hex. Undefined members are ignored. */
export function contentHash(content: object): string {
  return hash("sha256", canonicalText(content));
}

/**
 * Returns `contentHash` of a content with a list of the elements given before, for contents given in turn. Their members
 * whose names sort before the list's must not differ: this beginning is hashed once, with the list as it grows, because
 * hashing lists of thousands again each time would take quadratic time.
 */
export function hashWithEarlier(listName: string): (content: object, element: object) => string {
  const mark = `${JSON.stringify(listName)}:[`;
  let beginning: Hash | undefined;
  return (content, element) => {
    const text = canonicalText({ ...content, [listName]: [] });
    const listStart = text.indexOf(mark) + mark.length;
    const separator = beginning === undefined ? "" : ",";
    beginning ??= createHash("sha256").update(text.slice(0, listStart));
    const digest = beginning.copy().update(text.slice(listStart)).digest("hex");
    beginning.update(separator + canonicalText(element));
    return digest;
  };
}

function canonicalText(content: object): string {
  return JSON.stringify(content, canonicalMember);
}

function canonicalMember(_name: string, value: unknown): unknown {
  if (value instanceof Decimal) return value.normalized().toString();
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)));
}

/** A rate as facts contain it: without its time, which does not affect what is booked. */
export function rateAlone(rate: ObservedRate | undefined): ObservedRate | undefined {
  return rate === undefined ? undefined : { rate: rate.rate, from: rate.from, to: rate.to };
}
