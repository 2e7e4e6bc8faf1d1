/** One number and date format a column: a cell is read only if exactly one reading fits, and every digit counts. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Cell } from "../../../src/model/grid.ts";
import { Decimal } from "../../../src/money/index.ts";
import { ADDRESS, ADDRESSES, gridOf, numberCell, readFile, sheetOf } from "./grids.ts";

const MUCH = { BTC: Decimal.of("10000000") };
const limits = { perRow: MUCH, perFile: MUCH };

function fileOf(amounts: readonly Cell[], delimiter = ",") {
  const rows = amounts.map((amount, index): Cell[] => [`P-${index}`, amount, ADDRESSES[index] ?? ADDRESS]);
  const { lines } = sheetOf([["reference", "amount", "destinationAddress"], ...rows]);
  return gridOf("", { lines }, delimiter);
}

async function read(amounts: readonly Cell[], changes: Parameters<typeof readFile>[1] = {}, delimiter = ",") {
  const { drafts, codes, verdict } = await readFile(fileOf(amounts, delimiter), { limits, ...changes });
  return verdict === "accepted" ? drafts.map(({ fields }) => `${fields.amount.value}`) : codes;
}

describe("the amounts of a column", () => {
  test.each<[string, Cell[], string[]]>([
    ["with a point", ["0.05", "1.5", "2"], ["0.05", "1.5", "2"]],
    ["with a comma that can only be decimal", ["0,05", "1,5", "2"], ["0.05", "1.5", "2"]],
    ["with a comma that one cell proves to be decimal", ["0,05", "1,234"], ["0.05", "1.234"]],
    ["with both marks", ["1.234,56", "0,5", "1.250"], ["1234.56", "0.5", "1250"]],
    ["with both marks, the other way round", ["1,234.56", "0.5", "1,250"], ["1234.56", "0.5", "1250"]],
    ["with spaces or apostrophes and decimals", ["1'234.56", "0.5"], ["1234.56", "0.5"]],
    ["with their currency", ["0.05 BTC", "₿0.07", "1 btc", "BTC 0.5"], ["0.05", "0.07", "1", "0.5"]],
    ["without their zero", [".05", "0.050"], ["0.05", "0.05"]],
    ["as programs write tiny ones", ["1e-05", "5.46E-06"], ["0.00001", "0.00000546"]],
    [
      "as number cells",
      [numberCell("1.0000000000000001E-5"), numberCell("0.30000000000000004")],
      ["0.00001", "0.3"],
    ],
    [
      "as formulas with a saved result",
      [{ kind: "formula", value: { kind: "number", text: "0.25" } }],
      ["0.25"],
    ],
  ])("are read %s", async (_, amounts, values) => {
    expect(await read(amounts)).toEqual(values);
  });

  test.each<[string, Cell[], string[]]>([
    ["a comma that may mark thousands", ["1,234", "5,678"], ["2 AMOUNT_FORMATS_MIXED"]],
    ["as many commas as points", ["0.5", "0,7"], ["2 AMOUNT_FORMATS_MIXED", "3 AMOUNT_FORMAT_DIFFERS"]],
    ["one comma among points", ["0.5", "0.6", "0,7"], ["4 AMOUNT_FORMAT_DIFFERS"]],
    [
      "one comma among points that may mark thousands",
      ["1.250", "1.300", "0,7"],
      ["2 AMOUNT_FORMATS_MIXED", "4 AMOUNT_FORMAT_DIFFERS"],
    ],
    [
      "another unit",
      ["0.05 mBTC", "5 sats", "€5"],
      ["2 AMOUNT_SHOWN_OTHERWISE", "3 AMOUNT_SHOWN_OTHERWISE", "4 CURRENCY_UNKNOWN"],
    ],
    [
      "words, signs and exponents",
      ["0.05x", "-1", "(0.05)", "5.00E-02"],
      ["2 AMOUNT_UNREADABLE", "3 AMOUNT_NOT_POSITIVE", "4 AMOUNT_NOT_POSITIVE", "5 AMOUNT_HAS_EXPONENT"],
    ],
    [
      "zero, too many decimals, too much",
      ["0", "0.123456789", "10000001"],
      ["2 AMOUNT_NOT_POSITIVE", "3 AMOUNT_TOO_PRECISE", "4 AMOUNT_OVER_LIMIT"],
    ],
    ["a day", [{ kind: "date", text: "2026-01-05" }], ["2 AMOUNT_UNREADABLE"]],
  ])("are refused with %s", async (_, amounts, codes) => {
    expect(await read(amounts)).toEqual(codes);
  });

  test("separated by semicolons need a point that cannot mark thousands", async () => {
    expect(await read(["1.234", "5.678"], {}, ";")).toEqual(["2 AMOUNT_FORMATS_MIXED"]);
    expect(await read(["1.234", "5.67"], {}, ";")).toEqual(["1.234", "5.67"]);
  });

  test("are read in a declared format alone", async () => {
    expect(await read(["1.234", "0,05"], { numberFormat: "1.234,56" })).toEqual(["1234", "0.05"]);
    expect(await read(["1.234", "0.05"], { numberFormat: "1.234,56" })).toEqual(["3 AMOUNT_FORMAT_DIFFERS"]);
  });

  test("are exact whatever their digits", async () => {
    const amount = fc.tuple(fc.bigInt({ min: 1n, max: 10n ** 14n }), fc.integer({ min: 0, max: 8 }));
    await fc.assert(
      fc.asyncProperty(amount, async ([units, scale]) => {
        const value = Decimal.of(`${units}e-${scale}`);
        fc.pre(value.compare(Decimal.of("9000000")) <= 0);
        expect(await read([value.toString(), "0.5"])).toEqual([value.normalized().toString(), "0.5"]);
      }),
      { numRuns: 50 },
    );
  });

  test("that are calculated are rounded half to even only if the company says so, with a warning", async () => {
    const calculated = (text: string): Cell => ({ kind: "formula", value: { kind: "number", text } });
    const file = fileOf(["0.123456785", "0.123456775", "0.123456776"].map(calculated));
    const { drafts, warnings } = await readFile(file, { roundCalculated: "half-even" });
    expect(drafts.map(({ fields }) => `${fields.amount.value}`)).toEqual([
      "0.12345678",
      "0.12345678",
      "0.12345678",
    ]);
    expect(warnings.map(({ code }) => code)).toEqual(["AMOUNT_ROUNDED", "AMOUNT_ROUNDED", "AMOUNT_ROUNDED"]);
    const { problems } = await readFile(file);
    expect(problems[0]).toMatchObject({
      code: "AMOUNT_NOT_ROUNDED",
      message: expect.stringContaining("rounded it is 0.12345678"),
    });
    expect(await read(["0.123456785"], { roundCalculated: "half-even" })).toEqual(["2 AMOUNT_TOO_PRECISE"]);
  });
});

describe("the days of a column", () => {
  async function days(texts: readonly string[], dateFormat?: string) {
    const rows = texts.map((day, index) => [`P-${index}`, "0.01", ADDRESSES[index] ?? ADDRESS, day]);
    const sheet = sheetOf([["reference", "amount", "destinationAddress", "payOn"], ...rows]);
    const { drafts, codes, verdict } = await readFile(sheet, dateFormat === undefined ? {} : { dateFormat });
    return verdict === "accepted" ? drafts.map(({ fields }) => fields.payOn) : codes;
  }

  test("are read in the only order that fits every cell, or in the one declared", async () => {
    expect(await days(["03/12/2026", "30/11/2026"])).toEqual(["2026-12-03", "2026-11-30"]);
    expect(await days(["12/03/2026", "11/30/2026"])).toEqual(["2026-12-03", "2026-11-30"]);
    expect(await days(["03/12/2026"], "DD/MM/YYYY")).toEqual(["2026-12-03"]);
    expect(await days(["12/12/2026"])).toEqual(["2026-12-12"]);
    expect(await days(["2026-12-01", "2026/12/02", "2026.12.3", "2026-12-04 00:00:00"])).toEqual([
      "2026-12-01",
      "2026-12-02",
      "2026-12-03",
      "2026-12-04",
    ]);
  });

  test("are refused where two orders fit, or none", async () => {
    expect(await days(["03/12/2026", "04/12/2026"])).toEqual(["2 DATE_AMBIGUOUS", "3 DATE_AMBIGUOUS"]);
    expect(await days(["30/11/2026", "11/30/2026"])).toEqual(["2 VALUE_MALFORMED", "3 VALUE_MALFORMED"]);
    expect(await days(["30/11/2026", "32/11/2026", "2026-12-01T14:30"])).toEqual([
      "3 VALUE_MALFORMED",
      "4 VALUE_MALFORMED",
    ]);
  });
});
