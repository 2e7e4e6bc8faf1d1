import { expect, test } from "vitest";
import { DEFAULT_FILE_LIMITS, type RawRow, type RawSheet, readSheets } from "../../src/intake/index.ts";
import { fileOf } from "./reading.ts";
import { workbook } from "./workbook-fixture.ts";

async function rowsOf(sheet: RawSheet | undefined): Promise<readonly RawRow[]> {
  const rows: RawRow[] = [];
  for await (const row of sheet?.rows() ?? []) rows.push(row);
  return rows;
}

test("shows a CSV as it is, with what breaks its format", async () => {
  const file = await readSheets(fileOf('a;b\n1,5;"x"y\n\n2;z\n'), DEFAULT_FILE_LIMITS);
  expect(file).toMatchObject({
    format: "csv",
    encoding: "UTF-8",
    delimiter: ";",
    dialect: "UTF-8, semicolons",
  });
  const rows = await rowsOf(file.sheets[0]);
  expect(rows.map(({ line }) => line)).toEqual([1, 2, 4]);
  expect(rows[1]?.broken).toMatchObject({ line: 2, reason: expect.stringContaining("quote") });
  expect(rows[2]?.cells).toEqual([
    { kind: "text", text: "2" },
    { kind: "text", text: "z" },
  ]);
});

test("shows every sheet of a workbook, hidden ones too", async () => {
  const row = '<row r="2" hidden="1"><c r="B2"><v>1.50</v></c></row>';
  const sheets = [
    { name: "Shown", rows: "" },
    { name: "Hidden", rows: row, state: "hidden" as const },
    { name: "Deep", rows: row, state: "veryHidden" as const },
  ];
  const file = await readSheets(fileOf(workbook({ sheets })), DEFAULT_FILE_LIMITS);
  expect(file.format).toBe("xlsx");
  expect(file.sheets.map(({ name, visibility }) => [name, visibility])).toEqual([
    ["Shown", "visible"],
    ["Hidden", "hidden"],
    ["Deep", "very hidden"],
  ]);
  expect(await rowsOf(file.sheets[2])).toEqual([
    {
      line: 2,
      isHidden: true,
      isStruck: false,
      cells: [
        { kind: "empty", text: "" },
        { kind: "number", text: "1.50" },
      ],
    },
  ]);
});
