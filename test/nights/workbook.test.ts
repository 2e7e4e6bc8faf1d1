/** The workbook of a night: its sums are formulas that come out as the proof does, and no text in it is a formula. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import exceljs from "exceljs";
import { afterAll, expect, test } from "vitest";
import { Decimal } from "../../src/money/index.ts";
import { type NightReport, reportBytes } from "../../src/nights/index.ts";
import { FORMULA, madeUpReport } from "./made-up-report.ts";

const folder = mkdtempSync(join(tmpdir(), "paydrop-workbook-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function opened(report: NightReport): Promise<exceljs.Workbook> {
  const workbook = new exceljs.Workbook();
  const bytes = await reportBytes(report, "xlsx");
  await workbook.xlsx.load(
    bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer,
  );
  return workbook;
}

/** By sheet and cell, what the formulas come to. */
function results(workbook: exceljs.Workbook): Map<string, unknown> {
  const found = new Map<string, unknown>();
  for (const sheet of workbook.worksheets)
    sheet.eachRow((row) =>
      row.eachCell((cell) => {
        if (cell.type === exceljs.ValueType.Formula)
          found.set(`${sheet.name}!${cell.address}`, cell.result ?? 0);
      }),
    );
  return found;
}

/** As LibreOffice computes them, which finds no result in the file. */
async function recalculated(workbook: exceljs.Workbook): Promise<Map<string, unknown>> {
  for (const sheet of workbook.worksheets)
    sheet.eachRow((row) =>
      row.eachCell((cell) => {
        if (cell.type === exceljs.ValueType.Formula)
          cell.value = { formula: cell.formula } as exceljs.CellFormulaValue;
      }),
    );
  await workbook.xlsx.writeFile(join(folder, "bare.xlsx"));
  const profile = `-env:UserInstallation=file://${join(folder, "profile")}`;
  const to = ["--convert-to", "xlsx", "--outdir", join(folder, "computed")];
  await promisify(execFile)("soffice", [profile, "--headless", ...to, join(folder, "bare.xlsx")]);
  const computed = new exceljs.Workbook();
  await computed.xlsx.readFile(join(folder, "computed", "bare.xlsx"));
  return results(computed);
}

const texts = (sheet: exceljs.Worksheet | undefined, column: number) =>
  sheet
    ?.getColumn(column)
    .values.slice(2)
    .map((value) => String(value ?? ""));

test("its formulas come out as the proof does, also where LibreOffice computes them anew", async () => {
  const report = await madeUpReport();
  const workbook = await opened(report);
  const kept = results(workbook);
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
  expect(await recalculated(await opened(report))).toEqual(kept);
}, 120_000);

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
  const formulas = [...results(workbook).keys()];
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
