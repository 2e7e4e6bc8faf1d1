/** How a number format displays the numbers and texts of cells: one of the workbook's own, or one built into every program. */
import {
  type BareDigits,
  bareDigitsOfFormat,
  hidesText,
  isDateFormat,
  type ShownDigits,
  shownDigitsOfFormat,
  showsDay,
  unitOfFormat,
} from "./number-formats.ts";

export interface FormatDisplay {
  /** Whether it shows a number as a date or a time. */
  readonly isDate: boolean;
  /** Whether such a date does not show which day of the month it is. */
  readonly hidesDay: boolean;
  /** What it shows beside the digits of a number, or instead of them. */
  readonly unit: string | undefined;
  /** Which whole numbers it shows as digits alone; undefined for all of them. */
  readonly bareDigits: BareDigits | undefined;
  /** How many digits it shows; undefined for as many as fit. */
  readonly shownDigits: ShownDigits | undefined;
  /** Whether it shows another text than the cell's, or none. */
  readonly hidesText: boolean;
}

export function displayOf(code: string): FormatDisplay {
  const isDate = isDateFormat(code);
  return {
    isDate,
    hidesDay: isDate && !showsDay(code),
    unit: isDate ? undefined : unitOfFormat(code),
    bareDigits: bareDigitsOfFormat(code),
    shownDigits: shownDigitsOfFormat(code),
    hidesText: hidesText(code),
  };
}

/** The format 0, and any that the workbook does not define. */
export const GENERAL: FormatDisplay = {
  isDate: false,
  hidesDay: false,
  unit: undefined,
  bareDigits: undefined,
  shownDigits: undefined,
  hidesText: false,
};

const DATE: FormatDisplay = { ...GENERAL, isDate: true };

/** ECMA-376 part 1, 18.8.30. What 27 to 36 and 50 to 58 show depends on the language of the program. */
const BUILT_IN: readonly (readonly [ids: string, display: FormatDisplay])[] = [
  ["1", displayOf("0")],
  ["2 4 39 40 43", displayOf("#,##0.00")],
  ["3 37 38 41", displayOf("#,##0")],
  ["5 6 7 8 42 44", { ...GENERAL, unit: "a national currency" }],
  ["9 10", { ...GENERAL, unit: "%" }],
  ["11", displayOf("0.00E+00")],
  ["12", displayOf("# ?/?")],
  ["13", displayOf("# ??/??")],
  ["14 15 16 22", DATE],
  ["17 18 19 20 21 45 46 47", { ...DATE, hidesDay: true }],
  ["27 28 29 30 31 32 33 34 35 36 50 51 52 53 54 55 56 57 58", DATE],
  ["48", displayOf("##0.0E+0")],
];

/** By format id. */
export const BUILT_IN_DISPLAYS: ReadonlyMap<number, FormatDisplay> = new Map(
  BUILT_IN.flatMap(([ids, display]) => ids.split(" ").map((id) => [Number(id), display] as const)),
);
