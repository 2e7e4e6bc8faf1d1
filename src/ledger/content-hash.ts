/** Hashes the content of a fact. Equal values hash equally: 0.050 like 0.05, members in any order. */
import { createHash, type Hash, hash } from "node:crypto";
import { invariant } from "../faults/index.ts";
import type { ObservedRate } from "../model/index.ts";
import { Decimal } from "../money/index.ts";

/** SHA-256 over canonical JSON, lower-case hex. Undefined members are ignored. */
export function contentHash(content: object): string {
  return hash("sha256", canonicalText(content));
}

/**
 * Computes `contentHash` for contents that differ only in how far one list has grown. The common beginning is hashed
 * once; hashing lists of thousands again each time would take quadratic time.
 */
export class GrowingContent {
  private readonly mark: string;
  private head: string | undefined;
  private readonly hash: Hash = createHash("sha256");
  private isEmpty = true;

  /** `listName`: the member that holds the list. Members whose names sort before it must not differ. */
  constructor(listName: string) {
    this.mark = `${JSON.stringify(listName)}:[`;
  }

  /** Hashes `content` (given with an empty list) with the elements added so far in its list. Then adds `element`. */
  hashBefore(content: object, element: object): string {
    const [head, tail] = this.split(canonicalText(content));
    if (this.head === undefined) {
      this.head = head;
      this.hash.update(head);
    }
    invariant(head === this.head, "contents begin alike");
    const digest = this.hash.copy().update(tail).digest("hex");
    this.hash.update(`${this.isEmpty ? "" : ","}${canonicalText(element)}`);
    this.isEmpty = false;
    return digest;
  }

  private split(text: string): readonly [head: string, tail: string] {
    const start = text.indexOf(this.mark);
    invariant(start >= 0, "a content has its list");
    const end = start + this.mark.length;
    return [text.slice(0, end), text.slice(end)];
  }
}

function canonicalText(content: object): string {
  return JSON.stringify(content, canonicalMember);
}

/** A rate as facts contain it: without its time, which does not affect what is booked. */
export function rateAlone(rate: ObservedRate | undefined): ObservedRate | undefined {
  return rate === undefined ? undefined : { rate: rate.rate, from: rate.from, to: rate.to };
}

function canonicalMember(_name: string, value: unknown): unknown {
  if (value instanceof Decimal) return value.normalized().toString();
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)));
}
