/** Compares posting by what waits with the whole journal derived from zero. */
import { expect } from "vitest";
import { ledgerStep, ledgerVerifyStep } from "../../src/books/index.ts";
import type { Workplace } from "../../src/index.ts";

/**
 * Posts, then fails if deriving everything gives another entry, hold, omission or sum, or if a movement that is booked
 * is said to be still to come.
 */
export async function postsTheSameInParts(workplace: Workplace): Promise<void> {
  const { problems } = await ledgerStep(workplace);
  const gone = problems.filter(({ code }) => code === "LEDGER_POSTED_FACT_GONE");
  expect(gone.filter(({ message }) => message.includes("is still to come"))).toEqual([]);
  expect((await ledgerVerifyStep(workplace)).differences).toEqual([]);
}
