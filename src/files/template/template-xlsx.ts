/**
 * A template as a workbook: a sheet to fill in with drop-downs, one that explains all columns, and one with the
 * choices.
 */
import type ExcelJS from "exceljs";
import { columnLetters } from "../../model/index.ts";
import { choicesText, type TemplateColumn } from "./template.ts";

declare module "exceljs" {
  /**
   * Missing from exceljs's types: one validation for a range; one per cell would make the file as long as the
   * range.
   */
  interface Worksheet {
    readonly dataValidations: { add(range: string, validation: ExcelJS.DataValidation): void };
  }
}

/** Rows with drop-downs. Fewer than a sheet can have, because some programs expand them to one per cell. */
const ROWS_WITH_CHOICES = 5000;

const CHOICES_SHEET = "Choices";

/** Writes no comments, because an approver must accept whatever a file says outside its cells. */
export async function writeTemplateXlsx(path: string, columns: readonly TemplateColumn[]): Promise<void> {
  // exceljs takes longer to load than most commands run, and a fifth of their memory.
  const { default: exceljs } = await import("exceljs");
  const workbook = new exceljs.Workbook();
  const payouts = workbook.addWorksheet("Payouts", { views: [{ state: "frozen", ySplit: 1, xSplit: 1 }] });
  addExplanations(workbook.addWorksheet("Columns", { pageSetup: ON_ONE_PAGE }), columns);
  const asked = columns.filter(({ isAsked }) => isAsked);
  const choiceRanges = addChoices(workbook.addWorksheet(CHOICES_SHEET), asked);
  for (const [index, column] of asked.entries()) {
    addColumn(payouts, index + 1, column);
    const choices = choiceRanges.get(column);
    const letters = columnLetters(index);
    if (choices === undefined) continue;
    payouts.dataValidations.add(
      `${letters}2:${letters}${ROWS_WITH_CHOICES + 1}`,
      validationOf(column, choices),
    );
  }
  await workbook.xlsx.writeFile(path);
}

/** Cells are texts, so that no digit of what is typed is lost. */
const TEXT_FORMAT = "@";
const NEEDED: ExcelJS.Fill = { type: "pattern", pattern: "solid", fgColor: { argb: "FFF4B183" } };
const OPTIONAL: ExcelJS.Fill = { type: "pattern", pattern: "solid", fgColor: { argb: "FFDDE8F0" } };

/** The font that exceljs writes in all other cells; without a name, programs choose any. */
const HEADING = { name: "Calibri", size: 11, bold: true };

const ON_ONE_PAGE: Partial<ExcelJS.PageSetup> = { orientation: "landscape", fitToPage: true };

/** In characters: an address of 62 is shown whole. */
const WIDTHS: ReadonlyMap<string, number> = new Map([
  ["reference", 36],
  ["address", 64],
  ["amount", 20],
]);

function addColumn(sheet: ExcelJS.Worksheet, position: number, column: TemplateColumn): void {
  const { heading, needed, exampleCell } = column;
  const whole = sheet.getColumn(position);
  whole.width = WIDTHS.get(heading) ?? Math.max(heading.length + 4, 24);
  whole.numFmt = TEXT_FORMAT;
  const header = sheet.getCell(1, position);
  header.value = heading;
  header.font = HEADING;
  header.fill = needed === undefined ? OPTIONAL : NEEDED;
  if (exampleCell !== "") sheet.getCell(2, position).value = exampleCell;
}

function validationOf({ heading, takesOthers }: TemplateColumn, choices: string): ExcelJS.DataValidation {
  return {
    allowBlank: true,
    showErrorMessage: true,
    errorTitle: heading,
    type: "list",
    formulae: [choices],
    errorStyle: takesOthers ? "warning" : "stop",
    error: takesOthers
      ? "The configuration does not know this value. Keep it?"
      : "Choose a value from the list.",
  };
}

function addExplanations(sheet: ExcelJS.Worksheet, columns: readonly TemplateColumn[]): void {
  for (const [index, width] of [28, 38, 84, 46, 44].entries()) sheet.getColumn(index + 1).width = width;
  const how =
    "Fill in the sheet Payouts, over its example row. Any column below may be added to it by its name.";
  sheet.addRow([how]).font = HEADING;
  sheet.addRow([]);
  sheet.addRow(["Column", "Needed", "What it holds", "Written like", "Values"]).font = HEADING;
  for (const column of columns) {
    const { heading, needed = "", description, choices, example } = column;
    const row = sheet.addRow([heading, needed, description, choices[0] ?? example, choicesText(column)]);
    if (column.isAsked) row.getCell(1).fill = needed === "" ? OPTIONAL : NEEDED;
  }
}

/**
 * Lists the choices below each other, one value a row beside its column's name, so that no row looks like the
 * header of a payout file. Returns each list's range as a formula.
 */
function addChoices(
  sheet: ExcelJS.Worksheet,
  columns: readonly TemplateColumn[],
): ReadonlyMap<TemplateColumn, string> {
  const ranges = new Map<TemplateColumn, string>();
  sheet.getColumn(1).width = 28;
  sheet.getColumn(2).width = 40;
  sheet.getColumn(2).numFmt = TEXT_FORMAT;
  sheet.addRow(["Column", "May be"]).font = HEADING;
  for (const column of columns.filter(({ choices }) => choices.length > 0)) {
    const first = sheet.rowCount + 1;
    for (const choice of column.choices) sheet.addRow([column.heading, choice]);
    ranges.set(column, `${CHOICES_SHEET}!$B$${first}:$B$${sheet.rowCount}`);
  }
  return ranges;
}
