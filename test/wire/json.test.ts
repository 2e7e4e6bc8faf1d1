/** JSON with exact numbers: every digit is kept, and nothing is read that JSON.parse would refuse. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { Decimal } from "../../src/money/index.ts";
import { decimal, int64, parseJson, writeJson } from "../../src/wire/index.ts";
import { runsOf } from "../slice.ts";

const literals = fc
  .tuple(
    fc.constantFrom("", "-"),
    fc.bigInt({ min: 0n, max: 10n ** 60n }),
    fc.option(fc.stringMatching(/^\d{1,40}$/), { nil: undefined }),
    fc.option(
      fc.tuple(fc.constantFrom("e", "E"), fc.constantFrom("", "+", "-"), fc.integer({ min: 0, max: 300 })),
      {
        nil: undefined,
      },
    ),
  )
  .map(
    ([sign, whole, fraction, exponent]) =>
      `${sign}${whole}${fraction === undefined ? "" : `.${fraction}`}${exponent?.join("") ?? ""}`,
  );

const texts = fc.string({ unit: "binary", maxLength: 12 }).filter((text) => !text.startsWith("\u0000"));

/**
 * Includes names that ECMAScript treats specially: names like array indexes come first in their object, `__proto__` may
 * be a setter.
 */
const names = fc.oneof(
  texts,
  fc.constantFrom("0", "7", "10", "4294967295", "01", "-1", "__proto__", "length"),
);

/** JSON texts with any digits in any place, and duplicate names. */
const documents = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    literals,
    texts.map((text) => JSON.stringify(text)),
    fc.constantFrom("true", "false", "null", "{}", "[]"),
    fc.array(tie("value"), { maxLength: 5 }).map((elements) => `[${elements.join(", ")}]`),
    fc
      .array(fc.tuple(names, tie("value")), { maxLength: 5 })
      .map(
        (members) => `{${members.map(([name, value]) => `${JSON.stringify(name)} : ${value}`).join(",")}}`,
      ),
  ),
})).value;

/** The text of every number according to JSON.parse; several times slower than parseJson. */
function markedBySource(_name: string, value: unknown, context?: { readonly source?: string }): unknown {
  return typeof value === "number" ? `\u0000${context?.source}` : value;
}

function unmarked(_name: string, value: unknown): unknown {
  return typeof value === "string" && value.startsWith("\u0000") ? Number(value.slice(1)) : value;
}

describe("numbers", () => {
  test("every number literal comes back with the digits that were sent", () => {
    fc.assert(
      fc.property(fc.array(literals, { maxLength: 8 }), (numbers) => {
        const text = `[${numbers.join(",")}]`;
        expect(writeJson(parseJson(text))).toBe(text);
      }),
    );
  });

  test.each([
    "0.00000001",
    "0.000000000000000001",
    "123456789.123456789123456789",
    "0.10",
    "9223372036854775807",
    "-9223372036854775808",
    "1e-8",
    "1.0000000000000001E-5",
    "2E+3",
    "-0.0",
    "0",
  ])("%s keeps every digit", (digits) => {
    expect(writeJson(parseJson(`{"a":${digits}}`))).toBe(`{"a":${digits}}`);
    expect(decimal.parse(parseJson(digits)).equals(Decimal.of(digits))).toBe(true);
  });

  test("every number of a document stays in its place, whatever the names and their order", () => {
    fc.assert(
      fc.property(documents, (document) => {
        const text = ` ${document}\n`;
        expect(parseJson(text)).toEqual(JSON.parse(text, markedBySource));
        expect(JSON.stringify(parseJson(text))).toBe(JSON.stringify(JSON.parse(text, markedBySource)));
      }),
      runsOf(333, 1000),
    );
  });

  test.each([
    ["0.00000001", "0.00000001"],
    ["0.30000000000000004", "0.30000000000000004"],
    ["20999999.97690000", "20999999.97690000"],
    ["0.000000000000000001", "0.000000000000000001"],
    ["123456789.987654321987654321", "123456789.987654321987654321"],
    ["1e-18", "0.000000000000000001"],
  ])("an amount of %s is written as %s, and read back the same", (amount, digits) => {
    const written = writeJson({ amount: Decimal.of(amount) });
    expect(written).toBe(`{"amount":${digits}}`);
    const read = z.object({ amount: decimal }).parse(parseJson(written));
    expect(read.amount.toString()).toBe(digits);
    expect(writeJson(read)).toBe(written);
  });

  test("an int64 nonce and a decimal are written as plain numbers, without an exponent", () => {
    const body = { nonce: 2n ** 63n - 1n, amount: Decimal.of("1e-8"), left: undefined };
    expect(writeJson(body)).toBe('{"nonce":9223372036854775807,"amount":0.00000001}');
    expect(int64.parse(parseJson("9223372036854775807"))).toBe(2n ** 63n - 1n);
  });

  test("a binary float is never written", () => {
    for (const value of [0.1, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY, 1e21])
      expect(() => writeJson({ value })).toThrow(RangeError);
  });

  test("a number and a text of the same digits stay apart", () => {
    expect(decimal.safeParse(parseJson('"0.1"')).success).toBe(false);
    expect(writeJson(parseJson('[1,"1"]'))).toBe('[1,"1"]');
  });
});

