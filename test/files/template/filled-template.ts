/** Fills in a template as a person would: over its example row, or below it, with columns added at the right. */
import { readFile, writeFile } from "node:fs/promises";
import { parse } from "csv-parse/sync";
import { stringify } from "csv-stringify/sync";
import ExcelJS from "exceljs";

/** `cells` by the template's heading, or by the name of a column that is added; `line` 2 is the example's. */
export async function fillTemplate(
  path: string,
  cells: Readonly<Record<string, string>>,
  line = 2,
): Promise<void> {
  if (path.endsWith(".xlsx")) await fillWorkbook(path, cells, line);
  else await fillCsv(path, cells, line);
}

async function fillWorkbook(path: string, cells: Readonly<Record<string, string>>, line: number) {
  const workbook = new ExcelJS.Workbook();
  await workbook.xlsx.readFile(path);
  const sheet = workbook.getWorksheet("Payouts");
  if (sheet === undefined) throw new Error("the template has no sheet Payouts");
  const header = sheet.getRow(1);
  const names: string[] = [];
  header.eachCell((cell) => names.push(cell.text));
  for (const [name, text] of Object.entries(cells)) {
    if (!names.includes(name)) header.getCell(names.push(name)).value = name;
    sheet.getRow(line).getCell(names.indexOf(name) + 1).value = text === "" ? null : text;
  }
  await workbook.xlsx.writeFile(path);
}

async function fillCsv(path: string, cells: Readonly<Record<string, string>>, line: number) {
  const lines: string[][] = parse(await readFile(path), { bom: true });
  const [header = []] = lines;
  const texts = lines[line - 1] ?? [];
  for (const [name, text] of Object.entries(cells)) {
    if (!header.includes(name)) header.push(name);
    texts[header.indexOf(name)] = text;
  }
  lines[line - 1] = texts;
  await writeFile(path, stringify(lines.map((each) => header.map((_, at) => each[at] ?? ""))));
}
