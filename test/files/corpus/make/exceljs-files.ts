/** Files by exceljs's whole-workbook writer and its streaming writer; LibreOffice and Gnumeric convert the first. */
import { mkdir } from "node:fs/promises";
import ExcelJS from "exceljs";

export async function writeExceljsFiles(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const book = new ExcelJS.Workbook();
  fill(book);
  await book.xlsx.writeFile(`${folder}/every-kind.xlsx`);
  const stream = new ExcelJS.stream.xlsx.WorkbookWriter({
    filename: `${folder}/every-kind-streamed.xlsx`,
    useSharedStrings: false,
    useStyles: true,
  });
  fill(stream);
  await stream.commit();
}

const DAY = new Date(Date.UTC(2026, 10, 30));
const INSTANT = new Date(Date.UTC(2026, 11, 1, 12, 30));

/** A title, then a table with every kind of cell, on the second of two sheets. */
function fill(book: ExcelJS.Workbook | ExcelJS.stream.xlsx.WorkbookWriter): void {
  const notes = book.addWorksheet("Notes");
  notes.addRow(["nothing to pay here"]).commit();
  notes.commit?.();
  const sheet = book.addWorksheet("Payouts");
  sheet.addRow(["Payroll of November"]).commit();
  sheet.addRow([]).commit();
  const rows: readonly (readonly ExcelJS.CellValue[])[] = [
    ["reference", "amount", "payOn", "urgent", "payee", "formula"],
    ["R1", 0.1, DAY, true, "Jürgen Müller", { formula: "B4*2", result: 0.2 }],
    [
      "R2",
      1e-8,
      INSTANT,
      false,
      { richText: [{ text: "Zoë " }, { text: "“Z”", font: { bold: true } }] },
      { formula: 'A5&"-x"', result: "R2-x" },
    ],
    [
      "R3",
      0.1 + 0.2,
      null,
      null,
      { text: "payee site", hyperlink: "https://payee.example.com" },
      { formula: "1/0", result: { error: "#DIV/0!" } },
    ],
    ["R4", "0.00000001", null, null, "<&> 東京", { formula: 'IF(1=2,1,"")', result: "" }],
  ];
  for (const values of rows) {
    const row = sheet.addRow([...values]);
    for (const cell of [row.getCell(3)]) if (cell.value instanceof Date) cell.numFmt = "yyyy-mm-dd hh:mm";
    row.commit();
  }
  sheet.commit?.();
}
