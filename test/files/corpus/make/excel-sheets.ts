/** Workbooks with every kind of sheet, row and column, as Excel writes them. */
import { type ExcelPackage, excelFile, relation, SharedStrings, STYLE } from "./excel-package.ts";
import {
  formula,
  type MakeCell,
  nothing,
  number,
  payoutRows,
  payoutXml,
  row,
  shared,
  typedCells,
} from "./sheet-cells.ts";

export function excelSheetFiles(): Readonly<Record<string, Buffer>> {
  return {
    "header-below-title.xlsx": book((cells, strings) => ({
      rows: titleXml(strings) + payoutXml(cells, 5),
      after: '<mergeCells count="1"><mergeCell ref="A1:G1"/></mergeCells>',
    })),
    "trailing-empty-rows.xlsx": book((cells) => ({ rows: payoutXml(cells) + emptyRows(5, 40) })),
    "sparse-rows.xlsx": book((cells) => ({ rows: sparseXml(cells) })),
    "table-with-totals.xlsx": tableWithTotals(),
    "two-payout-sheets.xlsx": sheets(["Payouts", undefined], ["More payouts", undefined]),
    "two-payout-sheets-one-named.xlsx": sheets(["Payouts", undefined], ["More payouts", undefined]),
    "hidden-payout-sheet.xlsx": sheets(["Payouts", undefined], ["Old", "hidden"]),
    "very-hidden-payout-sheet.xlsx": sheets(["Payouts", undefined], ["Old", "veryHidden"]),
    "very-hidden-lists.xlsx": veryHiddenLists(),
    "hidden-row.xlsx": book((cells) => ({ rows: withRowAttributes(cells, 3, 'hidden="1"') })),
    "filtered-row.xlsx": book((cells) => ({
      rows: withRowAttributes(cells, 4, 'hidden="1"'),
      after:
        '<autoFilter ref="A1:G4"><filterColumn colId="0"><filters><filter val="PAY-1"/><filter val="PAY-2"/></filters></filterColumn></autoFilter>',
    })),
    "collapsed-group.xlsx": book((cells) => ({
      rows: withRowAttributes(cells, 2, 'hidden="1" outlineLevel="1"'),
    })),
    "hidden-column.xlsx": book((cells) => ({
      rows: payoutXml(cells),
      columns: '<cols><col min="5" max="5" width="0" hidden="1" customWidth="1"/></cols>',
    })),
    "columns-without-a-width.xlsx": book((cells) => ({
      rows: payoutXml(cells),
      columns:
        '<sheetFormatPr defaultColWidth="0" defaultRowHeight="15"/><cols><col min="1" max="6" width="18.7109375" customWidth="1"/></cols>',
    })),
    "empty-rows-hidden.xlsx": book((cells) => ({
      rows: payoutXml(cells),
      columns:
        '<sheetFormatPr defaultColWidth="0" defaultRowHeight="15" zeroHeight="1"/><cols><col min="1" max="7" width="18.7109375" customWidth="1"/><col min="8" max="16384" width="9.140625" hidden="1" customWidth="1"/></cols>',
    })),
    "row-of-no-height.xlsx": book((cells) => ({
      rows: withRowAttributes(cells, 3, 'ht="0" customHeight="1"'),
    })),
    "hidden-empty-columns.xlsx": book((cells) => ({
      rows: payoutXml(cells),
      columns:
        '<cols><col min="1" max="7" width="18.7109375" customWidth="1"/><col min="8" max="16384" width="9.140625" hidden="1"/></cols>',
    })),
    "merged-rows.xlsx": book((cells) => ({
      rows: payoutXml(cells),
      after: '<mergeCells count="1"><mergeCell ref="E2:E4"/></mergeCells>',
    })),
    "value-beside-the-table.xlsx": book((cells, strings) => ({ rows: withNote(cells, strings) })),
    "form-controls.xlsx": formControls(),
    "no-sheet-fits.xlsx": noSheetFits(),
    "empty-workbook.xlsx": excelFile({ sheets: [{ name: "Sheet1", rows: "" }] }),
  };
}

type Cells = ReturnType<typeof typedCells>;

/** A workbook with one sheet of payouts. */
function book(
  make: (
    cells: Cells,
    strings: SharedStrings,
  ) => { readonly rows: string; readonly columns?: string; readonly after?: string },
  more: Partial<ExcelPackage> = {},
): Buffer {
  const strings = new SharedStrings();
  return excelFile({
    sheets: [{ name: "Payouts", ...make(typedCells(strings), strings) }],
    strings,
    ...more,
  });
}

function titleXml(strings: SharedStrings): string {
  return [
    row(1, [shared(strings, "Payroll of November 2026")]),
    row(2, [shared(strings, "prepared by"), shared(strings, "Nina Quist")]),
    row(3, [shared(strings, "on"), number("46346", STYLE.date)]),
  ].join("");
}

function emptyRows(from: number, to: number): string {
  const blank: MakeCell = (reference) => `<c r="${reference}" s="${STYLE.bitcoin}"/>`;
  return Array.from({ length: to - from + 1 }, (_, index) => row(from + index, [blank, blank, blank])).join(
    "",
  );
}

