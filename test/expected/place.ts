/** Files of expected receipts in a place of their own, and what is stored and answered of them. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ExcelJS from "exceljs";
import { type ExpectedFileReport, expectFileStep } from "../../src/expected/index.ts";
import type { Workplace } from "../../src/index.ts";
import type { ExpectationRow } from "../../src/model/index.ts";
import { listExpectations } from "../../src/store/expected.ts";

export interface Folder {
  readonly folder: string;
  readonly workplace: Workplace;
}

export const HEAD = "reference,customer,account,amount,currency,due day,rate until,create";

/** Rows under the usual column names, or whole lines. */
export function csv(...rows: readonly string[]): string {
  return `${[HEAD, ...rows].join("\r\n")}\r\n`;
}

/** A row: reference, customer, amount in BTC, due day. */
export function row(reference: string, customer: string, amount: string, due = "2026-12-01"): string {
  return `${reference},${customer},treasury-btc,${amount},BTC,${due},,`;
}

export async function expectText(
  { folder, workplace }: Folder,
  text: string,
  name = "receivables.csv",
): Promise<ExpectedFileReport> {
  const path = join(folder, name);
  writeFileSync(path, text);
  return expectFileStep(workplace, path, "alice");
}

export async function expectWorkbook(
  place: Folder,
  rows: readonly (readonly ExcelJS.CellValue[])[],
  name = "receivables.xlsx",
): Promise<ExpectedFileReport> {
  const workbook = new ExcelJS.Workbook();
  workbook.addWorksheet("Receivables").addRows(rows as unknown[][]);
  const path = join(place.folder, name);
  await workbook.xlsx.writeFile(path);
  return expectFileStep(place.workplace, path, "alice");
}

export function expectations({ workplace }: Pick<Folder, "workplace">): Promise<ExpectationRow[]> {
  return workplace.store.read(() => listExpectations());
}

export function drop({ folder }: Folder, text: string | Buffer, name = "receivables.csv"): string {
  const inbox = join(folder, "inbox", "expected");
  mkdirSync(inbox, { recursive: true });
  writeFileSync(join(inbox, name), text);
  return join(inbox, name);
}

export function answered({ folder }: Folder): string[] {
  const path = join(folder, "outbox", "expected");
  return existsSync(path) ? readdirSync(path).sort() : [];
}

export function answerText({ folder }: Folder, name: string): string {
  return readFileSync(join(folder, "outbox", "expected", name), "utf8");
}

/** The columns of ours in a CSV answer, by reference. */
export function answerRows(place: Folder, name: string): Map<string, Readonly<Record<string, string>>> {
  const [head = "", ...lines] = answerText(place, name).replace("\ufeff", "").trimEnd().split("\r\n");
  const names = head.split(",");
  return new Map(
    lines.map((line) => {
      const cells = line.split(",");
      const own = names.map((each, at) => [each.replace("paydrop: ", ""), cells[at] ?? ""] as const);
      return [cells[0] ?? "", Object.fromEntries(own)];
    }),
  );
}
