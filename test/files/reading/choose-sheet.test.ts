/** Which sheet of a workbook is read: the only visible one with a table of payouts. */
import { expect, test } from "vitest";
import { chooseSheet } from "../../../src/files/reading/index.ts";
import type { Cell, SheetHead } from "../../../src/model/grid.ts";
import { ADDRESSES, sheetOf } from "./grids.ts";

const [A] = ADDRESSES;

function head(
  name: string,
  rows: readonly (readonly Cell[])[],
  visibility: SheetHead["visibility"] = "visible",
): SheetHead {
  return { name, visibility, lines: sheetOf(rows).lines };
}

const PAYOUTS = [
  ["Rechnungsnummer", "Betrag", "Wallet"],
  ["P-1", "0.05", A],
];
const NOTES = [["How to fill this in"], ["Write one payment a line."]];

test("the only one with a table is read, and the others are listed", () => {
  const sheets = [head("Read me", NOTES), head("November", PAYOUTS), head("Page 2", [["P-2", "0.02", A]])];
  expect(chooseSheet(sheets, { columns: {} })).toEqual({
    sheet: "November",
    otherSheets: ["Read me", "Page 2"],
    hiddenPayouts: [],
  });
});

test("a single sheet is read whatever its columns are called, and our own summary is never read", () => {
  const odd = [
    ["Vorgang", "Wohin", "Wieviel"],
    ["P-1", A, "0.05"],
  ];
  const sheets = [head("Paydrop summary", PAYOUTS), head("A", odd)];
  expect(chooseSheet(sheets, { columns: {} })).toEqual({ sheet: "A", otherSheets: [], hiddenPayouts: [] });
});

test("a table without payments does not compete with one that has some", () => {
  const sheets = [head("October", PAYOUTS), head("November", PAYOUTS.slice(0, 1))];
  expect(chooseSheet(sheets, { columns: {} })).toMatchObject({ sheet: "October" });
});

test("two with payouts are asked for, with the line of configuration, unless one is configured", () => {
  const sheets = [head("October", PAYOUTS), head("November", PAYOUTS)];
  expect(chooseSheet(sheets, { columns: {} })).toMatchObject({
    code: "SHEET_AMBIGUOUS",
    fix: expect.stringContaining('`files.sheet: "October"`'),
  });
  expect(chooseSheet(sheets, { columns: {}, sheet: "november" })).toEqual({
    sheet: "November",
    otherSheets: ["October"],
    hiddenPayouts: [],
  });
  expect(chooseSheet(sheets, { columns: {}, sheet: "December" })).toMatchObject({ code: "SHEET_NOT_FOUND" });
});

test("a hidden sheet is listed with what it holds, and refuses the file where no visible one has payouts", () => {
  const hidden = [head("B", PAYOUTS, "hidden"), head("Lists", NOTES, "very hidden")];
  expect(chooseSheet([head("A", PAYOUTS), ...hidden], { columns: {} })).toMatchObject({
    sheet: "A",
    otherSheets: ["B (hidden: payouts)", expect.stringMatching(/^Lists \(hidden: .+\)$/)],
    hiddenPayouts: ["B"],
  });
  expect(chooseSheet([head("Read me", NOTES), ...hidden], { columns: {} })).toMatchObject({
    code: "SHEET_HIDDEN",
  });
});

test("none is asked for", () => {
  expect(chooseSheet([head("A", NOTES), head("B", NOTES)], { columns: {} })).toMatchObject({
    code: "HEADER_NOT_FOUND",
  });
});

test("the names that a person has accepted for a layout count, of its own sheet alone", () => {
  const odd = [
    ["Vorgang", "Wohin", "Wieviel"],
    ["P-1", A, "0.05"],
  ];
  const accepted = { Vorgang: "reference", Wohin: "destinationAddress", Wieviel: "amount" } as const;
  const sheets = [head("Notes", NOTES), head("November", odd), head("October", odd)];
  expect(
    chooseSheet(sheets, { columns: {}, accepted: new Map([["November", { columns: accepted }]]) }),
  ).toMatchObject({
    sheet: "November",
  });
});
