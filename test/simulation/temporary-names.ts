/**
 * Replaces node:crypto in src/context/files.ts: names of unfinished files, in the same order in every run of a seed.
 */
let names = 0;

export function randomUUID(): string {
  names += 1;
  return `00000000-0000-4000-8000-${String(names).padStart(12, "0")}`;
}
