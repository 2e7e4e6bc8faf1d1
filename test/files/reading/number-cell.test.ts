/** Number cells of a workbook: read as the value that the person saw, or refused. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readNumberCell } from "../../../src/files/reading/column-format.ts";
import { Decimal } from "../../../src/money/index.ts";

/** Amounts that a spreadsheet can hold: up to 15 significant digits, up to 18 decimals. */
const heldAmounts = fc
  .tuple(fc.bigInt({ min: 1n, max: 999_999_999_999_999n }), fc.integer({ min: 0, max: 18 }))
  .map(([units, scale]) => Decimal.of(`${units}e-${scale}`));

/** As Gnumeric writes it: the nearest number with a significand of 64 bits, at 21 digits. */
function asGnumericWrites(amount: Decimal): string {
  const text = amount.toString();
  const [units, unit] = [BigInt(text.replace(".", "")), 10n ** BigInt(amount.scale)];
  const magnitude = Number.parseFloat(text);
  const shift = BigInt(63 - Math.floor(Math.log2(magnitude)));
  const bits = shift >= 0n ? rounded(units << shift, unit) : rounded(units, unit << -shift);
  const scale = 20 - Math.floor(Math.log10(magnitude));
  const digits = bits * 10n ** BigInt(scale);
  return `${shift >= 0n ? rounded(digits, 1n << shift) : digits << -shift}e-${scale}`;
}

function rounded(dividend: bigint, divisor: bigint): bigint {
  return (2n * dividend + divisor) / (2n * divisor);
}

function read(text: string): string {
  const result = readNumberCell(text);
  return result instanceof Decimal ? result.toString() : result.code;
}

describe("a number cell", () => {
  test("gives back every amount that a spreadsheet can hold, however the file spells the double", () => {
    fc.assert(
      fc.property(heldAmounts, (amount) => {
        const double = Number.parseFloat(amount.toString());
        for (const text of [
          String(double),
          double.toPrecision(16),
          double.toPrecision(17),
          double.toPrecision(18),
          double.toPrecision(21),
          double.toExponential(),
          amount.toString(),
          asGnumericWrites(amount),
        ])
          expect(read(text)).toBe(amount.normalized().toString());
      }),
    );
  });

  test("never becomes another number than the double at 15 digits", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (double) => {
        const result = readNumberCell(String(double));
        expect(result).toBeInstanceOf(Decimal);
        expect(result instanceof Decimal && result.equals(Decimal.of(double.toPrecision(15)))).toBe(true);
      }),
    );
  });

  test.each([
    ["1.0000000000000001E-5", "0.00001"],
    ["0.30000000000000004", "0.3"],
    ["5.0000000000000003E-2", "0.05"],
    ["0.05", "0.05"],
    [".05", "0.05"],
    ["-.05", "-0.05"],
    ["+5.", "5"],
    ["5.E-2", "0.05"],
    ["1E-8", "0.00000001"],
    ["12", "12"],
    ["1.2E1", "12"],
    // Gnumeric 1.12.55 wrote these for 0.05, 0.3, 0.00000546, 0.123456789012345 and 0.30000000000000004.
    ["0.0500000000000000000007", "0.05"],
    ["0.300000000000000000011", "0.3"],
    ["5.46000000000000000009e-06", "0.00000546"],
    ["0.123456789012345000001", "0.123456789012345"],
    ["0.300000000000000039991", "0.3"],
    // It wrote these for 0.00000511 and 0.22354305, off by more than half of the last bit, since it rounds 21
    // digits.
    ["5.10999999999999999979e-06", "0.00000511"],
    ["0.223543049999999999993", "0.22354305"],
    // It wrote these for 0.05 and 0.3, read from an .xls.
    ["0.0500000000000000027756", "0.05"],
    ["0.299999999999999988898", "0.3"],
    // Digits below the noise of a double are not what the person saw.
    ["0.0500000000000000001", "0.05"],
    ["500.00000000000000002", "500"],
  ])("stored as %s is %s", (text, value) => {
    expect(read(text)).toBe(value);
  });

  test.each([
    ["0.1234567890123456789", "AMOUNT_PRECISION_LOST"],
    ["0.300000000000000441", "AMOUNT_PRECISION_LOST"],
    ["90071992547409930001", "AMOUNT_PRECISION_LOST"],
    ["1E999", "AMOUNT_UNREADABLE"],
    ["NaN", "AMOUNT_UNREADABLE"],
    ["1,5", "AMOUNT_UNREADABLE"],
  ])("refuses %s, which no spreadsheet wrote, as %s", (text, code) => {
    expect(read(text)).toBe(code);
  });
});
