/** The workbook of a night: its sums are formulas with the results of the proof, and no text in it is a formula. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type exceljs from "exceljs";
import { afterAll, expect, test } from "vitest";
import { Decimal } from "../../src/money/index.ts";
import { type NightReport, reportBytes } from "../../src/nights/index.ts";
import { formulaResults, openedWorkbook, recalculated } from "../computed-workbook.ts";
import { FORMULA, madeUpReport } from "./made-up-report.ts";

const folder = mkdtempSync(join(tmpdir(), "paydrop-workbook-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const opened = async (report: NightReport) => openedWorkbook(await reportBytes(report, "xlsx"));

const texts = (sheet: exceljs.Worksheet | undefined, column: number) =>
  sheet
    ?.getColumn(column)
    .values.slice(2)
    .map((value) => String(value ?? ""));

test("its formulas come out as the proof does, also where LibreOffice computes them anew", async () => {
  const report = await madeUpReport();
  const workbook = await opened(report);
  const kept = formulaResults(workbook);
  expect(kept.size).toBeGreaterThan(20);
  const proof = workbook.getWorksheet("Proof");
  for (const [index, row] of report.night.proof.entries()) {
    const { value, result } = proof?.getCell(index + 2, 8) ?? {};
    const shown = result ?? value;
    expect([row.account, Decimal.of(String(shown)).equals(Decimal.of(row.expected ?? ""))]).toEqual([
      row.account,
      true,
    ]);
  }
  expect(await recalculated([await opened(report)], folder)).toEqual([kept]);
});

test("an amount with more digits than a program shows is a text with all of them", async () => {
  const proof = (await opened(await madeUpReport())).getWorksheet("Proof");
  const long = proof?.getColumn(1).values.indexOf("long") ?? 0;
  expect(proof?.getCell(long, 3).value).toBe("12345678.12345678");
  expect(proof?.getCell(long, 8).value).toBe("12345678.42345678");
});

test("what begins like a formula, and what breaks a line or hides, is text of one line", async () => {
  const workbook = await opened(await madeUpReport());
  expect(texts(workbook.getWorksheet("Breaks"), 4)).toContain(`'${FORMULA}`);
  expect(texts(workbook.getWorksheet("Breaks"), 6)).toContain("a text\\u000aof two lines\\u202e");
  expect(texts(workbook.getWorksheet("Ledger projects"), 1)).toContain(`'${FORMULA}`);
  const formulas = [...formulaResults(workbook).keys()];
  expect(formulas.filter((each) => /^(?:Breaks|Differences)!/.test(each))).toEqual([]);
});

test("it has a sheet for each question, with heads that stay and filters, as wide as a page", async () => {
  const { worksheets } = await opened(await madeUpReport());
  const names = ["Summary", "Proof", "Breaks", "Differences", "Accounts", "Ledger projects"];
  expect(worksheets.map(({ name }) => name)).toEqual(names);
  for (const { pageSetup } of worksheets)
    expect(pageSetup).toMatchObject({ orientation: "landscape", fitToWidth: 1 });
  for (const { views, autoFilter } of worksheets.slice(1)) {
    expect(views[0]).toMatchObject({ state: "frozen", ySplit: 1 });
    expect(autoFilter).toBeTruthy();
  }
});
