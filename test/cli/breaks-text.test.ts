import { join } from "node:path";
import pc from "picocolors";
import { expect, test } from "vitest";
import { notBookedLines } from "../../src/cli/render/ledger-text.ts";
import { reconciliationText } from "../../src/cli/render/reconciliation-text.ts";
import { approveStep, payStep, submitFile } from "../../src/index.ts";
import { reconcileStep } from "../../src/nights/index.ts";
import { openSite } from "../site/service.ts";
import { SAMPLES } from "./program.ts";

test("what a service does to every payout does not hide the other breaks: a kind is told ten times, then counted", async () => {
  const { workplace } = await openSite({ reference: { lowerCased: true } });
  const { digest = "" } = await submitFile(workplace, join(SAMPLES, "payouts.xlsx"), "alice");
  expect(await approveStep(workplace, digest, "bob", { acceptReading: 5 })).toMatchObject({
    isReleased: true,
  });
  expect(await payStep(workplace)).toMatchObject({ accepted: 18 });
  const report = await reconcileStep(workplace);
  expect(report.openBreaks.filter(({ kind }) => kind === "reference")).toHaveLength(18);
  const text = reconciliationText(report, pc.createColors(false), (id) => id);
  expect(text.match(/ reference: /g)).toHaveLength(10);
  expect(text).toContain("... and 8 more reference; `--json` lists them all");
});

test("what is never booked is told by state and reason, however much of it there is", () => {
  const failed = Array.from({ length: 30 }, (_, index) => ({
    sourceId: `p-${index}`,
    sourceState: "CANCELLED",
  }));
  const rows = failed.map((row) => ({ ...row, reason: "it failed" }));
  const others = failed.map((row) => ({ ...row, reason: `${row.sourceId} books it` }));
  expect(notBookedLines(rows)).toEqual(["not booked: 30 movements, CANCELLED: it failed"]);
  const lines = notBookedLines([...others, ...rows]);
  expect(lines[0]).toBe("not booked: p-0, CANCELLED: p-0 books it");
  expect(lines.at(-1)).toBe("... and 50 others not booked; `--json` lists them all");
});
