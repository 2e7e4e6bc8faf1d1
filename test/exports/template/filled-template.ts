/** Fills in a template as a person would: over its example row, and beside the labels of its control totals. */
import { readFile, writeFile } from "node:fs/promises";
import { parse } from "csv-parse/sync";
import { stringify } from "csv-stringify/sync";
import ExcelJS from "exceljs";

type Texts = Readonly<Record<string, string>>;

/** `cells` by column name, `totals` by label. */
export async function fillTemplate(path: string, cells: Texts, totals: Texts = {}): Promise<void> {
  if (path.endsWith(".xlsx")) await fillWorkbook(path, cells, totals);
  else await fillCsv(path, cells, totals);
}

async function fillWorkbook(path: string, cells: Texts, totals: Texts): Promise<void> {
  const workbook = new ExcelJS.Workbook();
  await workbook.xlsx.readFile(path);
  const sheet = workbook.getWorksheet("Payouts");
  if (sheet === undefined) throw new Error("the template has no sheet Payouts");
  const labels = sheet.getColumn(1).values;
  const headerRow = labels.indexOf("reference");
  const names = sheet.getRow(headerRow).values;
  if (!Array.isArray(names)) throw new Error("the header is empty");
  for (const [name, text] of Object.entries(cells))
    sheet.getRow(headerRow + 1).getCell(names.indexOf(name)).value = text === "" ? null : text;
  for (const [label, figure] of Object.entries(totals))
    sheet.getRow(labels.indexOf(label)).getCell(2).value = figure;
  await workbook.xlsx.writeFile(path);
}

async function fillCsv(path: string, cells: Texts, totals: Texts): Promise<void> {
  const lines: string[][] = parse(await readFile(path), {
    bom: true,
    relax_column_count: true,
    skip_empty_lines: false,
  });
  const headerIndex = lines.findIndex(([first]) => first === "reference");
  const [header = [], example = []] = lines.slice(headerIndex);
  for (const [name, text] of Object.entries(cells)) example[header.indexOf(name)] = text;
  for (const [label, figure] of Object.entries(totals)) {
    const line = lines.find(([first]) => first === label);
    if (line !== undefined) line[1] = figure;
  }
  await writeFile(path, stringify(lines));
}
