/** Honest files are taken, and cost few questions, once; files that would pay wrong money are asked about what is wrong. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { approveStep, submitFile, validateFile } from "../../src/index.ts";
import { openSite } from "../pipeline/service.ts";
import { HONEST, type Table, textOf, WRONG } from "./meant/tables.ts";

const LIMITS = JSON.stringify(
  Object.fromEntries(["perRow", "perFile", "perDay"].map((name) => [name, { BTC: "1000000000" }])),
);
const SENDERS = JSON.stringify(HONEST.map(({ name }) => ({ name, match: `${name}-*.csv` })));

async function openDesk() {
  const { workplace, folder } = await openSite(
    {},
    { PAYDROP_LIMITS: LIMITS, PAYDROP_FILES_SENDERS: SENDERS },
  );
  const written = (table: Table, month: 0 | 1, first: number) => {
    const path = join(folder, table.fileName ?? `${table.name}-${month}.csv`);
    // References of their own, since each is used once.
    writeFileSync(path, textOf(table, month, first).replaceAll("R-", `R${first}-`));
    return path;
  };
  return { workplace, written };
}

test("honest files are taken with at most 0.7 questions each, and next month's ask about nothing", async () => {
  const { workplace, written } = await openDesk();
  const asked: string[] = [];
  for (const [index, table] of HONEST.entries()) {
    const first = 10 + index * 20;
    const report = await submitFile(workplace, written(table, 0, first), "ann");
    expect([table.name, report.verdict, report.problems]).toEqual([table.name, "accepted", []]);
    expect([table.name, report.rowsAccepted]).toEqual([table.name, table.rows ?? 4]);
    const questions = report.reading?.questions ?? [];
    asked.push(...questions.map(({ text }) => `${table.name}: ${text}`));
    const accepted = {
      acceptReading: questions.length,
      acceptRepeats: report.repeatedRows?.length,
      acceptLookAlikes: report.lookAlikeRows?.length,
    };
    await approveStep(workplace, report.digest ?? "", "ben", accepted);
    const next = await validateFile(workplace, written(table, 1, first));
    expect([table.name, next.verdict, next.problems]).toEqual([table.name, "accepted", []]);
    expect([table.name, next.reading?.questions.map(({ text }) => text)]).toEqual([table.name, []]);
  }
  expect(HONEST.length).toBeGreaterThanOrEqual(30);
  expect(asked.length / HONEST.length, asked.join("\n")).toBeLessThanOrEqual(0.7);
});

describe("a file that would pay wrong money is refused, or asked about what is wrong", () => {
  test.each(WRONG.map((table) => [table.name, table] as const))("%s", async (_, table) => {
    const { workplace, written } = await openDesk();
    const report = await submitFile(workplace, written(table, 0, 10), "ann");
    const said =
      report.verdict === "accepted"
        ? (report.reading?.questions ?? []).map(({ text }) => text)
        : report.problems.map(({ message, column = "" }) => `${column} ${message}`);
    expect(
      said.filter((text) => new RegExp(table.about.source.replace("R-", "R10-")).test(text)),
    ).not.toEqual([]);
    if (report.verdict === "accepted")
      await expect(approveStep(workplace, report.digest ?? "", "ben")).rejects.toMatchObject({
        problem: { code: "READING_NOT_ACCEPTED" },
      });
  });

  test("of which there are many kinds", () => expect(WRONG.length).toBeGreaterThanOrEqual(30));
});
