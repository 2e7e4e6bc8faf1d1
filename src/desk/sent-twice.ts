/** A double click sends a form twice. The second request gets the answer of the first, and does nothing. */
import { hash } from "node:crypto";
import type { Clock } from "../context/clock.ts";

/** The two clicks of a double click are at most this far apart. */
const CLICKS_MS = 500;

interface Form {
  readonly token: string;
  readonly url: string;
  readonly form: object;
}

/** Answers the same form of the same session once; a refused form may be sent again at once. */
export function sentTwice<Answer extends object>(clock: Clock) {
  /** `doneMs`: undefined while the first request is under way. */
  const all = new Map<string, { readonly answer: Promise<Answer>; doneMs?: number }>();
  return async ({ token, url, form }: Form, handle: () => Promise<Answer>): Promise<Answer> => {
    for (const [key, { doneMs }] of all)
      if (doneMs !== undefined && clock.monotonicMs() - doneMs > CLICKS_MS) all.delete(key);
    const key = hash("sha256", JSON.stringify([token, url, form]), "base64url");
    const shared = await all.get(key)?.answer;
    // A download is a stream, which one browser reads.
    if (shared !== undefined) return "bytes" in shared ? handle() : shared;
    const sent: { answer: Promise<Answer>; doneMs?: number } = { answer: handle() };
    all.set(key, sent);
    try {
      const answer = await sent.answer;
      if ("goTo" in answer) sent.doneMs = clock.monotonicMs();
      else all.delete(key);
      return answer;
    } catch (error) {
      all.delete(key);
      throw error;
    }
  };
}
