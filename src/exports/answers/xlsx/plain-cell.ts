/**
 * Writes one cell of a sender's file into a workbook, keeping its kind and digits. A formula becomes its saved value.
 */
import type ExcelJS from "exceljs";
import type { Cell } from "../../../model/index.ts";
import { Decimal } from "../../../money/index.ts";
import { asLongAsCell } from "./xml-text.ts";

const ERRORS = ["#N/A", "#REF!", "#NAME?", "#DIV/0!", "#NULL!", "#VALUE!", "#NUM!"] as const;

export function writeCell(target: ExcelJS.Cell, cell: Cell): void {
  switch (cell.kind) {
    case "empty":
      return;
    case "text":
      writeText(target, cell.text);
      return;
    case "number":
      writeNumber(target, cell.text);
      return;
    case "date":
      writeDate(target, cell.text);
      return;
    case "boolean":
      target.value = cell.text === "true";
      return;
    case "error": {
      const error = ERRORS.find((known) => known === cell.text);
      if (error === undefined) writeText(target, cell.text);
      // exceljs types errors as an enum of the same texts.
      else target.value = { error: error as ExcelJS.ErrorValue };
      return;
    }
    case "formula":
      writeCell(target, cell.value);
  }
}

/**
 * A text as a cell value. Rich text is used if XML would change the characters: carriage returns, leading or trailing
 * spaces, and a literal `_x0041_`, which OOXML reads as an escape (ECMA-376 part 1, 22.9.2.19 ST_Xstring).
 */
export function textValue(text: string): string | ExcelJS.CellRichTextValue {
  const shortened = asLongAsCell(text);
  if (!/[\r\n\t]|^\s|\s$|_x[0-9a-f]{4}_/i.test(shortened)) return shortened;
  const escaped = shortened.replace(/_(?=x[0-9a-f]{4}_)/gi, "_x005F_").replaceAll("\r", "_x000D_");
  return { richText: [{ text: escaped }] };
}

/** With the text format `@`, digits typed into the cell later do not become a number. */
function writeText(target: ExcelJS.Cell, text: string): void {
  if (text === "") return;
  target.value = textValue(text);
  target.numFmt = "@";
}

/** Stays a number if a binary double writes the same digits, shortest or with all 17; otherwise becomes text. */
function writeNumber(target: ExcelJS.Cell, text: string): void {
  const exact = Decimal.parse(text);
  const double = Number(text);
  const forms = [String(double), double.toExponential(16)];
  const isDouble = forms.some((form) => exact !== undefined && Decimal.parse(form)?.equals(exact) === true);
  if (isDouble) target.value = double;
  else writeText(target, text);
}

/** For earlier dates the date systems of spreadsheet programs disagree. */
const FIRST_DATE = "1900-03-01";

function writeDate(target: ExcelJS.Cell, text: string): void {
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text);
  const date = new Date(isDay ? `${text}T00:00:00Z` : `${text}Z`);
  if (Number.isNaN(date.getTime()) || text < FIRST_DATE) {
    writeText(target, text);
    return;
  }
  target.value = date;
  target.numFmt = isDay ? "yyyy-mm-dd" : "yyyy-mm-dd hh:mm:ss";
}
