import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { guardFormula, unguardFormula } from "../../src/model/formula-guard.ts";

describe("the formula guard", () => {
  // OWASP, CSV injection: the characters with which a cell may begin a formula.
  test.each(["=1+1", "+1", "-1+cmd|' /C calc'!A0", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1", "'=1", "''=1"])(
    "does not let a spreadsheet program run %j",
    (text) => {
      expect(guardFormula(text)).toBe(`'${text}`);
    },
  );

  test.each(["-0.05", "-1,234.50", "5", "INV-77", "'quoted'", "", "a=b"])("leaves %j as it is", (text) => {
    expect(guardFormula(text)).toBe(text);
  });

  test("gives back every text that it guarded", () => {
    const unit = fc.constantFrom("'", "=", "+", "-", "@", "\t", "1", ".", "a", " ");
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 6 }), (text) => {
        expect(unguardFormula(guardFormula(text))).toBe(text);
      }),
    );
  });
});
