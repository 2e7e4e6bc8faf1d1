/** The sheet that an answer adds for what concerns the whole file: labels and values. */
import type { SummaryLine } from "../answer-line.ts";
import { textElement } from "./xml-text.ts";

/** Carries our name, so that the next answer finds and replaces it. */
export const SUMMARY_SHEET = "Paydrop summary";

export function summarySheet(summary: readonly SummaryLine[], namespace: string, textStyle: number): string {
  const rows = summary.map((line, index) => {
    const cells = line.map((text, column) =>
      inlineCell("", `${"AB".charAt(column)}${index + 1}`, textStyle, text),
    );
    return `<row r="${index + 1}">${cells.join("")}</row>`;
  });
  const columns = `<cols><col min="1" max="1" width="66" customWidth="1"/><col min="2" max="2" width="68" customWidth="1"/></cols>`;
  return `<worksheet xmlns="${namespace}">${columns}<sheetData>${rows.join("")}</sheetData></worksheet>`;
}

/**
 * A text cell, typed as such so that no spreadsheet program takes it for a formula. `prefix`: of the sheet's elements.
 */
export function inlineCell(prefix: string, reference: string, style: number, text: string): string {
  if (text === "") return "";
  const content = `<${prefix}is>${textElement(prefix, text)}</${prefix}is>`;
  return `<${prefix}c r="${reference}" s="${style}" t="inlineStr">${content}</${prefix}c>`;
}
