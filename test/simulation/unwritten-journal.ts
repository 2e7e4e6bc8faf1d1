/** The journal of a service that never stops while a seed runs: nobody would ever read it, so nothing is written. */
import type { Journal } from "../../src/sandbox/state/journal.ts";

export function openJournal(): Journal {
  const ignore = () => undefined;
  return {
    takeRows: () => new Map(),
    append: ignore,
    isLongFor: () => false,
    rewrite: ignore,
    close: ignore,
  };
}
