/** The chart of accounts as a workbook, and the mistakes for which a file of either kind is refused. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import exceljs from "exceljs";
import { expect, test } from "vitest";
import { ledgerStep, openChart } from "../../src/books/index.ts";
import { ConfigFault } from "../../src/config/index.ts";
import { listEntriesAfter } from "../../src/store/ledger-entries.ts";
import { depositOf, receiptOf, scriptedNights } from "../site/scripted-nights.ts";
import { temporaryFolder } from "../store/stored-batch.ts";
import { CHART_TEXT, chartOf } from "./movements.ts";

const ROWS = CHART_TEXT.trim()
  .split("\n")
  .map((line) => line.split(","));

type Change = (sheet: exceljs.Worksheet, workbook: exceljs.Workbook) => void;

/** The usual chart, with codes and shares as numbers, on a sheet after another one. */
async function workbookFile(change?: Change): Promise<string> {
  const workbook = new exceljs.Workbook();
  workbook.addWorksheet("Read me").addRow(["Charts change in January."]);
  const sheet = workbook.addWorksheet("Accounts");
  for (const row of ROWS)
    sheet.addRow(row.map((text) => (/^[\d.]+$/.test(text) ? Number.parseFloat(text) : text)));
  change?.(sheet, workbook);
  const path = join(temporaryFolder(), "chart.xlsx");
  await workbook.xlsx.writeFile(path);
  return path;
}

async function mistakesIn(path: string) {
  const error: unknown = await openChart(path).catch((thrown: unknown) => thrown);
  return error instanceof ConfigFault ? [error.problem, ...error.otherProblems] : error;
}

test("a workbook holds the same chart as a CSV: the sheet that begins with its columns", async () => {
  expect((await openChart(await workbookFile())).rows).toEqual(chartOf(CHART_TEXT).rows);
});

test("a CSV that is not in UTF-8 is read in its own encoding", async () => {
  const path = join(temporaryFolder(), "chart.csv");
  writeFileSync(path, Buffer.from(`${CHART_TEXT}gl,Löhne,,,,6100,expenses:löhne\n`, "latin1"));
  const { rows } = await openChart(path);
  expect(rows.at(-1)).toMatchObject({ key: "Löhne", account: { name: "expenses:löhne" } });
});

test.each<[string, Change, string]>([
  [
    "a formula",
    (sheet) => {
      sheet.getCell("F9").value = { formula: "6000+301", result: 6301 };
    },
    "it is a formula; put its value in its place",
  ],
  [
    "a day that was a code",
    (sheet) => {
      sheet.getCell("F9").value = new Date("2026-03-04T00:00:00Z");
      sheet.getCell("F9").numFmt = "yyyy-mm-dd";
    },
    "it is the day 2026-03-04",
  ],
  [
    "a code that nobody sees",
    (sheet) => {
      sheet.getCell("F9").numFmt = ";;;";
    },
    "its number format shows something else",
  ],
  [
    "an error",
    (sheet) => {
      sheet.getCell("F9").value = { error: "#REF!" } as exceljs.CellErrorValue;
    },
    "it is #REF!",
  ],
  [
    "a row that was struck out",
    (sheet) => {
      sheet.getCell("F9").font = { strike: true };
    },
    "it is struck out",
  ],
])("%s is refused with sheet, cell and column", async (_what, change, reason) => {
  const path = await workbookFile(change);
  expect(await mistakesIn(path)).toEqual([
    expect.objectContaining({
      ...{ code: "CHART_UNUSABLE", file: path, sheet: "Accounts", line: 9, column: "code", cell: "F9" },
      message: expect.stringContaining(reason),
    }),
  ]);
});

test("of two sheets with a chart none is preferred", async () => {
  const path = await workbookFile((_sheet, workbook) => {
    workbook.addWorksheet("Old").addRow(ROWS[0]);
  });
  expect(await mistakesIn(path)).toMatchObject({
    problem: { code: "CHART_UNUSABLE", message: expect.stringContaining('the sheets "Accounts" and "Old"') },
  });
});

test("nothing is posted by a chart with a mistake, and everything once it is corrected", async () => {
  const { shown, night, workplace } = await scriptedNights({
    settings: { PAYDROP_LEDGER_CHART: "chart.xlsx" },
  });
  const path = workplace.config.ledger.chart;
  const write = async (change?: Change) => {
    const workbook = new exceljs.Workbook();
    await workbook.xlsx.readFile(await workbookFile(change));
    await workbook.xlsx.writeFile(path);
  };
  await write();
  await night();
  const deposit = "6f1cbb7e-0000-4000-8000-0000000000a1";
  shown.deposits = [depositOf(deposit, [receiptOf("aa", 0.5)])];
  shown.balance += 0.5;
  await write((sheet) => {
    sheet.getCell("F2").value = { formula: "1000+510", result: 1510 };
  });
  await expect(night()).rejects.toMatchObject({
    problem: { code: "CHART_UNUSABLE", file: path, line: 2, cell: "F2", column: "code" },
  });
  expect(await workplace.store.read(() => listEntriesAfter(0, 10))).toEqual([]);
  await write();
  expect((await ledgerStep(workplace)).posted).toBeGreaterThan(0);
});
