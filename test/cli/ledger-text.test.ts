import { expect, test } from "vitest";
import { notBookedLines } from "../../src/cli/render/ledger-text.ts";

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
