/** Random numbers that a seed repeats: for fault scripts of a chance, and for identifiers. Not for secrets. */

/** Numbers from 0 up to 1, the same ones for the same seed (mulberry32, 32 bits of state). */
export type Random = () => number;

export function seededRandom(seed: number): Random {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** UUIDs of version 4 from a source of random numbers. */
export function uuidsFrom(random: Random): () => string {
  return () =>
    "xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx".replace(/x/g, () => Math.floor(random() * 16).toString(16));
}
