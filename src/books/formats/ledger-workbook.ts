/**
 * The journal as a workbook for accountants. Amounts are numbers, and sums are formulas with their results, so that
 * a reader can follow each one. A long batch becomes several workbooks; each entry is in only one.
 */
import type ExcelJS from "exceljs";
import { Fault, isProblem } from "../../faults/index.ts";
import { columnLetters, type LedgerField, type LedgerTable } from "../../model/index.ts";
import { asDouble, isExactInWorkbook } from "../../model/workbook-amount.ts";
import { type JournalFormat, quantityText } from "../../writing/cell-text.ts";
import { BOLD } from "../../writing/workbook.ts";
import { checkBalance } from "../rules/journal-entries.ts";
import { LedgerSums, type TrialBalance } from "../rules/trial-balance.ts";
import { entryWriter, linesFor } from "./ledger-rows.ts";
import { fileName, type TableBatch } from "./ledger-table.ts";
import type { Piece, Rendering } from "./rendering.ts";

/** A workbook is built in memory, so its lines are limited. */
const LINES_MAX = 20_000;

/** Throws as `ledgerTable`. */
export function ledgerWorkbook(
  table: LedgerTable,
  { exportNumber, issuedAt }: TableBatch,
  format: JournalFormat,
): Rendering {
  const rowsOf = entryWriter(table, format);
  const linesMax = table.linesMax ?? LINES_MAX;
  let entriesSoFar = 0;
  let files = 0;
  let rows: string[][] = [];
  let sums = new LedgerSums(format.functionalCurrency);
  const finish = (): Piece => {
    files += 1;
    const content = workbookOf(table, rows, sums.trialBalance(), issuedAt, format);
    rows = [];
    sums = new LedgerSums(format.functionalCurrency);
    return { name: fileName(table, files), content };
  };
  return {
    begin: () => [],
    add: (entries) => {
      const pieces: Piece[] = [];
      for (const entry of entries) {
        checkBalance(entry);
        entriesSoFar += 1;
        const shown = linesFor(table, entry);
        if (rows.length > 0 && rows.length + shown.length > linesMax) pieces.push(finish());
        const written = rowsOf(entry, { exportNumber, position: entriesSoFar }, rows.length);
        if (isProblem(written)) throw new Fault(written);
        rows.push(...written);
        sums.addLines(shown);
      }
      return pieces;
    },
    end: () => (rows.length > 0 ? [finish()] : []),
  };
}

const FROZEN: Partial<ExcelJS.WorksheetView>[] = [{ state: "frozen", ySplit: 1 }];

async function workbookOf(
  table: LedgerTable,
  rows: readonly (readonly string[])[],
  balance: TrialBalance,
  issuedAt: string,
  format: JournalFormat,
): Promise<Buffer> {
  // exceljs takes longer to load than most commands run, and takes a fifth of their memory.
  const { default: exceljs } = await import("exceljs");
  const workbook = new exceljs.Workbook();
  workbook.created = workbook.modified = new Date(issuedAt);
  addJournal(workbook.addWorksheet("Journal", { views: FROZEN }), table, rows, balance);
  addAccounts(workbook.addWorksheet("Accounts", { views: FROZEN }), table, rows.length, balance, format);
  return Buffer.from(await workbook.xlsx.writeBuffer());
}

/** The template of a column that holds only a figure. */
const FIGURE = /^\{(?:debit|credit|amount|unsigned|quantity)\}$/;

function addJournal(
  sheet: ExcelJS.Worksheet,
  table: LedgerTable,
  rows: readonly (readonly string[])[],
  balance: TrialBalance,
): void {
  const { columns } = table;
  addHead(
    sheet,
    columns.map(({ header }) => header),
  );
  const isFigure = columns.map(({ value }) => FIGURE.test(value));
  for (const cells of rows) {
    const row = sheet.addRow([]);
    for (const [index, text] of cells.entries())
      if (text !== "") setCell(row.getCell(index + 1), text, isFigure[index] === true);
  }
  const total = sheet.addRow(["Total"]);
  total.font = BOLD;
  for (const [field, sum] of [
    ["debit", balance.debit],
    ["credit", balance.credit],
  ] as const) {
    const at = columnOf(table, field);
    if (at < 0) continue;
    const letters = columnLetters(at);
    setSum(total.getCell(at + 1), `SUM(${letters}2:${letters}${rows.length + 1})`, sum.toString());
  }
}

