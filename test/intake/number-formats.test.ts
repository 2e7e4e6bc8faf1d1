import { expect, test } from "vitest";
import { displayOf } from "../../src/intake/xlsx/number-formats.ts";

test.each([
  "yyyy-mm-dd",
  "d.m.yy",
  "[$-407]d. mmm yyyy;@",
  "[h]:mm",
  "mm:ss.0",
  "AM/PM h",
  'ggge"年"m"月"d"日"',
  "[Red]d/m",
  // The name that some languages have for General is none in a file: LibreOffice shows seconds and days.
  "Standard",
])("takes the format %s for one of dates", (code) => {
  expect(displayOf(code).isDate).toBe(true);
});

test("a day is shown by its number, not by its month, its weekday or its time, nor in white", () => {
  const shown = [
    "yyyy-mm-dd",
    "d",
    "dd/mm/yy;@",
    "d-mmm",
    "[$-F800]dddd, mmmm dd, yyyy",
    'd"."mm".yy"',
    "m/d h:mm",
  ];
  const hidden = [
    "mmm yyyy",
    "dddd",
    "hh:mm",
    "[h]:mm",
    'yyyy"-01-01"',
    ";yyyy-mm-dd",
    "[White]yyyy-mm-dd",
    "yyyy\\d",
  ];
  for (const code of shown) expect(displayOf(code), code).toMatchObject({ isDate: true, hidesDay: false });
  for (const code of hidden) expect(displayOf(code), code).toMatchObject({ isDate: true, hidesDay: true });
});

test.each([
  "General",
  "0.00",
  '0 "days"',
  "#,##0.00\\ \\d",
  "[Red]0;[Blue]-0",
  "0.00E+00",
  "@",
  "_-* #,##0.00_-",
  "[$USD] 0",
  "0_d",
  "[>100]0",
])("does not take the format %s for one of dates", (code) => {
  expect(displayOf(code).isDate).toBe(false);
});

test.each([
  ["0.00%", "%"],
  ["#,##0.00,", "thousands"],
  ["0.00,,;-0", "thousands"],
  ["$#,##0.00", "$"],
  ["[$€-407] #,##0.00", "€"],
  ['_("$"* #,##0.00_);_("$"* (#,##0.00)', "$"],
  ['0.000\\ "mBTC"', "mBTC"],
  ['0.00 "BTC";[Red]-0.00 "BTC"', "BTC"],
  ["0\\k\\r", "kr"],
  ['0 "of all"', "of all"],
  ["[>1]0.00;0%", "%"],
  [";;;", "showing nothing"],
  ['"0.05"', "the text 0 05"],
  ["# ?/?", "fractions"],
  ["0.00\\％", "％"],
  ["0\\.00", "a mark among its digits"],
  ["[White]0.00", "white digits"],
  ["[>1][color 2]0;0", "white digits"],
  ["0*0", "digits that fill the cell"],
  ["*10.00", "digits that fill the cell"],
  ['"."00', "a mark among its digits"],
  ['0","00', "a mark among its digits"],
  ["00-00", "a mark among its digits"],
  ["-0.00", "a minus sign"],
  ["0.00-;0.00", "a minus sign"],
  ["(0.00)", "a minus sign"],
  ['"-"0.00', "a minus sign"],
  ["[Red]\\-0.00", "a minus sign"],
  ["0.0,[$BTC]", "BTC, thousands"],
  ["[$₿]0.00,,\\ ;-0", "₿, thousands"],
  ['"BTC "# ?/?', "BTC, fractions"],
  ['\\.0 "BTC"', "BTC, a mark among its digits"],
  ['-0.00 "BTC"', "BTC, a minus sign"],
  ["[$BTC] 0.00-", "BTC, a minus sign"],
  ['0.00- "BTC"', "BTC, a minus sign"],
  ['(0.00 "BTC")', "BTC, a minus sign"],
  ['(0.00) "(BTC)"', "BTC, a minus sign"],
  ['0.00 "(BTC)"', "BTC"],
])("the format %s shows a number with %s", (code, unit) => {
  expect(displayOf(code).unit).toBe(unit);
});

