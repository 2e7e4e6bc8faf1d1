/** Compares posting by what waits with the whole journal derived from zero. */
import { expect } from "vitest";
import { ledgerStep, ledgerVerifyStep } from "../../src/books/index.ts";
import type { Workplace } from "../../src/index.ts";

/** Posts, then fails if deriving everything gives another entry, hold, omission or sum. */
export async function postsTheSameInParts(workplace: Workplace): Promise<void> {
  await ledgerStep(workplace);
  expect((await ledgerVerifyStep(workplace)).differences).toEqual([]);
}
