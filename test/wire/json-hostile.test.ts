/** JSON made to confuse or exhaust us is refused, or read without harm. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decimal, int64, integer, parseJson, payout, RefusedJson, writeJson } from "../../src/wire/index.ts";

describe("levels", () => {
  test("five hundred are read, and every number in them", () => {
    const text = `${'{"7":['.repeat(250)}1.50${"]}".repeat(250)}`;
    expect(writeJson(parseJson(text))).toBe(text);
  });

  test.each([
    ["one more", `${"[".repeat(501)}${"]".repeat(501)}`],
    ["a million", `${"[".repeat(1_000_000)}${"]".repeat(1_000_000)}`],
    ["ten million that never close", "[".repeat(10_000_000)],
    ["ten million objects that never close", '{"a":'.repeat(10_000_000)],
  ])("%s: a SyntaxError, not an overflow of the stack", (_how, text) => {
    expect(() => parseJson(text)).toThrow(new SyntaxError("more than 500 levels"));
  });

  test("brackets in texts are no levels, and those beside each other do not add up", () => {
    expect(parseJson(`["${"[".repeat(1000)}"]`)).toEqual(["[".repeat(1000)]);
    expect(parseJson(`[${"[],{},".repeat(1000)}1]`)).toHaveLength(2001);
  });
});

describe("what takes long to judge, and nobody means, is refused at once", () => {
  const SIZE = 3_000_000;
  const filled = (unit: string) => Array(Math.floor(SIZE / (unit.length + 1))).fill(unit);
  const named = (nameOf: (number: number) => number | string) =>
    `{${Array.from({ length: 100_000 }, (_, number) => `"${nameOf(number)}":""`).join(",")}}`;

  test.each([
    ["numbers", `[${filled("1")}]`, "hardly more than brackets and digits"],
    ["empty objects", `{"results":{"content":[${filled("{}")}]}}`, "hardly more than brackets and digits"],
    ["empty lists", `[${filled("[]")}]`, "hardly more than brackets and digits"],
    ["an object with many members", named((number) => `k${number}`), "an object of more than 1000 members"],
    ["an object like an array", named((number) => 7919 * number), "an object of more than 1000 members"],
  ])("%s", (_what, text, reason) => {
    expect(() => parseJson(text)).toThrow(new RefusedJson(reason));
  });

  test.each([
    ["one number in each pair of members", `[${filled('{"currency":"BTC","amount":0.1}')}]`],
    ["a text for each", `[${filled('"a"')}]`],
  ])("%s is not", (_what, text) => {
    expect(writeJson(parseJson(text))).toBe(text);
  });
});

describe("two members of one name", () => {
  test.each([
    '{"amount":1,"amount":2}',
    '{"amount":1,"amount":1}',
    '{"results":[{"a":{"amount":1,"currency":"BTC","amount":2}}]}',
    String.raw`{"amount":1,"\u0061mount":2}`,
    '{"a":{},"a":{}}',
    '{"":1,"":2}',
    '{"7":1,"7":2}',
    '{"__proto__":1,"__proto__":2}',
    // One member is lost; the empty object adds none.
    '[{"a":1,"a":2},{}]',
  ])("are refused on request, because nobody knows which of them counts: %s", (text) => {
    expect(() => parseJson(text, "refused")).toThrow(
      new RefusedJson("an object has two members of one name"),
    );
  });

  test.each(['[{"a":1},{"a":2}]', '{"a":{"a":1},"A":2}', '{"a":":","b":"\\":\\"","c":"{\\"a\\":1}"}'])(
    "are not seen where there are none: %s",
    (text) => {
      expect(writeJson(parseJson(text))).toBe(text);
    },
  );

  test("are refused wherever one member of a good object is repeated", () => {
    const members = fc.uniqueArray(fc.tuple(fc.string({ minLength: 1 }), fc.jsonValue()), {
      minLength: 1,
      selector: ([name]) => name,
    });
    fc.assert(
      fc.property(members, fc.nat(), fc.jsonValue(), (good, at, again) => {
        const [name = ""] = good[at % good.length] ?? [];
        const written = [...good, [name, again] as const].map(
          ([member, value]) => `${JSON.stringify(member)}:${JSON.stringify(value)}`,
        );
        expect(() => parseJson(`[{${written.slice(0, -1).join(",")}}]`, "refused")).not.toThrow();
        expect(() => parseJson(`[{${written.join(",")}}]`, "refused")).toThrow(SyntaxError);
      }),
    );
  });
});

describe("names that mean something to ECMAScript", () => {
  test.each([
    '{"__proto__":{"polluted":1}}',
    '{"__proto__":1}',
    '{"constructor":{"prototype":{"polluted":1}}}',
  ])("are members like any other, and change no prototype: %s", (text) => {
    const read = parseJson(text);
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
    expect(Reflect.get({}, "polluted")).toBeUndefined();
    expect(writeJson(read)).toBe(text);
  });

  test("a payout does not inherit its fields", () => {
    const id = "6f1cbb7e-0000-4000-8000-000000000001";
    const own = `"payoutId":"${id}","accountId":"${id}","payoutState":"SENT","requestedAmount":{"currency":"BTC","amount":1}`;
    const read = payout.parse(parseJson(`{"__proto__":{"reference":"FORGED"},${own}}`));
    expect(read.reference).toBeUndefined();
    expect(payout.safeParse(parseJson(`{"__proto__":{${own}}}`)).success).toBe(false);
  });

  test("numbers named like array indexes are not taken for each other", () => {
    const read = parseJson('{"b":0.1,"10":0.2,"9":{"z":0.3,"0":0.4},"a":0.5}');
    expect(writeJson(read)).toBe('{"9":{"0":0.4,"z":0.3},"10":0.2,"b":0.1,"a":0.5}');
  });
});

describe("a number of a million digits", () => {
  const digits = "7".repeat(1_000_000);

  test("is read and written as it is", () => {
    expect(writeJson(parseJson(`[-${digits}.${digits}]`)) === `[-${digits}.${digits}]`).toBe(true);
  });

  test.each([
    ["decimal", decimal, "a number of at most 1000 characters"],
    ["int64", int64, "an int64"],
    ["integer", integer, "an integer"],
  ])("is no %s, and the reason stays readable", (_name, schema, reason) => {
    for (const text of [digits, `-${digits}`, `0.${digits}`]) {
      const message = schema.safeParse(parseJson(text)).error?.issues[0]?.message ?? "";
      expect(message).toContain(`is not ${reason}`);
      expect(message.length).toBeLessThan(200);
    }
  });

  test("has a thousand characters too many: up to a thousand are an amount", () => {
    expect(decimal.parse(parseJson(digits.slice(0, 1000))).toString()).toBe(digits.slice(0, 1000));
    expect(decimal.safeParse(parseJson(digits.slice(0, 1001))).success).toBe(false);
    expect(decimal.parse(parseJson("1e999")).toString()).toHaveLength(1000);
    for (const far of ["1e1000", "1E+9999", "1e-99999"])
      expect(decimal.safeParse(parseJson(far)).success).toBe(false);
  });
});
