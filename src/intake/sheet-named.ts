/** Finds the sheet that a person names. */
import { fault } from "../faults/index.ts";
import { holdsPrivateKey } from "../model/private-key.ts";

/** Finds a sheet by name, case-insensitively. Fault: SHEET_NOT_FOUND, listing the existing ones. */
export function sheetNamed<Sheet extends { readonly name: string }>(
  name: string,
  sheets: readonly Sheet[],
  file: string,
): Sheet {
  const sheet = sheets.find((candidate) => candidate.name.toLowerCase() === name.toLowerCase());
  if (sheet !== undefined) return sheet;
  const names = sheets.map((candidate) => candidate.name).join(", ");
  const sheetText = holdsPrivateKey(name) ? "of this name" : name;
  throw fault("SHEET_NOT_FOUND", { sheet: sheetText, sheets: names || "none with a name" }, { file });
}