test.each([
  [
    "#\\'##0.00",
    "#,##0.00\\ ",
    "[>=100000]##\\,##\\,##0.00;##,##0.00",
    "_(0.00_)",
    "0.0\\ 0",
    "##0.0E+0",
    "_(* #,##0.0_)",
  ],
  ["", "General", "@", "0.00000000", "#,##0.00_);(#,##0.00)", "_-* #,##0.00_-;-* #,##0.00", "0.00E+00"],
  [
    "# ##0.000 000 00",
    "[Red]0.0;[Blue]-0.0",
    "[$-409]0.00",
    '0.00;-0.00 "owed"',
    "0.00;\\-0.00;;@",
    "[<1]0.000;0.0",
    "+0.0",
  ],
  ["G/標準", "G/通用格式", "general", '[=0]"-";0.00', '[<0]"owed";0.0', "0.00_ ;[Red]-0.00 ", "GENERAL"],
])("the formats %s, %s, %s, %s, %s, %s and %s show it alone", (...codes) => {
  expect(codes.map((code) => displayOf(code).unit)).toEqual(codes.map(() => undefined));
});

test.each([
  [5, Infinity, ["00000", "[$-409]00000", "00000;[Red]-00000", "00000_)", "#00000", "[Blue]00000\\ "]],
  [1, Infinity, ["", "General", "G/標準", "@", "0", "#", "##0", "* 0", "General;-General"]],
  [1, 3, ["#,##0", "#,##0;[Red]-#,##0", "_-* #,##0_-"]],
  [1, 0, ["0.00", "0.#", "0000 0000", "0000\\ 0000", "00_-00", "0.00E+00", "##0.0E+0", "0####", "?00000"]],
  [1, 0, ["\\#0", '"INV-"0', '0"00"', "+0", "(0)", "0%", "0,", "[<=99999]00000;00000\\-0000"]],
])("whole numbers of %s to %s digits are shown as digits alone by %s", (min, max, codes) => {
  expect(codes.map((code) => displayOf(code).bareDigits)).toEqual(codes.map(() => ({ min, max })));
});

test.each([
  ["General", undefined, false],
  ["@", undefined, false],
  ["0", 0, false],
  ["#,##0.00_);(#,##0.00)", 2, false],
  ['_-* #,##0.00 _€_-;-* #,##0.00 _€_-;_-* "-"?? _€_-;_-@_-', 2, false],
  ["0.000 000 00", 8, false],
  ["0.0####", 5, false],
  [".00", 2, false],
  ['0.00" BTC in 2026.5"', 2, false],
  ["0.00;-0.0000", 2, false],
  ["[<1]0.000;0.0", 1, false],
  ["0.00E+00", 2, true],
])("of the format %s shows so many decimals: %s", (code, decimals, isScientific) => {
  expect(displayOf(code).shownDigits).toEqual(
    decimals === undefined ? undefined : { decimals, isScientific },
  );
});

test.each([
  [";;;", true],
  ["0.00;-0.00;;", true],
  ['General;General;General;"bc1qother"', true],
  ['@"-old"', true],
  ['0;-0;"@"@', true],
  [';;;"@"', true],
  ["@", false],
  ["General", false],
  ["", false],
  ["0.00", false],
  ["0.00;-0.00;", false],
  ['_-* #,##0.00 _€_-;-* #,##0.00 _€_-;_-* "-"?? _€_-;_-@_-', false],
  ["0.00;-0.00;0.00;[Red]@\\ ", false],
  ["0;0;0;[White]@", true],
  ["[White]0;0;0", false],
  ['0;-0;0;" "@', false],
  ["0;-0;0;General", false],
  ['0";";-0;0;@', false],
])("whether the format %s hides a text: %s", (code, isHidden) => {
  expect(displayOf(code).hidesText).toBe(isHidden);
});
