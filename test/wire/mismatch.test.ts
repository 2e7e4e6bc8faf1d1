/** A problem in an answer names its field, even inside a field with several possible forms. */
import { describe, expect, test } from "vitest";
import { mismatchText, parseJson, payout } from "../../src/wire/index.ts";

function saidOf(change: string): string {
  const body = `{"payoutId":"0d5d6e8a-0000-4000-8000-000000000001","accountId":"6f1cbb7e-0000-4000-8000-000000000001",
    "requestedAmount":{"currency":"BTC","amount":1},"payoutState":"SENT"${change}}`;
  const read = payout.safeParse(parseJson(body));
  return read.success ? "" : mismatchText(read.error);
}

describe("a field that does not fit", () => {
  test.each([
    [`,"sentFunds":{"amount":{"amount":1}}`, /^sentFunds\.amount\.currency: /],
    [`,"sentFunds":[{"amount":{"amount":1}}]`, /^sentFunds\[0\]\.amount\.currency: /],
    [`,"sentFunds":{"fee":{"currency":"BTC","amount":"1"}}`, /^sentFunds\.fee\.amount: .*number/],
    [`,"requestedAmount":{"currency":"BTC"}`, /^requestedAmount\.amount: expected a number/],
    [`,"requestedAmount":{"amount":1}`, /^requestedAmount\.currency: missing$/],
    [`,"payoutState":null`, /^payoutState: expected string, received null$/],
    [`,"sentFunds":17`, /^sentFunds: /],
  ])("is named: %s", (change, words) => {
    expect(saidOf(change)).toMatch(words);
  });

  test("is named beside the others", () => {
    expect(saidOf(`,"payoutState":1,"accountId":2`)).toMatch(/accountId: .*; payoutState: /);
  });
});
