import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Cell } from "../../src/model/row.ts";
import { readPath, refusal } from "./reading.ts";

const CORPUS = join(import.meta.dirname, "corpus");
const HEADER = ["reference", "amount", "payOn", "urgent", "payee", "formula"];

/** "number 0.1", "formula number 0.2" */
function shown(cell: Cell): string {
  return cell.kind === "formula" ? `formula ${shown(cell.value)}` : `${cell.kind} ${cell.text}`.trimEnd();
}

/** What the producers agree on; they differ in the digits of their numbers and in how they keep booleans. */
function workbookRows(amounts: readonly string[], doubled: string, boolean = "boolean") {
  return [
    ["text R1", amounts[0], "date 2026-11-30", `${boolean} true`, "text Jürgen Müller", `formula ${doubled}`],
    [
      "text R2",
      amounts[1],
      "date 2026-12-01T12:30:00",
      `${boolean} false`,
      "text Zoë “Z”",
      "formula text R2-x",
    ],
    ["text R3", amounts[2], "empty", "empty", "text payee site", "formula error #DIV/0!"],
    ["text R4", "text 0.00000001", "empty", "empty", "text <&> 東京", "formula text"],
  ];
}

const EXCELJS = workbookRows(["number 0.1", "number 1e-8", "number 0.30000000000000004"], "number 0.2");

describe("workbooks", () => {
  test.each([
    ["exceljs.xlsx", EXCELJS],
    ["exceljs-stream.xlsx", EXCELJS],
    [
      "libreoffice.xlsx",
      workbookRows(["number 0.1", "number 1E-008", "number 0.3"], "number 0.2", "formula boolean"),
    ],
    [
      // Gnumeric prints the digits of a long double.
      "gnumeric.xlsx",
      workbookRows(
        ["number 0.100000000000000000001", "number 1e-08", "number 0.300000000000000039991"],
        "number 0.200000000000000000003",
      ),
    ],
  ])("reads %s", async (name, expected) => {
    const { table, rows, problems } = await readPath(join(CORPUS, name));
    expect(table).toMatchObject({ format: "xlsx", sheet: "Payouts", headerLine: 3, header: HEADER });
    expect(rows.map(({ cells }) => cells.map(shown))).toEqual(expected);
    expect(problems).toEqual([]);
  });
});

describe("text files", () => {
  const LIBREOFFICE = [
    ["R1", "0.1", "2026-11-30", "TRUE", "Jürgen Müller", "0.2"],
    ["R2", "0.00000001", "2026-12-01 12:30:00", "FALSE", "Zoë “Z”", "R2-x"],
    ["R3", "0.3", "", "", "payee site", "#DIV/0!"],
    ["R4", "0.00000001", "", "", "<&> 東京", ""],
  ];
  const GNUMERIC = [
    ["R1", "0.1", "2026/11/30", "TRUE", "Jürgen Müller", "0.2"],
    ["R2", "1E-08", "2026/12/01 12:30:00", "FALSE", "Zoë “Z”", "R2-x"],
    ["R3", "0.30000000000000004", "", "", "payee site", "#DIV/0!"],
    ["R4", "0.00000001", "", "", "<&> 東京", ""],
  ];
  const WITHOUT_JAPANESE = LIBREOFFICE.map((cells) => cells.map((cell) => cell.replace("東京", "??")));

  test.each([
    ["libreoffice-comma-utf8.csv", "UTF-8, commas", LIBREOFFICE],
    ["libreoffice-semicolon-1252.csv", "Windows-1252, semicolons", WITHOUT_JAPANESE],
    ["libreoffice-tab-utf16.csv", "UTF-16 LE, tabs", LIBREOFFICE],
    ["gnumeric-pipe.txt", "UTF-8, pipes", GNUMERIC],
  ])("reads %s", async (name, dialect, expected) => {
    const { table, texts, problems } = await readPath(join(CORPUS, name));
    expect(table).toMatchObject({ format: "csv", dialect, headerLine: 3, header: HEADER });
    expect(texts).toEqual(expected);
    expect(problems).toEqual([]);
  });
});

test.each([
  ["libreoffice-xls.xlsx", "Excel workbook of 97-2003"],
  ["libreoffice-ods.xlsx", "OpenDocument"],
  ["libreoffice-html.xls", "web page"],
])("refuses %s by what it is", async (name, found) => {
  const problem = await refusal(readPath(join(CORPUS, name)));
  expect(problem).toMatchObject({ code: "FILE_FORMAT_UNKNOWN" });
  expect(problem.message).toContain(found);
});

test("leaves no file of the corpus without its expectation", () => {
  expect(readdirSync(CORPUS).filter((name) => name !== "README.md")).toHaveLength(11);
});