/** The index of the column with only this field, or -1. */
function columnOf({ columns }: LedgerTable, field: LedgerField): number {
  return columns.findIndex(({ value }) => value === `{${field}}`);
}

/** Each account with its sums over the journal sheet, and a total of zero. */
function addAccounts(
  sheet: ExcelJS.Worksheet,
  table: LedgerTable,
  lines: number,
  balance: TrialBalance,
  { scales }: JournalFormat,
): void {
  const code = columnOf(table, "accountCode");
  const [debit, credit] = [columnOf(table, "debit"), columnOf(table, "credit")];
  if (Math.min(code, debit, credit) < 0) return;
  addHead(sheet, ["Account", "Name", "Debit", "Credit", "Balance", "Quantities"]);
  const range = (at: number) => `Journal!$${columnLetters(at)}$2:$${columnLetters(at)}$${lines + 1}`;
  // SUMIFS would take the code 0420 for 420, and 64* for a pattern.
  const sumOf = (side: number, line: number) => `SUMPRODUCT(--EXACT(${range(code)},A${line}),${range(side)})`;
  for (const [index, row] of balance.rows.entries()) {
    const line = index + 2;
    const added = sheet.addRow([]);
    setCell(added.getCell(1), row.code, false);
    setCell(added.getCell(2), row.name, false);
    setSum(added.getCell(3), sumOf(debit, line), row.debit.toString());
    setSum(added.getCell(4), sumOf(credit, line), row.credit.toString());
    setSum(added.getCell(5), `C${line}-D${line}`, row.balance.toString());
    const quantities = row.quantities.map((amount) => `${quantityText(amount, scales)} ${amount.currency}`);
    setCell(added.getCell(6), quantities.join(", "), false);
  }
  const last = balance.rows.length + 1;
  const total = sheet.addRow(["Total"]);
  total.font = BOLD;
  const zero = balance.debit.minus(balance.credit).toString();
  const sums = [balance.debit.toString(), balance.credit.toString(), zero];
  for (const [index, sum] of sums.entries()) {
    const letters = columnLetters(index + 2);
    setSum(total.getCell(index + 3), `SUM(${letters}2:${letters}${last})`, sum);
  }
}

function addHead(sheet: ExcelJS.Worksheet, titles: readonly string[]): void {
  sheet.addRow([...titles]).font = BOLD;
  for (const [index, title] of titles.entries())
    sheet.getColumn(index + 1).width = Math.max(12, Math.min(title.length + 4, 40));
}

/**
 * A figure becomes a number if the workbook shows all its digits. Everything else becomes a text, which no program
 * converts.
 */
function setCell(cell: ExcelJS.Cell, text: string, isFigure: boolean): void {
  const isNumber = isFigure && isExactInWorkbook(text);
  cell.value = isNumber ? asDouble(text) : text.toWellFormed();
  cell.numFmt = isNumber ? formatFor(text) : "@";
}

function setSum(cell: ExcelJS.Cell, formula: string, sum: string): void {
  cell.numFmt = formatFor(sum);
  if (!isExactInWorkbook(sum)) cell.value = sum;
  else cell.value = { formula: `ROUND(${formula},${decimalsOf(sum)})`, result: asDouble(sum) };
}

function decimalsOf(text: string): number {
  return text.split(".")[1]?.length ?? 0;
}

function formatFor(text: string): string {
  const decimals = decimalsOf(text);
  return decimals === 0 ? "#,##0" : `#,##0.${"0".repeat(decimals)}`;
}
