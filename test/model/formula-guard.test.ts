import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { guardFormula, unguardFormula } from "../../src/model/formula-guard.ts";

describe("the formula guard", () => {
  // OWASP, CSV injection: the characters with which a cell may begin a formula.
  test.each(["=1+1", "+1", "-1+cmd|' /C calc'!A0", "@SUM(A1)", "＝1", "-5+1"])(
    "does not let a spreadsheet program run %j",
    (text) => {
      expect(guardFormula(text)).toBe(`'${text}`);
    },
  );

  test.each([
    ["'=1", "''=1"],
    ["\t=1", "\t'=1"],
    ["Acme;=WEBSERVICE(A1)", "Acme;'=WEBSERVICE(A1)"],
    ["Acme,@SUM(A1),'-x", "Acme,'@SUM(A1),''-x"],
    ['x;"=1+1;y', `x;"'=1+1;y`],
    ["two\r\n+1+1\nlines", "two\r\n'+1+1\nlines"],
  ])("nor one that divides %j at another mark or line", (text, guarded) => {
    expect(guardFormula(text)).toBe(guarded);
  });

  test.each([
    "-0.05",
    "-1,234.50",
    "5,-5",
    "-",
    "--",
    "EUR 100,-",
    "5,--;x",
    "a; =b",
    "INV-77",
    "'quoted'",
    "",
    "a=b",
  ])("leaves %j as it is", (text) => {
    expect(guardFormula(text)).toBe(text);
  });

  test("gives back every text that it guarded", () => {
    const unit = fc.constantFrom("'", '"', "=", "+", "-", "@", "\t", "\n", ";", ",", "1", ".", "a", " ");
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 8 }), (text) => {
        expect(unguardFormula(guardFormula(text))).toBe(text);
      }),
    );
  });
});
