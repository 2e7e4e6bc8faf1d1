/**
 * Honest files are taken and cost few questions, each once. Files that would pay wrong money raise questions about
 * the mistake.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { approveStep, type SubmitReport, submitFile, validateFile } from "../../src/index.ts";
import { openSite } from "../site/service.ts";
import { sliceOf } from "../slice.ts";
import { fileOf, HONEST, isWorkbook, type Table, WRONG } from "./meant/tables.ts";

const LIMITS = JSON.stringify(
  Object.fromEntries(["perRow", "perFile", "perDay"].map((name) => [name, { BTC: "1000000000" }])),
);
const SENDERS = JSON.stringify([...HONEST, ...WRONG].map(({ name }) => ({ name, match: `${name}.month-*` })));

async function openDesk() {
  const environment = { PAYDROP_LIMITS: LIMITS, PAYDROP_FILES_SENDERS: SENDERS };
  const { workplace, folder } = await openSite({}, environment);
  const written = async (table: Table, month: 0 | 1, first: number) => {
    const name = table.fileName ?? `${table.name}.month-${month}.${isWorkbook(table) ? "xlsx" : "csv"}`;
    writeFileSync(join(folder, name), await fileOf(table, month, first));
    return join(folder, name);
  };
  return { workplace, written };
}

const questionsOf = ({ reading }: Pick<SubmitReport, "reading">) =>
  (reading?.questions ?? []).map(({ text }) => text);

/** Questions about payments that are compared with others. */
const comparedIn = ({ warnings }: Pick<SubmitReport, "warnings">) =>
  warnings
    .filter(({ code }) => /^(?:DESTINATION_(?!OVER)|PAYMENT_)/.test(code))
    .map(({ message }) => message);

const accepted = ({ reading, repeatedRows, lookAlikeRows }: SubmitReport) => ({
  acceptReading: reading?.questions.length,
  acceptRepeats: repeatedRows?.length,
  acceptLookAlikes: lookAlikeRows?.length,
});

test("honest files are taken with at most 0.7 questions each, and next month's ask about nothing", async () => {
  const { workplace, written } = await openDesk();
  const asked: string[] = [];
  const honest = sliceOf(HONEST, 4);
  for (const [index, table] of honest.entries()) {
    const first = 10 + index * 40;
    const report = await submitFile(workplace, await written(table, 0, first), "ann");
    expect([table.name, report.verdict, report.problems]).toEqual([table.name, "accepted", []]);
    expect([table.name, report.rowsAccepted]).toEqual([table.name, table.rows ?? 4]);
    if (table.isUnasked) expect([table.name, questionsOf(report)]).toEqual([table.name, []]);
    asked.push(...[...questionsOf(report), ...comparedIn(report)].map((text) => `${table.name}: ${text}`));
    await approveStep(workplace, report.digest ?? "", "ben", accepted(report));
    const next = await validateFile(workplace, await written(table, 1, first));
    expect([table.name, next.verdict, next.problems]).toEqual([table.name, "accepted", []]);
    expect([table.name, questionsOf(next), comparedIn(next)]).toEqual([table.name, [], []]);
  }
  expect(HONEST.length).toBeGreaterThanOrEqual(60);
  expect(asked.length / honest.length, asked.join("\n")).toBeLessThanOrEqual(0.7);
});

describe("a file that would pay wrong money is refused, or asked about what is wrong", () => {
  test.each(sliceOf(WRONG, 6).map((table) => [table.name, table] as const))("%s", async (_, table) => {
    const { workplace, written } = await openDesk();
    if (table.before !== undefined) {
      const before = await submitFile(workplace, await written(table.before, 0, 10), "ann");
      await approveStep(workplace, before.digest ?? "", "ben", accepted(before));
    }
    const month = table.before === undefined ? 0 : 1;
    const report = await submitFile(workplace, await written(table, month, 10), "ann");
    const about = new RegExp(table.about.source.replace("R-", "R10-"), table.about.flags);
    const fitting = (texts: readonly string[]) => texts.filter((text) => about.test(text));
    if (report.verdict !== "accepted") {
      const said = report.problems.map(({ message, column = "" }) => `${column} ${message}`);
      expect([said, fitting(said).length]).not.toEqual([said, 0]);
      return;
    }
    // A person who accepts all other questions accepts nothing wrong.
    const ofReading = fitting(questionsOf(report)).length > 0;
    if (!ofReading)
      expect([comparedIn(report), questionsOf(report), fitting(comparedIn(report)).length]).not.toEqual([
        comparedIn(report),
        questionsOf(report),
        0,
      ]);
    const others = {
      ...accepted(report),
      ...(ofReading
        ? { acceptReading: undefined }
        : { acceptRepeats: undefined, acceptLookAlikes: undefined }),
    };
    await expect(approveStep(workplace, report.digest ?? "", "ben", others)).rejects.toMatchObject({
      problem: { code: expect.stringMatching(/^(?:READING|REPEATS|LOOK_ALIKES)_NOT_ACCEPTED$/) },
    });
  });

  test("of which there are many kinds", () => expect(WRONG.length).toBeGreaterThanOrEqual(60));
});
