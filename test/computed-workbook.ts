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

/** The workbook as LibreOffice computes it; the file has no results for it to use. `folder`: for its files. */
export async function recalculated(
  workbook: exceljs.Workbook,
  folder: string,
): Promise<Map<string, unknown>> {
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
  return formulaResults(computed);
}
