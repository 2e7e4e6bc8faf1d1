/** Reads workbooks back, and has another program compute their formulas. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import exceljs from "exceljs";

export async function openedWorkbook(bytes: Buffer): Promise<exceljs.Workbook> {
  const workbook = new exceljs.Workbook();
  await workbook.xlsx.load(
    bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer,
  );
  return workbook;
}

/** The results of the formulas, by sheet and cell. */
export function formulaResults(workbook: exceljs.Workbook): Map<string, unknown> {
  const found = new Map<string, unknown>();
  for (const sheet of workbook.worksheets)
    sheet.eachRow((row) =>
      row.eachCell((cell) => {
        if (cell.type !== exceljs.ValueType.Formula) return;
        const { result = 0 } = cell;
        // A difference of zero may come out as -0.
        found.set(`${sheet.name}!${cell.address}`, result === 0 ? 0 : result);
      }),
    );
  return found;
}

/**
 * The results of each workbook's formulas as LibreOffice computes them; the files have no results for it to use.
 * `folder`: for its files.
 */
export async function recalculated(
  workbooks: readonly exceljs.Workbook[],
  folder: string,
): Promise<Map<string, unknown>[]> {
  const names = workbooks.map((_, index) => `bare-${index}.xlsx`);
  for (const [index, workbook] of workbooks.entries()) {
    for (const sheet of workbook.worksheets)
      sheet.eachRow((row) =>
        row.eachCell((cell) => {
          if (cell.type === exceljs.ValueType.Formula)
            cell.value = { formula: cell.formula } as exceljs.CellFormulaValue;
        }),
      );
    await workbook.xlsx.writeFile(join(folder, names[index] ?? ""));
  }
  await openedInOffice(folder, names, "computed");
  return Promise.all(
    names.map(async (name) => {
      const computed = new exceljs.Workbook();
      await computed.xlsx.readFile(join(folder, "computed", name));
      return formulaResults(computed);
    }),
  );
}

/** Has LibreOffice open these files of the folder, and keep each as a workbook in the folder `into` below it. */
export async function openedInOffice(
  folder: string,
  names: readonly string[],
  into: string,
  ...filter: readonly string[]
): Promise<void> {
  const profile = `-env:UserInstallation=file://${join(folder, "profile")}`;
  const to = [...filter, "--convert-to", "xlsx", "--outdir", join(folder, into)];
  const files = names.map((name) => join(folder, name));
  await promisify(execFile)("soffice", [profile, "--headless", ...to, ...files]);
}