describe("structure", () => {
  test("every JSON value is read as JSON.parse reads it, once the numbers' marks are taken off", () => {
    const values = fc.jsonValue({ maxDepth: 5, stringUnit: "binary" });
    fc.assert(
      fc.property(
        fc.oneof(
          values.map((value) => JSON.stringify(value)),
          documents,
        ),
        (text) => {
          fc.pre(!text.includes('"\\u0000'));
          expect(JSON.parse(JSON.stringify(parseJson(text)), unmarked)).toEqual(JSON.parse(text));
        },
      ),
      runsOf(333, 1000),
    );
  });

  test.each([
    String.raw`"\"12\""`,
    String.raw`"\\"`,
    String.raw`"a\\\"1,2"`,
    String.raw`{"\\":["\"",{"a\"b":"\\\\"}]}`,
    String.raw`"12\u0000"`,
    String.raw`"\"\u0000"`,
    String.raw`"\\u0000"`,
    '"-1e5"',
    '"\ud83d\ude00"',
    String.raw`"\ud800"`,
  ])("quotes, backslashes and NUL do not shift where a text ends: %s", (text) => {
    expect(parseJson(text)).toEqual(JSON.parse(text));
  });

  test("a text that begins with NUL is refused, because it would pass for a number", () => {
    expect(() => parseJson(String.raw`{"amount":"\u00005"}`)).toThrow(SyntaxError);
    expect(() => parseJson(String.raw`{"\u0000a":1}`)).toThrow(SyntaxError);
  });
});

describe("what JSON.parse refuses is refused", () => {
  test.each([
    "",
    " ",
    "01",
    "-",
    "1.",
    ".5",
    "+1",
    "1e",
    "1e+",
    "0x1",
    "NaN",
    "--1",
    "1 2",
    "[1,]",
    "[1",
    "{1:2}",
    '{"a":1,2:3}',
    "{ 1 \n:2}",
    "{a:1}",
    "'a'",
    '"a',
    '"\\"',
    '"\n"',
    "[1]]",
    "nul",
    "true1",
    '1"a"',
    "\ufeff1",
    "1\u00a0",
    '["a" 1]',
  ])("%j", (text) => {
    expect(() => JSON.parse(text)).toThrow();
    expect(() => parseJson(text)).toThrow(SyntaxError);
  });

  test("also when good JSON is damaged in any place", () => {
    const damage = fc.record({
      text: fc.json({ maxDepth: 3 }),
      at: fc.nat(),
      cut: fc.nat(3),
      put: fc.oneof(
        fc.constantFrom(
          '"',
          "\\",
          "{",
          "}",
          "[",
          "]",
          ",",
          ":",
          "0",
          "1",
          "-",
          ".",
          "e",
          "+",
          " ",
          "\n",
          "t",
          "null",
          "\u0000",
        ),
        fc.string({ maxLength: 3 }),
      ),
    });
    fc.assert(
      fc.property(damage, ({ text, at, cut, put }) => {
        const place = at % (text.length + 1);
        const damaged = text.slice(0, place) + put + text.slice(place + cut);
        if (reads(() => parseJson(damaged))) expect(reads(() => JSON.parse(damaged))).toBe(true);
      }),
      runsOf(1000, 3000),
    );
  });
});

function reads(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
