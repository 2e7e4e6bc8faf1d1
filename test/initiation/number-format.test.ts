/** Amounts as typed: read exactly or refused, never read as another number. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type NumberFormat, readAmountText } from "../../src/initiation/amounts/number-format.ts";
import { Decimal } from "../../src/money/index.ts";

const wholes = fc.bigInt({ min: 0n, max: 10n ** 30n }).map(String);
const fractions = fc.string({ unit: fc.constantFrom(..."0123456789"), minLength: 0, maxLength: 18 });
const plainAmounts = fc
  .tuple(wholes, fractions)
  .map(([whole, rest]) => (rest === "" ? whole : `${whole}.${rest}`));

/** Strings that resemble amounts more often than random ones would. */
const amountLike = fc.oneof(
  fc.string(),
  fc.string({ unit: fc.constantFrom(..."0123456789.,' -+eE\u00a0\u202f\u0660\uff11"), maxLength: 12 }),
);

function read(text: string, format: NumberFormat = "auto"): string {
  const result = readAmountText(text, format);
  return result instanceof Decimal ? result.toString() : result.code;
}

function written(value: string, thousands: string, point: string): string {
  const [whole = "", fraction] = value.split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, thousands);
  return fraction === undefined ? grouped : grouped + point + fraction;
}

describe("without a declared number format", () => {
  test("reads every plain amount exactly as written", () => {
    fc.assert(fc.property(plainAmounts, (text) => read(text) === Decimal.of(text).toString()));
  });

  test("never reads anything but plain digits with a point, and tiny exponents, as a number", () => {
    fc.assert(
      fc.property(amountLike, (text) => {
        const result = readAmountText(text, "auto");
        if (result instanceof Decimal) {
          expect(text).toMatch(
            /^(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+|[1-9](?:\.[0-9]{1,4})?e-(?:0?[5-9]|1[0-9]))$/i,
          );
          expect(result.equals(Decimal.of(text.replace(/^\./, "0.")))).toBe(true);
        } else expect(result.fix).not.toBe("");
      }),
      { numRuns: 2000 },
    );
  });

  test.each([
    ["1,234", "AMOUNT_AMBIGUOUS"],
    ["12,345", "AMOUNT_AMBIGUOUS"],
    ["-1,234", "AMOUNT_NOT_POSITIVE"],
    ["0,05", "AMOUNT_SEPARATOR_UNDECLARED"],
    ["0,123", "AMOUNT_SEPARATOR_UNDECLARED"],
    ["1,234.56", "AMOUNT_SEPARATOR_UNDECLARED"],
    ["1.234,56", "AMOUNT_SEPARATOR_UNDECLARED"],
    ["1.234.567", "AMOUNT_SEPARATOR_UNDECLARED"],
    ["1 234,56", "AMOUNT_SEPARATOR_UNDECLARED"],
    ["1\u202f234", "AMOUNT_SEPARATOR_UNDECLARED"],
    ["1'234.56", "AMOUNT_SEPARATOR_UNDECLARED"],
    ["1\u2019234.56", "AMOUNT_SEPARATOR_UNDECLARED"],
    ["1.5e+3", "AMOUNT_HAS_EXPONENT"],
    ["1.25E-02", "AMOUNT_HAS_EXPONENT"],
    ["1.20E-06", "AMOUNT_HAS_EXPONENT"],
    ["12.5E-06", "AMOUNT_HAS_EXPONENT"],
    ["1,5E-06", "AMOUNT_HAS_EXPONENT"],
    ["1.23457E-05", "AMOUNT_HAS_EXPONENT"],
    ["1E-0", "AMOUNT_HAS_EXPONENT"],
    ["1E-1", "AMOUNT_HAS_EXPONENT"],
    ["-1E-08", "AMOUNT_HAS_EXPONENT"],
    ["-0.05", "AMOUNT_NOT_POSITIVE"],
    ["(0.05)", "AMOUNT_NOT_POSITIVE"],
    ["0.05-", "AMOUNT_NOT_POSITIVE"],
    ["(paid)", "AMOUNT_UNREADABLE"],
    ["+0.05", "AMOUNT_UNREADABLE"],
    [",5", "AMOUNT_SEPARATOR_UNDECLARED"],
    ["-.5", "AMOUNT_NOT_POSITIVE"],
    [".", "AMOUNT_UNREADABLE"],
    [".5.5", "AMOUNT_UNREADABLE"],
    [".234.567", "AMOUNT_UNREADABLE"],
    ["5.", "AMOUNT_UNREADABLE"],
    ["1,23,456", "AMOUNT_UNREADABLE"],
    ["0.05 BTC", "AMOUNT_UNREADABLE"],
    ["0x10", "AMOUNT_UNREADABLE"],
    ["Infinity", "AMOUNT_UNREADABLE"],
    ["\u0660.\u0660\u0665", "AMOUNT_UNREADABLE"],
    ["\uff10.\uff10\uff15", "AMOUNT_UNREADABLE"],
    ["9".repeat(101), "AMOUNT_UNREADABLE"],
  ])("refuses %j as %s", (text, code) => {
    expect(read(text)).toBe(code);
  });

  test("reads what Oracle and others write without the zero before the point", () => {
    expect(read(".05")).toBe("0.05");
    expect(read(",05", "1.234,56")).toBe("0.05");
    expect(read(".05", "1,234.56")).toBe("0.05");
    expect(read(".234", "1.234,56")).toBe("AMOUNT_FORMAT_DIFFERS");
    expect(read(",234", "1,234.56")).toBe("AMOUNT_FORMAT_DIFFERS");
  });

  test.each([
    ["1e-05", "0.00001"],
    ["1E-8", "0.00000001"],
    ["5.46e-06", "0.00000546"],
    ["9.9999E-05", "0.000099999"],
    ["2e-10", "0.0000000002"],
  ])("reads %s, as programs write an amount below 0.0001, as %s", (text, amount) => {
    expect(read(text)).toBe(amount);
    expect(read(text, "1,234.56")).toBe(amount);
    expect(read(text, "1.234,56")).toBe("AMOUNT_HAS_EXPONENT");
  });

  test("shows both readings of an ambiguous amount", () => {
    expect(readAmountText("1,234", "auto")).toMatchObject({
      message: 'the amount "1,234" can be read as 1234 or as 1.234',
    });
  });

  test("shows digits of another script escaped", () => {
    expect(readAmountText("\uff10.05", "auto")).toMatchObject({
      message: 'the amount "\\uff10.05" is not in plain digits such as 0.05',
    });
  });
});

