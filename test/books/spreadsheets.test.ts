/**
 * The files for accountants, as LibreOffice reads them: a table that keeps every digit, and a workbook whose sums
 * LibreOffice computes.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import exceljs from "exceljs";
import { afterAll, expect, test } from "vitest";
import { ledgerWorkbook } from "../../src/books/formats/ledger-workbook.ts";
import { inJournalOrder } from "../../src/books/index.ts";
import type { JournalEntry } from "../../src/model/index.ts";
import { currencyScales } from "../../src/money/index.ts";
import { configured } from "../config/ledger-exports.ts";
import { deposits, payouts } from "./golden-books.ts";
import { book } from "./movements.ts";
import { ledgerFiles } from "./whole-files.ts";

const format = { functionalCurrency: "EUR", scales: currencyScales() };
const batch = { exportNumber: "000042", issuedAt: "2026-11-21T02:30:00.000Z" };
const entries = inJournalOrder(book({ payouts, deposits }).entries);
const folder = mkdtempSync(join(tmpdir(), "paydrop-spreadsheets-"));
afterAll(() => rmSync(folder, { recursive: true }));

async function openedInOffice(name: string, ...filter: readonly string[]): Promise<exceljs.Workbook> {
  const profile = `-env:UserInstallation=file://${join(folder, "profile")}`;
  const to = [...filter, "--convert-to", "xlsx", "--outdir", join(folder, "opened")];
  await promisify(execFile)("soffice", [profile, "--headless", ...to, join(folder, name)]);
  const workbook = new exceljs.Workbook();
  await workbook.xlsx.readFile(join(folder, "opened", name.replace(/\.[^.]+$/, ".xlsx")));
  return workbook;
}

async function workbooksOf(of: readonly JournalEntry[], more = ""): Promise<Buffer[]> {
  const rendering = ledgerWorkbook(configured(`preset: xlsx${more}`), batch, format);
  const pieces = [...rendering.begin(), ...rendering.add(of), ...(rendering.end?.() ?? [])];
  return Promise.all(pieces.map(async ({ content }) => Buffer.from(await content)));
}

test("the workbook's sums are formulas, whose results are those that LibreOffice computes", async () => {
  // A code that a condition of SUMIFS would take for a pattern of the others.
  const coded = ({ account, ...line }: JournalEntry["lines"][number]) => ({
    ...line,
    account: account.code === "6200" ? { ...account, code: "6*" } : account,
  });
  const [bytes = Buffer.alloc(0)] = await workbooksOf(
    entries.map((entry) => ({ ...entry, lines: entry.lines.map(coded) })),
  );
  const workbook = new exceljs.Workbook();
  await workbook.xlsx.load(bytes as never);
  const stated = formulasOf(workbook);
  for (const sheet of workbook.worksheets)
    sheet.eachRow((row) =>
      row.eachCell((cell) => {
        if (cell.type === exceljs.ValueType.Formula)
          cell.value = { formula: cell.formula } as exceljs.CellFormulaValue;
      }),
    );
  await workbook.xlsx.writeFile(join(folder, "bare.xlsx"));
  const computed = formulasOf(await openedInOffice("bare.xlsx"));
  expect(stated.size).toBeGreaterThan(20);
  expect(computed).toEqual(stated);
  expect([...stated.values()]).toContain(5686.42);
  expect([...stated.values()]).toContain(-3870.92);
}, 60_000);

test("a long journal becomes several workbooks, and no entry is in two", async () => {
  const files = await workbooksOf(entries, ", linesMax: 6");
  const documents = await Promise.all(
    files.map(async (bytes) => {
      const workbook = new exceljs.Workbook();
      await workbook.xlsx.load(bytes as never);
      const cells = workbook.getWorksheet("Journal")?.getColumn(1).values.slice(2) ?? [];
      return [...new Set(cells.map(String).filter((cell) => cell !== "Total"))];
    }),
  );
  expect(files.length).toBeGreaterThan(2);
  expect(documents.flat()).toHaveLength(entries.length);
  expect(new Set(documents.flat()).size).toBe(entries.length);
});

test("the table opens with every digit of a code, a hash and a reference", async () => {
  const [first] = entries as [JournalEntry];
  const odd: JournalEntry = {
    ...first,
    reference: "1E5",
    txHash: `0${"9".repeat(63)}`,
    sourceId: "12345678901234567890",
    lines: first.lines.map((line) => ({
      ...line,
      account: { ...line.account, code: "0420" },
      project: "3-4",
      distribution: "MAR1",
    })),
  };
  const [bytes = Buffer.alloc(0)] = ledgerFiles([odd], configured("preset: csv"), "000042", format);
  writeFileSync(join(folder, "table.csv"), bytes);
  const sheet = (await openedInOffice("table.csv", "--infilter=CSV:44,34,76,1")).worksheets[0];
  const titles = ((sheet?.getRow(1).values ?? []) as string[]).slice(1).map(String);
  const shown = (title: string) => {
    const value = sheet?.getRow(2).getCell(titles.indexOf(title) + 1).value;
    return typeof value === "object" && value !== null && "result" in value ? value.result : value;
  };
  expect(titles[0]).toBe("Document");
  expect(shown("Document")).toBe("000042-0001");
  expect(shown("Account")).toBe("0420");
  expect(shown("Reference")).toBe("1E5");
  expect(shown("Project")).toBe("3-4");
  expect(shown("Distribution")).toBe("MAR1");
  expect(shown("Source")).toBe("12345678901234567890");
  expect(shown("Transaction")).toBe(odd.txHash);
  expect(shown("Debit")).toBe(4061.73);
}, 60_000);

function formulasOf(workbook: exceljs.Workbook): Map<string, unknown> {
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
