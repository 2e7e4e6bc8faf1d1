import { expect, test } from "vitest";
import { dateOfSerial } from "../../src/intake/xlsx/date-serial.ts";
import {
  bareDigitsOfFormat,
  hidesText,
  isDateFormat,
  shownDigitsOfFormat,
  showsDay,
  unitOfFormat,
} from "../../src/intake/xlsx/number-formats.ts";

// ECMA-376 part 1, 18.17.4.1 to 18.17.4.3, and what Excel shows for the neighbours of its 29 February 1900.
test.each([
  ["1", "1900-01-01"],
  ["59", "1900-02-28"],
  ["61", "1900-03-01"],
  ["3687.4207639", "1910-02-03T10:05:54"],
  ["1.5", "1900-01-01T12:00:00"],
  ["2958465.9999884", "9999-12-31T23:59:59"],
  ["45992", "2025-12-01"],
  ["45992.0", "2025-12-01"],
  ["4.5992E4", "2025-12-01"],
  ["45992.520833333336", "2025-12-01T12:30:00"],
  ["45991.99999999", "2025-12-01"],
])("takes serial %s for %s in the system of 1900", (serial, date) => {
  expect(dateOfSerial(serial, 1900)).toBe(date);
});

test.each([
  ["0", "1904-01-01"],
  ["1", "1904-01-02"],
  ["2225.4207639", "1910-02-03T10:05:54"],
  ["44530", "2025-12-01"],
])("takes serial %s for %s in the system of 1904", (serial, date) => {
  expect(dateOfSerial(serial, 1904)).toBe(date);
});

test.each([
  ["0", "00:00:00"],
  ["0.75", "18:00:00"],
  ["0.99999999", "1900-01-01"],
])("takes serial %s for %s, a time without a day", (serial, time) => {
  expect(dateOfSerial(serial, 1900)).toBe(time);
});

test.each(["60", "60.5", "-1", "2958466", "2958465.999999", "1e300", "x", ""])(
  "does not take %j for a day",
  (serial) => {
    expect(dateOfSerial(serial, 1900)).toBeUndefined();
  },
);

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
  expect(isDateFormat(code)).toBe(true);
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
  expect(shown.map(showsDay)).toEqual(shown.map(() => true));
  expect(hidden.map(showsDay)).toEqual(hidden.map(() => false));
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
  expect(isDateFormat(code)).toBe(false);
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
  expect(unitOfFormat(code)).toBe(unit);
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
  expect(codes.map(unitOfFormat)).toEqual(codes.map(() => undefined));
});

test.each([
  [5, Infinity, ["00000", "[$-409]00000", "00000;[Red]-00000", "00000_)", "#00000", "[Blue]00000\\ "]],
  [1, Infinity, ["", "General", "G/標準", "@", "0", "#", "##0", "* 0", "General;-General"]],
  [1, 3, ["#,##0", "#,##0;[Red]-#,##0", "_-* #,##0_-"]],
  [1, 0, ["0.00", "0.#", "0000 0000", "0000\\ 0000", "00_-00", "0.00E+00", "##0.0E+0", "0####", "?00000"]],
  [1, 0, ["\\#0", '"INV-"0', '0"00"', "+0", "(0)", "0%", "0,", "[<=99999]00000;00000\\-0000"]],
])("whole numbers of %s to %s digits are shown as digits alone by %s", (min, max, codes) => {
  expect(codes.map(bareDigitsOfFormat)).toEqual(codes.map(() => ({ min, max })));
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
  expect(shownDigitsOfFormat(code)).toEqual(decimals === undefined ? undefined : { decimals, isScientific });
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
  expect(hidesText(code)).toBe(isHidden);
});
