import { expect, test } from "vitest";
import { displayOf } from "../../src/readers/xlsx/styles.ts";

test.each([
  "yyyy-mm-dd",
  "d.m.yy",
  "[$-407]d. mmm yyyy;@",
  "[h]:mm",
  "mm:ss.0",
  "AM/PM h",
  'ggge"年"m"月"d"日"',
  "[Red]d/m",
  // The name of General in some languages means nothing in a file: LibreOffice shows seconds and days.
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
  for (const code of shown) expect(displayOf(code), code).toMatchObject({ isDate: true, hidesNumber: false });
  for (const code of hidden) expect(displayOf(code), code).toMatchObject({ isDate: true, hidesNumber: true });
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
  ["$#,##0.00", "$"],
  ["[$€-407] #,##0.00", "€"],
  ['_("$"* #,##0.00_);_("$"* (#,##0.00)', "$"],
  ['_-* #,##0.00\\ "€"_-;\\-* #,##0.00\\ "€"_-;_-* "-"??\\ "€"_-;_-@_-', "€"],
  ['0.000\\ "mBTC"', "mBTC"],
  ['0.00 "BTC";[Red]-0.00 "BTC"', "BTC"],
  ['General "BTC"', "BTC"],
  ["0\\k\\r", "kr"],
  ['0 "of all"', "of all"],
  ['0 "sat/vB"', "sat/vB"],
])("the format %s shows a number with the unit %s", (code, unit) => {
  expect(displayOf(code)).toMatchObject({ hidesNumber: false, unit });
});

test.each([
  "#,##0.00,",
  "0.00,,;-0",
  "[>1]0.00;0%",
  '[=0]"-";0.00',
  ";;;",
  '"0.05"',
  "# ?/?",
  "0\\.00",
  "[White]0.00",
  "[>1][color 2]0;0",
  "0*0",
  "*10.00",
  '"."00',
  '0","00',
  "00-00",
  "0000 0000",
  "-0.00",
  "0.00-;0.00",
  "(0.00)",
  '"-"0.00',
  "[Red]\\-0.00",
  "0.0,[$BTC]",
  "[$₿]0.00,,\\ ;-0",
  '"BTC "# ?/?',
  '\\.0 "BTC"',
  '(0.00 "BTC")',
  '0.00" BTC in 2026.5"',
  "\\#0",
  '"INV-"0',
  '0"00"',
  "+0",
  "0,",
  "0.00E+00",
  "##0.0E+0",
  '0.00"',
])("the format %s may show another number", (code) => {
  expect(displayOf(code)).toMatchObject({ hidesNumber: true, unit: undefined });
});

test.each([
  [0, 1, ["0", "##0", "[Red]0;[Blue]-0", "* 0", "0_)", "[$-409]0", '0;-0 "owed"']],
  [0, 5, ["00000", "[$-409]00000", "00000;[Red]-00000", "00000_)", "#00000", "[Blue]00000\\ "]],
  [2, 1, ["0.00", "_(0.00_)", "0.00;\\-0.00;;@", "0.00_ ;[Red]-0.00 ", "0.#0", "0.0?"]],
  [2, 0, [".00", "#.##"]],
  [8, 1, ["0.00000000", "[$-409]0.00######"]],
])("with %s decimals, and %s digits before them at least, shows %s", (decimals, wholeMin, codes) => {
  for (const code of codes)
    expect(displayOf(code), code).toMatchObject({
      hidesNumber: false,
      unit: undefined,
      digits: { decimals, wholeMin, isGrouped: false },
    });
});

test("a number may be grouped by thousands, in the way of any language", () => {
  const codes = ["#,##0.00", "#,##0.00_);(#,##0.00)", "_-* #,##0.00_-;-* #,##0.00", "# ##0.00", "#\\'##0.00"];
  codes.push('_-* #,##0.00 _€_-;-* #,##0.00 _€_-;_-* "-"?? _€_-;_-@_-', "#,##0.00\\ ", "_(* #,##0.00_)");
  for (const code of codes)
    expect(displayOf(code), code).toMatchObject({
      hidesNumber: false,
      unit: undefined,
      digits: { decimals: 2, isGrouped: true },
    });
});

test.each(["", "General", "@", "G/標準", "G/通用格式", "general", "GENERAL", "General;-General"])(
  "the format %s shows all digits alone",
  (code) => {
    expect(displayOf(code)).toMatchObject({ hidesNumber: false, unit: undefined, digits: undefined });
  },
);

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
