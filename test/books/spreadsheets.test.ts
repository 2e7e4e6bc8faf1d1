/**
 * The files for accountants, as LibreOffice reads them: a table that keeps every digit, and workbooks whose sums
 * LibreOffice computes; and a report as a browser shows it.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import exceljs from "exceljs";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { ledgerWorkbook } from "../../src/books/formats/ledger-workbook.ts";
import { booksReportBytes, booksReportStep, inJournalOrder } from "../../src/books/index.ts";
import type { JournalEntry } from "../../src/model/index.ts";
import { currencyScales } from "../../src/money/index.ts";
import { formulaResults, openedInOffice, openedWorkbook, recalculated } from "../computed-workbook.ts";
import { configured } from "../config/ledger-exports.ts";
import { chromiumOfWorker, expectFits, flaws } from "../desk/browser.ts";
import { booked, FORMULA } from "./booked-month.ts";
import { deposits, payouts } from "./golden-books.ts";
import { book, btc, funds, payout, rateIntoEur } from "./movements.ts";
import { ledgerFiles } from "./whole-files.ts";

const format = { functionalCurrency: "EUR", scales: currencyScales() };
const batch = { exportNumber: "000042", issuedAt: "2026-11-21T02:30:00.000Z" };
const entries = inJournalOrder(book({ payouts, deposits }).entries);
const folder = mkdtempSync(join(tmpdir(), "paydrop-spreadsheets-"));
afterAll(() => rmSync(folder, { recursive: true }));

async function workbooksOf(of: readonly JournalEntry[], more = ""): Promise<Buffer[]> {
  const rendering = ledgerWorkbook(configured(`preset: xlsx${more}`), batch, format);
  const pieces = [...rendering.begin(), ...rendering.add(of), ...(rendering.end?.() ?? [])];
  return Promise.all(pieces.map(async ({ content }) => Buffer.from(await content)));
}

test("the sums of workbooks are formulas, whose results are those that LibreOffice computes", async () => {
  // A code that a condition of SUMIFS would take for a pattern of the others.
  const coded = ({ account, ...line }: JournalEntry["lines"][number]) => ({
    ...line,
    account: account.code === "6200" ? { ...account, code: "6*" } : account,
  });
  const [ledger = Buffer.alloc(0)] = await workbooksOf(
    entries.map((entry) => ({ ...entry, lines: entry.lines.map(coded) })),
  );
  const workplace = await booked();
  const files = [ledger];
  for (const name of ["trial-balance", "general-ledger", "payees", "projects", "journal"] as const) {
    const report = await booksReportStep(workplace, { name, from: "2026-11-10" });
    files.push(await booksReportBytes(workplace, report, "xlsx"));
  }
  const stated = await Promise.all(files.map(async (bytes) => formulaResults(await openedWorkbook(bytes))));
  for (const each of stated) expect(each.size).toBeGreaterThan(1);
  expect(await recalculated(await Promise.all(files.map(openedWorkbook)), folder)).toEqual(stated);
  const sums = [...(stated[0]?.values() ?? [])];
  expect(sums.length).toBeGreaterThan(20);
  expect(sums).toEqual(expect.arrayContaining([5686.42, -3870.92]));
});

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

test.each(["", ", rows: pairs"])("a workbook of columns of one's own leaves dust out%s", async (rows) => {
  const moved = [funds({ amount: btc("0.00000001"), rate: rateIntoEur("80000") })];
  const dust = payout("0009", { requestedAmount: btc("0.00000001"), sentFunds: moved });
  const columns = ["accountCode", "debit", "credit"].map(
    (field) => `{ header: ${field}, value: "{${field}}" }`,
  );
  const more = `${rows}, columns: [${columns.join()}]`;
  const some = book({ payouts: [...payouts, dust], deposits }).entries;
  const rowsIn = async (of: readonly JournalEntry[]) => {
    const [bytes = Buffer.alloc(0)] = await workbooksOf(of, more);
    return (await openedWorkbook(bytes)).getWorksheet("Journal")?.rowCount;
  };
  expect(some).toHaveLength(entries.length + 1);
  expect(await rowsIn(some)).toBe(await rowsIn(entries));
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
  await openedInOffice(folder, ["table.csv"], "opened", "--infilter=CSV:44,34,76,1");
  const opened = await openedWorkbook(readFileSync(join(folder, "opened", "table.xlsx")));
  const sheet = opened.worksheets[0];
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
});

test("a report as a page needs no other file, fits, and prints", async () => {
  const workplace = await booked();
  const report = await booksReportStep(workplace, { name: "general-ledger" });
  const path = join(folder, "ledger.html");
  writeFileSync(path, await booksReportBytes(workplace, report, "html"));
  const context = await (await chromiumOfWorker()).newContext({ viewport: { width: 390, height: 900 } });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.goto(pathToFileURL(path).href);
  await expectFits(page);
  expect(await flaws(page)).toEqual([]);
  expect(asked).toEqual([pathToFileURL(path).href]);
  expect(await page.locator("script, link, img").count()).toBe(0);
  expect(await page.innerText("main")).toContain(FORMULA);
  const pdf = await page.pdf({ preferCSSPageSize: true });
  expect(pdf.toString("latin1").match(/\/Type\s*\/Page\b/g)?.length).toBeGreaterThan(0);
});
