/** Identifiers and hashes, and reproducible random numbers for fault scripts with a chance. Not for secrets. */
import { createHash, randomUUID } from "node:crypto";

/** Returns numbers from 0 up to 1, the same sequence for the same seed (mulberry32, 32 bits of state). */
type Random = () => number;

export function seededRandom(seed: number): Random {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * The random numbers for the n-th start (from 0) on one database, so that those of earlier starts are not drawn
 * again.
 */
export function randomOfStart(seed: number, starts: number): Random {
  if (starts === 0) return seededRandom(seed);
  return seededRandom(createHash("sha256").update(`${seed}/${starts}`).digest().readInt32BE());
}

/** 64 hexadecimal digits, the same for the same text. */
export function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** UUIDs of version 4 from a source of random numbers. */
export function uuidsFrom(random: Random): () => string {
  return () =>
    "xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx".replace(/x/g, () => Math.floor(random() * 16).toString(16));
}

/**
 * UUIDs of version 7 (RFC 9562). They begin with the milliseconds since 1970, so new ones go to the end of an
 * index; with random ones, finding the place takes half the time of storing a payout once there are a hundred
 * thousand.
 */
export function timeOrderedUuids(clock: () => number): () => string {
  return () => {
    const time = clock().toString(16).padStart(12, "0");
    const random = randomUUID();
    return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(15)}`;
  };
}
