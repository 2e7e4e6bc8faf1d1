/** An approver sees every payment that must be accepted by number, with its payee, before the decision. */
import pc from "picocolors";
import { expect, test } from "vitest";
import { screeningLines, screeningWarningLines } from "../../src/cli/render/approval-text.ts";
import { problem } from "../../src/faults/index.ts";
import { Decimal } from "../../src/money/index.ts";

const colors = pc.createColors(false);

test("every repeat is named, however many there are; other warnings are counted", () => {
  const warnings = Array.from({ length: 30 }, (_, index) => [
    problem(
      "LEDGER_FIELDS_UNMAPPED",
      { fields: "project X", will: "will", suspense: "2999", choices: "Hosting (6300)" },
      { reference: `A-${index}` },
    ),
    problem(
      "PAYMENT_MADE_BEFORE",
      { amount: "1 BTC", destination: "bc1q", day: "2026-11-20", earlier: "batch B-000001, row 1" },
      { reference: `A-${index}` },
    ),
  ]).flat();
  const text = screeningWarningLines(warnings, colors).join("\n");
  expect(text.match(/PAYMENT_MADE_BEFORE in reference A-\d+/g)).toHaveLength(30);
  expect(text).toContain("... and 27 more LEDGER_FIELDS_UNMAPPED");
});

test("a first-time destination is told with the reference and the payee that the file names", () => {
  const totals = [{ currency: "BTC", count: 1, amount: Decimal.of("0.02") }];
  const destinations = Array.from({ length: 30 }, (_, index) => ({
    destination: `bc1q${index}`,
    row: index + 1,
    reference: `A-${index}`,
    payee: "Zoë Okafor",
    totals,
  }));
  const newDestinations = { destinations, totals, count: 31 };
  const all = screeningLines({ newDestinations }, colors, Number.POSITIVE_INFINITY);
  expect(all).toContain('    bc1q29: 1 payment, 0.02 BTC, A-29 for "Zoë Okafor"');
  expect(screeningLines({ newDestinations }, colors).at(-1)).toBe(
    "    ... and 21 others with smaller sums; `paydrop preview` and `--json` list more",
  );
});
