/** Linux's /dev/full answers every write as a full disk does. */
import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { AnswerLine } from "../../../src/exports/answers/answer-line.ts";
import { writeAnswerCsv } from "../../../src/exports/answers/csv.ts";
import { writeAnswerXlsx } from "../../../src/exports/answers/xlsx.ts";
import { text } from "./sent-table.ts";

async function* lines(): AsyncIterable<AnswerLine> {
  for (let row = 0; row < 20_000; row += 1)
    yield { cells: [text(`reference ${row}`)], added: ["x".repeat(50)], remarks: new Map() };
}

describe.runIf(existsSync("/dev/full"))("a full disk", () => {
  test("does not end the process while a workbook is written", async () => {
    await expect(writeAnswerXlsx("/dev/full", "Payouts", lines(), () => [])).rejects.toMatchObject({
      code: "ENOSPC",
    });
  });

  test("does not pass for a written CSV", async () => {
    await expect(writeAnswerCsv("/dev/full", lines())).rejects.toMatchObject({ code: "ENOSPC" });
  });
});