/** Missing rows and cells between the payouts. */
function sparseXml(cells: Cells): string {
  const lines = payoutRows(cells);
  const at = [1, 3, 900, 1048576];
  return lines.map(([, made], index) => row(at[index] ?? 0, made)).join("");
}

function sheets(
  ...tabs: readonly (readonly [name: string, state: "hidden" | "veryHidden" | undefined])[]
): Buffer {
  const strings = new SharedStrings();
  const rows = payoutXml(typedCells(strings));
  return excelFile({
    sheets: tabs.map(([name, state]) => (state === undefined ? { name, rows } : { name, rows, state })),
    strings,
  });
}

function veryHiddenLists(): Buffer {
  const strings = new SharedStrings();
  const rows = payoutXml(typedCells(strings));
  const lists = row(1, [shared(strings, "treasury-btc")]) + row(2, [shared(strings, "savings-btc")]);
  const after =
    '<dataValidations count="1"><dataValidation type="list" allowBlank="1" sqref="E2:E100"><formula1>Lists!$A$1:$A$2</formula1></dataValidation></dataValidations>';
  return excelFile({
    sheets: [
      { name: "Lists", state: "veryHidden", rows: lists },
      { name: "Payouts", rows, after },
    ],
    strings,
  });
}

function withRowAttributes(cells: Cells, line: number, attributes: string): string {
  return payoutRows(cells)
    .map(([at, made]) => row(at, made, at === line ? attributes : ""))
    .join("");
}

function withNote(cells: Cells, strings: SharedStrings): string {
  return payoutRows(cells)
    .map(([at, made]) => row(at, at === 3 ? [...made, nothing, shared(strings, "ask Ana first")] : made))
    .join("");
}

/** The result of Insert > Table, with a row of totals at its end. */
function tableWithTotals(): Buffer {
  const strings = new SharedStrings();
  const cells = typedCells(strings);
  const totals = row(5, [
    shared(strings, "Total"),
    nothing,
    formula("SUBTOTAL(109,Payouts[Amount])", "0.35000546"),
  ]);
  const columns = [
    "Reference",
    "Currency",
    "Amount",
    "Destination address",
    "Custody account",
    "Payee",
    "Pay on",
  ];
  const table =
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n<table xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" id="1" name="Payouts" displayName="Payouts" ref="A1:G5" totalsRowCount="1"><autoFilter ref="A1:G4"/>' +
    `<tableColumns count="7">${columns.map((name, index) => `<tableColumn id="${index + 1}" name="${name}"/>`).join("")}</tableColumns></table>`;
  return excelFile({
    sheets: [
      {
        name: "Payouts",
        rows: payoutXml(cells) + totals,
        after: '<tableParts count="1"><tablePart r:id="rId1"/></tableParts>',
        relations: relation("rId1", "table", "../tables/table1.xml"),
      },
    ],
    strings,
    contentTypes:
      '<Override PartName="/xl/tables/table1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.table+xml"/>',
    parts: [{ name: "xl/tables/table1.xml", data: table }],
  });
}

/** A check box: its anchor also has elements named row and col, and a second form for older programs. */
function formControls(): Buffer {
  const anchor =
    "<from><xdr:col>7</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>1</xdr:row><xdr:rowOff>0</xdr:rowOff></from><to><xdr:col>9</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>2</xdr:row><xdr:rowOff>0</xdr:rowOff></to>";
  const control = `<control shapeId="1025" r:id="rId3" name="Check Box 1"><controlPr defaultSize="0" autoFill="0" autoLine="0" autoPict="0"><anchor moveWithCells="1">${anchor}</anchor></controlPr></control>`;
  const after =
    '<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><mc:Choice Requires="x14"><controls>' +
    `<mc:AlternateContent><mc:Choice Requires="x14">${control}</mc:Choice></mc:AlternateContent></controls></mc:Choice></mc:AlternateContent>` +
    '<extLst><ext uri="{CCE6A557-97BC-4b89-ADB6-D9C93CAAB3DF}" xmlns:x14="http://schemas.microsoft.com/office/spreadsheetml/2009/9/main"><x14:dataValidations count="1" xmlns:xm="http://schemas.microsoft.com/office/excel/2006/main"><x14:dataValidation type="list"><x14:formula1><xm:f>Lists!$A$1</xm:f></x14:formula1><xm:sqref>E2</xm:sqref></x14:dataValidation></x14:dataValidations></ext></extLst>';
  const workbookBefore =
    '<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><mc:Choice Requires="x15"><x15ac:absPath url="C:\\Users\\ana\\Documents\\" xmlns:x15ac="http://schemas.microsoft.com/office/spreadsheetml/2010/11/ac"/></mc:Choice></mc:AlternateContent>';
  return book((cells) => ({ rows: payoutXml(cells), after }), { workbookBefore });
}

function noSheetFits(): Buffer {
  const strings = new SharedStrings();
  const rows =
    row(1, [shared(strings, "Name"), shared(strings, "Hours")]) +
    row(2, [shared(strings, "Ana"), number("8")]);
  return excelFile({ sheets: [{ name: "Timesheet", rows }], strings });
}
