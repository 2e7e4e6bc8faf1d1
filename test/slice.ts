/**
 * Long proofs. `npm test` runs a part of their cases, spread evenly; `npm run test:whole` runs all of them, and so does
 * `.ci/run`.
 */
import { test } from "vitest";

export const IS_WHOLE = process.env["TEST_WHOLE"] !== undefined;

/** One of every `of` cases, or all of them. */
export function sliceOf<Case>(cases: readonly Case[], of: number): readonly Case[] {
  return IS_WHOLE ? cases : cases.filter((_, index) => index % of === 0);
}

/** How often a property is tried: `runs` in `npm test`, `whole` in `npm run test:whole`. */
export function runsOf(runs: number, whole: number): { readonly numRuns: number } {
  return { numRuns: IS_WHOLE ? whole : runs };
}

/**
 * A test of `npm run test:whole` alone. There it is focused: `npm test` has run the others of its file.
 */
export const longTest: (title: string, run: () => unknown, timeoutMs?: number) => void = IS_WHOLE
  ? test.only
  : () => undefined;

/** A test with a slice of its cases, in a file with long tests. */
export const slicedTest = IS_WHOLE ? test.only : test;
