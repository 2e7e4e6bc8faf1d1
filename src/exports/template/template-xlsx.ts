/** A template as a workbook: exact formats, drop-downs, notes, and sheets that list all meanings and choices. */
import type ExcelJS from "exceljs";
import { columnLetters } from "../../model/index.ts";
import { noteOf, type Template, type TemplateColumn } from "./template.ts";

declare module "exceljs" {
  /**
   * Missing from exceljs's types: one validation for a range; one per cell would make the file as long as the range.
   */
  interface Worksheet {
    readonly dataValidations: { add(range: string, validation: ExcelJS.DataValidation): void };
  }
}

/** Rows with drop-downs. Fewer than a sheet can have, because some programs expand them to one per cell. */
const ROWS_WITH_CHOICES = 5000;

const CHOICES_SHEET = "Choices";

export async function writeTemplateXlsx(path: string, { totalLabels, columns }: Template): Promise<void> {
  // exceljs takes longer to load than most commands run, and a fifth of their memory.
  const { default: exceljs } = await import("exceljs");
  const workbook = new exceljs.Workbook();
  // A blank row separates the totals.
  const headerRow = totalLabels.length + 2;
  const payouts = workbook.addWorksheet("Payouts", {
    views: [{ state: "frozen", ySplit: headerRow, xSplit: 1 }],
    properties: { defaultColWidth: OTHERS_WIDTH },
  });
  addExplanations(workbook.addWorksheet("Columns", { pageSetup: ON_ONE_PAGE }), columns);
  const choiceRanges = addChoices(workbook.addWorksheet(CHOICES_SHEET), columns);
  for (const [index, column] of columns.entries()) {
    addColumn(payouts, headerRow, index, column);
    const validation = validationOf(column, choiceRanges.get(column));
    const letters = columnLetters(index);
    if (validation === undefined) continue;
    payouts.dataValidations.add(
      `${letters}${headerRow + 1}:${letters}${headerRow + ROWS_WITH_CHOICES}`,
      validation,
    );
  }
  for (const [index, label] of totalLabels.entries()) addTotal(payouts, index + 1, label);
  await workbook.xlsx.writeFile(path);
}

const FORMATS = { text: "@", "whole number": "0", day: "yyyy-mm-dd" } as const;

const NEEDED: ExcelJS.Fill = { type: "pattern", pattern: "solid", fgColor: { argb: "FFF4B183" } };
const OPTIONAL: ExcelJS.Fill = { type: "pattern", pattern: "solid", fgColor: { argb: "FFDDE8F0" } };

/** The font that exceljs writes in all other cells; without a name, programs choose any. */
const HEADING = { name: "Calibri", size: 11, bold: true };

const ON_ONE_PAGE: Partial<ExcelJS.PageSetup> = { orientation: "landscape", fitToPage: true };

/** In characters: an address of 62 is shown whole, and a note is as wide as the two columns beside it. */
const WIDTHS: ReadonlyMap<string, number> = new Map([
  ["reference", 36],
  ["destinationAddress", 64],
  ["destinationAccountId", 38],
  ["accountId", 24],
  ["customerId", 24],
]);

/** For columns that people add. */
const OTHERS_WIDTH = 20;

function addColumn(sheet: ExcelJS.Worksheet, headerRow: number, index: number, column: TemplateColumn): void {
  const { name, needed, keptAs = "text", exampleCell } = column;
  const whole = sheet.getColumn(index + 1);
  whole.width = WIDTHS.get(name) ?? Math.max(name.length + 4, 14);
  whole.numFmt = FORMATS[keptAs];
  const header = sheet.getCell(headerRow, index + 1);
  header.value = name;
  header.font = HEADING;
  header.fill = needed === undefined ? OPTIONAL : NEEDED;
  header.note = { texts: [{ text: noteOf(column) }] };
  if (exampleCell !== "") sheet.getCell(headerRow + 1, index + 1).value = exampleCell;
}

/** The cell for the figure has the text format of the columns below it. */
function addTotal(sheet: ExcelJS.Worksheet, row: number, label: string): void {
  const labelCell = sheet.getCell(row, 1);
  labelCell.value = label;
  labelCell.font = HEADING;
  labelCell.note = { texts: [{ text: TOTALS_NOTE }] };
  sheet.getCell(row, 2).border = { bottom: { style: "thin" } };
}

const TOTALS_NOTE =
  "How many payments there are and what they come to, by your own books. Fill in all or none; the rows must agree.";

function validationOf(
  { name, keptAs, takesOthers }: TemplateColumn,
  choices: string | undefined,
): ExcelJS.DataValidation | undefined {
  const shared = { allowBlank: true, showErrorMessage: true, errorTitle: name };
  if (choices !== undefined) {
    return {
      ...shared,
      type: "list",
      formulae: [choices],
      errorStyle: takesOthers ? "warning" : "stop",
      error: takesOthers
        ? "The configuration does not know this value. Keep it?"
        : "Choose a value from the list.",
    };
  }
  if (keptAs !== "whole number") return undefined;
  const error = "A whole number, please.";
  return { ...shared, type: "whole", operator: "greaterThan", formulae: [0], errorStyle: "stop", error };
}

function addExplanations(sheet: ExcelJS.Worksheet, columns: readonly TemplateColumn[]): void {
  for (const [index, width] of [26, 38, 76, 48].entries()) sheet.getColumn(index + 1).width = width;
  sheet.addRow(["Column", "Needed", "What it holds", "Written like"]).font = HEADING;
  for (const { name, needed = "", description, choices, example } of columns)
    sheet.addRow([name, needed, description, choices[0] ?? example]);
}

/**
 * Lists the choices below each other, one value a row beside its column's name, so that no row can be mistaken for the
 * header of a payout file. Returns each list's range as a formula.
 */
function addChoices(
  sheet: ExcelJS.Worksheet,
  columns: readonly TemplateColumn[],
): ReadonlyMap<TemplateColumn, string> {
  const ranges = new Map<TemplateColumn, string>();
  sheet.getColumn(1).width = 28;
  sheet.getColumn(2).width = 40;
  sheet.getColumn(2).numFmt = FORMATS.text;
  sheet.addRow(["Column", "May be"]).font = HEADING;
  for (const column of columns.filter(({ choices }) => choices.length > 0)) {
    const first = sheet.rowCount + 1;
    for (const choice of column.choices) sheet.addRow([column.name, choice]);
    ranges.set(column, `${CHOICES_SHEET}!$B$${first}:$B$${sheet.rowCount}`);
  }
  return ranges;
}
