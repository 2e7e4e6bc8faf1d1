/**
 * Tells which files of an inbox are no longer being written: two looks of ours, `quietSeconds` apart by our monotonic
 * clock, saw the same one. What its own times say of now proves nothing: a file server's clock may be behind, and a
 * copy may keep any time.
 */
import type { Stats } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../../context/clock.ts";
import { unlessGone } from "../../context/files.ts";
import { sha256Of } from "./sha256-of.ts";

interface Look {
  /** Size and times, compared only with those of other looks. */
  readonly seen: string;
  /** Of the whole file; absent after a look that found `seen` changed, and so read nothing. */
  readonly sha256?: string;
  /** When the first look that saw it so had ended. */
  readonly sinceMs: number;
}

/** By inbox and name. Looks are kept for the next runs of this process, and compared by the clock that timed them. */
const looksByClock = new WeakMap<Clock, Map<string, ReadonlyMap<string, Look>>>();

/**
 * Begins a scan of an inbox. The function that it returns looks at one file, and returns for how long it must still be
 * seen unchanged. Throws FILE_NOT_FOUND or FILE_UNREADABLE.
 */
export function quietFiles(
  clock: Clock,
  inbox: string,
  quietSeconds: number,
): (name: string, stats: Stats) => Promise<number> {
  const inboxes = looksByClock.get(clock) ?? new Map<string, ReadonlyMap<string, Look>>();
  looksByClock.set(clock, inboxes);
  const earlier = inboxes.get(inbox);
  const looks = new Map<string, Look>();
  // What is no longer there is forgotten.
  inboxes.set(inbox, looks);
  const quietMs = quietSeconds * 1000;
  return async (name, stats) => {
    if (quietMs === 0) return 0;
    const lookedMs = clock.monotonicMs();
    const before = earlier?.get(name);
    const seen = sizeAndTimes(stats);
    if (before !== undefined && before.seen !== seen) {
      looks.set(name, { seen, sinceMs: lookedMs });
      return quietMs;
    }
    const sha256 = await sha256Of(join(inbox, name));
    const isUnchanged = before?.sha256 === sha256;
    looks.set(name, isUnchanged ? before : { seen, sha256, sinceMs: clock.monotonicMs() });
    return isUnchanged ? Math.max(0, before.sinceMs + quietMs - lookedMs) : quietMs;
  };
}

/** Whether a file is still as the last look saw it: its turn may come long after. */
export async function isAsSeen(clock: Clock, inbox: string, name: string): Promise<boolean> {
  const last = looksByClock.get(clock)?.get(inbox)?.get(name);
  const stats = await unlessGone(stat(join(inbox, name)));
  return last === undefined || stats === undefined || sizeAndTimes(stats) === last.seen;
}

function sizeAndTimes({ size, mtimeMs, ctimeMs }: Stats): string {
  return `${size} ${mtimeMs} ${ctimeMs}`;
}
