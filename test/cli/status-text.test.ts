/** Which batches `status` lists after years of batches. */
import pc from "picocolors";
import { expect, test } from "vitest";
import { batchesText } from "../../src/cli/render/status-text.ts";
import type { BatchStatus } from "../../src/index.ts";
import { batchId, type Standing } from "../../src/model/index.ts";
import { Decimal } from "../../src/money/index.ts";

function batch(number: number, standing: Standing): BatchStatus {
  const controlTotals = [{ currency: "BTC", count: 1, amount: Decimal.of("0.1") }];
  return {
    batch: {
      id: batchId(`B-${String(number).padStart(6, "0")}`),
      fileSha256: "",
      fileName: "payroll.csv",
      archivedAs: "",
      submittedBy: "ann",
      submittedAt: "2026-11-22T02:00:00.000Z",
      digest: "d".repeat(64),
      rowCount: 1,
      controlTotals,
    },
    approvedBy: [],
    peopleNeeded: 1,
    shown: [{ standing, totals: controlTotals }],
    standings: [{ standing, totals: controlTotals }],
    rejections: [],
    runOut: [],
    released: [],
  };
}

test("the newest ten, and older ones only while there is something to do about them", () => {
  const batches = Array.from({ length: 30 }, (_, index) => batch(index + 1, "accepted"));
  batches[3] = batch(4, "refused");
  batches[7] = batch(8, "received");
  const text = batchesText(batches, pc.createColors(false));
  expect(text.match(/B-\d{6} payroll/g)?.map((one) => Number.parseInt(one.slice(2, 8), 10))).toEqual([
    4,
    8,
    ...Array.from({ length: 10 }, (_, index) => index + 21),
  ]);
  expect(text).toContain("18 older batches with nothing to do");
});