describe("with a declared number format", () => {
  const formats: readonly [NumberFormat, string, string][] = [
    ["1,234.56", ",", "."],
    ["1.234,56", ".", ","],
    ["1 234,56", " ", ","],
    ["1'234.56", "'", "."],
  ];

  test.each(formats)("reads every amount written like %s exactly", (format, thousands, point) => {
    fc.assert(
      fc.property(plainAmounts, (value) => {
        const exact = Decimal.of(value).toString();
        expect(read(written(value, thousands, point), format)).toBe(exact);
        expect(read(written(value, "", point), format)).toBe(exact);
      }),
    );
  });

  test("takes the no-break spaces that spreadsheets put between thousands", () => {
    expect(read("1\u00a0234,5", "1 234,56")).toBe("1234.5");
    expect(read("1\u202f234,5", "1 234,56")).toBe("1234.5");
  });

  test.each([
    ["0.05", "1.234,56"],
    ["0,05", "1,234.56"],
    ["1.234.56", "1.234,56"],
    ["12.34", "1.234,56"],
    ["1,23,456", "1,234.56"],
    ["1e5", "1,234.56"],
    ["1 234", "1,234.56"],
    ["", "1,234.56"],
  ] as const)("refuses %j in a file that is declared %s", (text, format) => {
    expect(readAmountText(text, format)).toHaveProperty("code");
  });
});
