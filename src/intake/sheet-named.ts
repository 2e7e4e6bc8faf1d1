/** Finds the sheet that a person names. */
import { fault } from "../faults/index.ts";

/** Spreadsheet programs do not tell sheet names apart by case. Fault: SHEET_NOT_FOUND with those that there are. */
export function sheetNamed<Sheet extends { readonly name: string }>(
  name: string,
  sheets: readonly Sheet[],
  file: string,
): Sheet {
  const sheet = sheets.find((candidate) => candidate.name.toLowerCase() === name.toLowerCase());
  if (sheet !== undefined) return sheet;
  const names = sheets.map((candidate) => candidate.name).join(", ");
  throw fault("SHEET_NOT_FOUND", { sheet: name, sheets: names || "none with a name" }, { file });
}
