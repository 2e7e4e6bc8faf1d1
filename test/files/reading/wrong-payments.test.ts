/** Files that must never be paid unchanged: each is refused, raises a question, or waits for a person. */
import { describe, expect, test } from "vitest";
import type { Cell, Grid } from "../../../src/model/grid.ts";
import { ADDRESS, ADDRESSES, gridOf, numberCell, readFile, sheetOf } from "./grids.ts";

const [A, B, C, D] = ADDRESSES;
const TYPO = `${A.slice(0, -1)}Y`;

async function fateOf(file: string | Grid): Promise<string> {
  const { verdict, codes, questions } = await readFile(file);
  return verdict === "rejected" ? `refused: ${codes.join(", ")}` : `asked: ${questions.join("; ")}`;
}

const header = "reference,amount,destinationAddress";

describe("is never paid as it stands", () => {
  test.each([
    [
      "mixed marks",
      gridOf(`reference;amount;destinationAddress\nP-1;0,05;${A}\nP-2;1.250;${B}\nP-3;0,5;${C}`, {}, ";"),
      /3 AMOUNT_FORMAT_DIFFERS/,
    ],
    [
      "a return address in every row beside a payee column with a mistake",
      `reference,amount,payee wallet,return\nP-1,0.05,${TYPO},${C}\nP-2,0.07,${B},${D}`,
      /2 ADDRESS_MALFORMED/,
    ],
    [
      "the same, without names",
      `reference,amount,Where,Back\nP-1,0.05,${TYPO},${C}\nP-2,0.07,${B},${D}`,
      /COLUMN_UNCLEAR/,
    ],
    ["the same, in a single row", `reference,amount,Where,Back\nP-1,0.05,${TYPO},${C}`, /COLUMN_UNCLEAR/],
    [
      "one wallet in all rows as the only addresses",
      `reference,amount,Where\nP-1,0.05,${A}\nP-2,0.07,${A}`,
      /COLUMN_MISSING/,
    ],
    [
      "`DO NOT PAY` among free texts",
      `${header},Remark\nP-1,0.05,${A},first half\nP-2,0.07,${B},DO NOT PAY`,
      /asked: .*"Remark" was not read/,
    ],
    [
      "`on hold` in a column of few values",
      `${header},Status\nP-1,0.05,${A},ok\nP-2,0.07,${B},ok\nP-3,0.01,${C},on hold`,
      /asked: .*"Status" says "on hold" in 1 row/,
    ],
    [
      "`Amount` beside `BTC`",
      `reference,Amount,BTC,destinationAddress\nP-1,500.00,0.005,${A}\nP-2,700.00,0.007,${B}`,
      /COLUMN_UNCLEAR/,
    ],
    [
      "a column of another currency",
      `${header},EUR\nP-1,0.05,${A},2500.00\nP-2,0.07,${B},3500.00`,
      /asked: .*"EUR" was not read: .*names EUR, and the amounts are paid in BTC/,
    ],
    [
      "cells of another currency",
      `${header},Invoice in\nP-1,0.05,${A},EUR\nP-2,0.07,${B},EUR`,
      /CURRENCY_UNKNOWN|CURRENCY_DIFFERS/,
    ],
    [
      "a note above the rows",
      `Already paid in October\n${header}\nP-1,0.05,${A}`,
      /asked: above the columns: "Already paid in October"/,
    ],
    [
      "a second header with two columns swapped",
      `reference,amount,fee,destinationAddress\nP-1,0.05,NORMAL,${A}\nreference,fee,amount,destinationAddress\nP-2,0.07,SLOW,${B}`,
      /HEADER_REPEATED/,
    ],
    [
      "a remark beside the names of the columns",
      `${header},,DRAFT\nP-1,0.05,${A},,\nP-2,0.07,${B},,`,
      /asked: beside the names of the columns: "DRAFT"/,
    ],
    [
      "0 and 1 under a mark, which count no rows",
      `${header},✓\nP-1,0.05,${A},0\nP-2,0.07,${B},1`,
      /asked: .*"✓" was not read/,
    ],
    ["a date among the amounts", `${header}\nP-1,01.05,${A}\nP-2,0.07,${B}`, /2 AMOUNT_UNREADABLE/],
    ["cents as banks write them", `${header}\nP-1,0000000250,${A}`, /2 AMOUNT_UNREADABLE/],
    ["a footer", `${header}\nP-1,0.05,${A}\nDRAFT,,`, /asked: below the rows: "DRAFT"/],
    [
      "a cell that swallowed a row",
      `${header},note\nP-1,0.05,${A},"first\nP-2,0.07,${B},second"`,
      /CSV_MALFORMED/,
    ],
    [
      "a count as the only unique column",
      `#,amount,destinationAddress\n1,0.05,${A}\n2,0.07,${B}\n3,0.01,${C}`,
      /asked: no column holds references/,
    ],
    [
      "a second equal amount without destination",
      `${header}\nP-1,0.05,${A}\nP-2,0.05,`,
      /3 DESTINATION_MISSING|3 CONTROL_TOTAL_DIFFERS/,
    ],
    ["references that fold to one", `${header}\nInv 1,0.05,${A}\nINV 1,0.07,${B}`, /3 REFERENCE_REPEATED/],
    ["references of another width", `${header}\nＩＮＶ１,0.05,${A}\ninv1,0.07,${B}`, /3 REFERENCE_REPEATED/],
    ["a payment above the column names", `P-0,0.05,${C}\n${header}\nP-1,0.05,${A}`, /1 PAYOUT_ABOVE_HEADER/],
    ["a first line that is a payment", `P-0,0.05,${C}\nP-1,0.05,${A}`, /HEADER_NOT_FOUND/],
    [
      "a row whose cells slipped",
      `${header},payee\nP-1,1,250.00,${A},Ana\nP-2,0.07,${B},Bob`,
      /2 CSV_MALFORMED/,
    ],
    ["a row that breaks off", `${header},payOn\nP-1,0.05,${A},2026-12-01\nP-2,0.07,${B}`, /3 CSV_MALFORMED/],
  ])("%s", async (_, file, fate) => {
    expect(await fateOf(file)).toMatch(fate);
  });

  const rows = (amount: Cell, address: Cell = A): Cell[][] => [
    ["reference", "amount", "destinationAddress"],
    ["P-1", amount, address],
    ["P-2", numberCell("0.07"), B],
  ];
  const flawed = (flaw: "struck out" | "in parts" | "merged" | "shown otherwise", text = "0.051"): Cell => ({
    kind: "text",
    text,
    flaw,
    parts: ["0.05", "1"],
  });

  test.each([
    ["a raised footnote digit", sheetOf(rows(flawed("in parts"))), /2 VALUE_SHOWN_OTHERWISE/],
    ["a value that is struck out", sheetOf(rows(flawed("struck out"))), /2 VALUE_SHOWN_OTHERWISE/],
    ["merged cells", sheetOf(rows("0.05", flawed("merged", A))), /2 VALUE_SHOWN_OTHERWISE/],
    [
      "a number format that rounds",
      sheetOf(rows({ kind: "number", text: "0.056", decimals: 2 })),
      /2 AMOUNT_SHOWN_ROUNDED/,
    ],
    ["a sheet called Void", sheetOf(rows("0.05"), { sheet: "Void" }), /asked: the name of the sheet: "Void"/],
    [
      "a sheet called after a unit",
      sheetOf(rows("0.05"), { sheet: "Payments mBTC" }),
      /asked: the name of the sheet: "Payments mBTC"; it names another unit than whole coins/,
    ],
    [
      "a sheet called after a month and a currency",
      sheetOf(rows("0.05"), { sheet: "Nov €" }),
      /asked: the name of the sheet: "Nov €"; it names EUR/,
    ],
    [
      "a sheet called after a factor",
      sheetOf(rows("0.05"), { sheet: "1000" }),
      /asked: the name of the sheet: "1000"/,
    ],
    [
      "repeated column names with a remark beside them",
      sheetOf([
        ...rows("0.05"),
        ["reference", "amount", "destinationAddress", "paid"],
        ["P-3", numberCell("0.01"), C],
      ]),
      /4 HEADER_REPEATED/,
    ],
    [
      "a comment",
      sheetOf(rows("0.05"), { outside: [{ place: "the comment on A2", text: "hold" }] }),
      /asked: the comment on A2: "hold"/,
    ],
    ["a hidden column that is read", sheetOf(rows("0.05"), { hiddenColumns: new Set([1]) }), /COLUMN_HIDDEN/],
    ["an error", sheetOf(rows({ kind: "error", text: "#REF!" })), /2 CELL_IS_ERROR/],
    [
      "a formula without a saved result",
      sheetOf(rows({ kind: "formula", value: "" })),
      /2 FORMULA_WITHOUT_VALUE/,
    ],
  ])("%s", async (_, file, fate) => {
    expect(await fateOf(file)).toMatch(fate);
  });

  test.each(["November 2026", "2026-11", "30.11.2026", "KW 48", "Listopad", "Sheet1"])(
    "but not the name of a sheet that says nothing but when: %s",
    async (sheet) =>
      expect(await fateOf(sheetOf(rows("0.05"), { sheet }))).not.toContain("the name of the sheet"),
  );

  test("a hidden row", async () => {
    const sheet = sheetOf(rows("0.05"));
    const lines = sheet.lines.map((line) => (line.line === 2 ? { ...line, isHidden: true as const } : line));
    expect(await fateOf({ ...sheet, lines })).toMatch(/2 ROW_HIDDEN/);
  });

  test("our own wallet as the only address", async () => {
    const { codes } = await readFile(`reference,amount,Where\nP-1,0.05,${ADDRESS}`, {
      ownDestinations: new Set([ADDRESS]),
    });
    expect(codes).toEqual(["COLUMN_MISSING"]);
  });
});
