/**
 * Planted violations of nights and books: each loses or spoils one statement of the store, and a history that is
 * known to fail must notice it. Without them the oracles would prove nothing.
 */
import { describe, expect, test } from "vitest";
import type { Workplace } from "../../src/index.ts";
import { altered } from "../site/meanwhile.ts";
import { sliceOf } from "../slice.ts";
import { nightsAgree } from "./history.ts";

interface Violation {
  readonly rule: string;
  /** The statements to spoil. */
  readonly text: RegExp;
  /** Replaces the statement; without it the statement is dropped. */
  readonly instead?: (text: string) => string;
  readonly redSeed: number;
}

const VIOLATIONS: readonly Violation[] = [
  {
    rule: "what changed is compared: no watermark runs ahead",
    text: /^insert into uncompared .*json_each/s,
    redSeed: 1,
  },
  {
    rule: "what shares a transaction with what changed is compared",
    text: /^insert into uncompared .*shared_name/s,
    redSeed: 2,
  },
  { rule: "what changed is posted", text: /^insert into unposted .*json_each/s, redSeed: 1 },
  {
    rule: "what shares a transaction with what changed is posted",
    text: /^insert into unposted .*shared_name/s,
    redSeed: 141,
  },
  { rule: "an own transfer is no income", text: /^insert into own_transfer/, redSeed: 15 },
  { rule: "every entry is in the sums", text: /^insert into ledger_sum/, redSeed: 1 },
  { rule: "what is not booked is told", text: /^insert into not_booked/, redSeed: 15 },
  { rule: "a break that is gone is closed", text: /^update break_opening set closed_at/, redSeed: 6 },
  {
    rule: "a break that is still there stays open",
    text: /^update break_opening set closed_at/,
    instead: (text) => text.replace("seq in (select value", "seq <= (select max(value)"),
    redSeed: 6,
  },
];

describe("a history turns red where it does not hold that", () => {
  test.each(sliceOf(VIOLATIONS, 6))("$rule", async ({ text, instead, redSeed }) => {
    const spoilt = (workplace: Workplace) => altered(workplace, text, instead);
    await expect(nightsAgree(redSeed, spoilt)).rejects.toThrow();
  });
});
