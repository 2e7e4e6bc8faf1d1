/** One hash for the content of a fact, equal wherever the values are equal: 0.050 hashes as 0.05, members in any order. */
import { createHash, type Hash } from "node:crypto";
import { invariant } from "../faults/index.ts";
import type { ObservedRate } from "../model/index.ts";
import { Decimal } from "../money/index.ts";

/** SHA-256 over canonical JSON, lower-case hex. Members that are undefined do not count. */
export function contentHash(content: object): string {
  return createHash("sha256").update(canonicalText(content)).digest("hex");
}

/**
 * `contentHash` of contents that hold the same list, each one element more of it than the one before. What all of them begin with is
 * hashed once: a list of thousands would take quadratic time.
 */
export class GrowingContent {
  private readonly mark: string;
  private head: string | undefined;
  private readonly hash: Hash = createHash("sha256");
  private isEmpty = true;

  /** The member that is the list; those whose names come before it are the same in all contents. */
  constructor(listName: string) {
    this.mark = `${JSON.stringify(listName)}:[`;
  }

  /** Of `content`, whose own list is empty, with the elements so far in it; `element` is the next one. */
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

/** A rate as a fact holds it: when it was measured does not change what is booked. */
export function rateAlone(rate: ObservedRate | undefined): ObservedRate | undefined {
  return rate === undefined ? undefined : { rate: rate.rate, from: rate.from, to: rate.to };
}

function canonicalMember(_name: string, value: unknown): unknown {
  if (value instanceof Decimal) return value.normalized().toString();
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)));
}
