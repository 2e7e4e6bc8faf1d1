/** The elements of a search answer with their own texts; those that are known by their text are not parsed. */
import { invariant } from "../faults/index.ts";
import { cutPage } from "../wire/index.ts";

/**
 * Recognises the texts of elements that were parsed, judged and stored before, if nothing that counts has changed
 * since. Returns their ids in the order of the texts, and undefined for the others.
 */
export type Recognise = (texts: readonly string[]) => Promise<readonly (string | undefined)[]>;

/** An element of an answer: parsed, or known by its text. */
export class SentElement {
  readonly text: string;
  /** Undefined for a known one. */
  readonly value: unknown;
  readonly knownId: string | undefined;

  constructor(text: string, value: unknown, knownId?: string) {
    this.text = text;
    this.value = value;
    this.knownId = knownId;
  }
}

/** In a page of more elements than anybody requests, no element is recognised. */
const RECOGNISED_TOGETHER_MAX = 10_000;

export interface CutAnswer {
  /** The answer without its known elements. */
  readonly text: string;
  /** Replaces the elements of what `text` was parsed to by all those of the answer, each a `SentElement`. */
  place(body: unknown): void;
}

/** Undefined if the elements cannot be separated before they are parsed. */
export async function cutAnswer(
  text: string,
  recognise: Recognise | undefined,
): Promise<CutAnswer | undefined> {
  const page = cutPage(text);
  if (page === undefined) return undefined;
  const { elements } = page;
  const isAsked =
    recognise !== undefined && elements.length > 0 && elements.length <= RECOGNISED_TOGETHER_MAX;
  const ids = isAsked ? await recognise(elements) : [];
  const unknown = elements.filter((_, index) => ids[index] === undefined);
  return {
    text: unknown.length === elements.length ? text : page.withOnly(unknown),
    place: (body) => {
      const { results } = body as { readonly results: { content: readonly unknown[] } };
      const parsed = results.content;
      invariant(parsed.length === unknown.length, "each element that is not known was parsed");
      const areFew = unknown.length * 2 < elements.length;
      let next = 0;
      results.content = elements.map((element, index) => {
        const knownId = ids[index];
        if (knownId !== undefined) return new SentElement(element, undefined, knownId);
        next += 1;
        return new SentElement(areFew ? copyOf(element) : element, parsed[next - 1]);
      });
    },
  };
}

/** A slice keeps its whole page in memory until it is stored: too much for a few elements of each page. */
function copyOf(text: string): string {
  return ` ${text}`.slice(1);
}
