/** Exact decimals: sums and rounding are checked against bigint arithmetic. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addAmounts, amountOf, Decimal, formatAmount, sameAmount } from "../../src/money/index.ts";

const units = fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n });
const scales = fc.integer({ min: 0, max: 30 });
const decimals = fc
  .tuple(units, scales)
  .map(([digits, scale]) => ({ digits, scale, text: write(digits, scale) }));

/** The plain literal of `digits` / 10^scale, by string operations only. */
function write(digits: bigint, scale: number): string {
  const sign = digits < 0n ? "-" : "";
  const padded = (digits < 0n ? -digits : digits).toString().padStart(scale + 1, "0");
  return scale === 0 ? `${sign}${padded}` : `${sign}${padded.slice(0, -scale)}.${padded.slice(-scale)}`;
}

function at(scale: number, value: { digits: bigint; scale: number }): bigint {
  return value.digits * 10n ** BigInt(scale - value.scale);
}

describe("reading and writing", () => {
  test("every plain literal prints as it was written", () => {
    fc.assert(
      fc.property(decimals, ({ text }) => {
        expect(Decimal.of(text).toString()).toBe(text);
      }),
    );
  });

  test.each([
    ["0.00000001", "0.00000001"],
    ["1e-8", "0.00000001"],
    ["1.0000000000000001E-5", "0.000010000000000000001"],
    ["12E+3", "12000"],
    ["1.5e1", "15"],
    ["-0", "0"],
    ["-0.00", "0.00"],
    ["007", "7"],
    ["0.000000000000000001", "0.000000000000000001"],
    ["9223372036854775807", "9223372036854775807"],
    ["20999999.97690000", "20999999.97690000"],
  ])("%s is %s, without an exponent", (text, printed) => {
    expect(Decimal.of(text).toString()).toBe(printed);
  });

  test.each([
    "",
    " 1",
    "1 ",
    "+1",
    ".5",
    "5.",
    "1,5",
    "1_000",
    "0x10",
    "NaN",
    "Infinity",
    "1e",
    "1e99999",
    "--1",
    "1.2.3",
    "١",
    // A value that plain JavaScript may pass.
    0.1 as unknown as string,
  ])("%j is no number, and there is no default for it", (text) => {
    expect(Decimal.parse(text)).toBeUndefined();
    expect(() => Decimal.of(text)).toThrow(RangeError);
  });
});

describe("arithmetic", () => {
  test("sums are exact at any scale", () => {
    fc.assert(
      fc.property(fc.array(decimals, { maxLength: 20 }), (values) => {
        const scale = Math.max(0, ...values.map((value) => value.scale));
        const sum = values.reduce((total, value) => total + at(scale, value), 0n);
        const exact = Decimal.sum(values.map(({ text }) => Decimal.of(text)));
        expect(exact.equals(Decimal.of(write(sum, scale)))).toBe(true);
      }),
    );
  });

  test("differences, products and comparisons are exact", () => {
    fc.assert(
      fc.property(decimals, decimals, (left, right) => {
        const scale = Math.max(left.scale, right.scale);
        const [a, b] = [Decimal.of(left.text), Decimal.of(right.text)];
        expect(a.minus(b).equals(Decimal.of(write(at(scale, left) - at(scale, right), scale)))).toBe(true);
        const product = write(left.digits * right.digits, left.scale + right.scale);
        expect(a.times(b).toString()).toBe(product);
        const sign = at(scale, left) < at(scale, right) ? -1 : at(scale, left) > at(scale, right) ? 1 : 0;
        expect(a.compare(b)).toBe(sign);
      }),
    );
  });

  test("rounding is never further than half a unit, and exactly half goes away from zero", () => {
    fc.assert(
      fc.property(decimals, scales, (value, scale) => {
        const rounded = Decimal.of(value.text).rounded(scale);
        expect(rounded.scale).toBe(scale);
        const gap = rounded.minus(Decimal.of(value.text)).absolute();
        const half = Decimal.of(`5e-${scale + 1}`);
        expect(gap.compare(half)).toBeLessThanOrEqual(0);
        if (gap.equals(half)) {
          expect(rounded.absolute().compare(Decimal.of(value.text).absolute())).toBe(1);
        }
      }),
    );
  });

  test.each([
    ["0.5", 0, "1"],
    ["-0.5", 0, "-1"],
    ["0.49999999999999999999", 0, "0"],
    ["2.675", 2, "2.68"], // a binary double says 2.67
    ["1.005", 2, "1.01"], // a binary double says 1.00
    ["-1.005", 2, "-1.01"],
    ["7", 3, "7.000"],
  ])("%s rounded to %i digits is %s", (text, scale, printed) => {
    expect(Decimal.of(text).rounded(scale).toString()).toBe(printed);
  });

  test("a quotient times its divisor is the dividend, to half a unit of the quotient", () => {
    fc.assert(
      fc.property(decimals, decimals, scales, (left, right, scale) => {
        fc.pre(right.digits !== 0n);
        const [dividend, divisor] = [Decimal.of(left.text), Decimal.of(right.text)];
        const quotient = dividend.dividedBy(divisor, scale);
        expect(quotient.scale).toBe(scale);
        const error = quotient.times(divisor).minus(dividend).absolute();
        expect(error.compare(divisor.absolute().times(Decimal.of(`5e-${scale + 1}`)))).toBeLessThanOrEqual(0);
      }),
    );
  });

  test("division by zero throws, it does not become Infinity", () => {
    expect(() => Decimal.of("1").dividedBy(Decimal.of("0.00"), 2)).toThrow(RangeError);
  });

  test("normalizing keeps the value and drops only zeros after the point", () => {
    fc.assert(
      fc.property(decimals, ({ text }) => {
        const normalized = Decimal.of(text).normalized();
        expect(normalized.equals(Decimal.of(text))).toBe(true);
        expect(normalized.toString()).not.toMatch(/\.\d*0$/);
      }),
    );
    expect(Decimal.of("1200").normalized().toString()).toBe("1200");
  });
});

describe("amounts", () => {
  test("1.0 BTC is 1.00 BTC, and never 1.0 LTC", () => {
    expect(sameAmount(amountOf("1.0", "BTC"), amountOf("1.00", "BTC"))).toBe(true);
    expect(sameAmount(amountOf("1.0", "BTC"), amountOf("1.0", "LTC"))).toBe(false);
    expect(sameAmount(amountOf("1.0", "BTC"), amountOf("1.01", "BTC"))).toBe(false);
  });

  test("two currencies are never added up", () => {
    expect(() => addAmounts(amountOf("1", "BTC"), amountOf("1", "ETH"))).toThrow(/BTC and ETH/);
    expect(formatAmount(addAmounts(amountOf("0.1", "BTC"), amountOf("0.2", "BTC")))).toBe("0.3 BTC");
  });
});
