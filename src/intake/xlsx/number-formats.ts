/**
 * How a number format displays the numbers and texts of cells: one of the workbook's own, or one built into every
 * program.
 */

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

/** Whether a format code shows a day or a time: `yyyy-mm-dd`, `[h]:mm`, but not `0.00 "days"` or `[Red]0`. */
function isDateFormat(code: string): boolean {
  const bare = code
    .replace(/"[^"]*"/g, "")
    .replace(/\\./g, "")
    .replace(/[_*]./g, "")
    .replace(/\[(?!(?:h+|m+|s+)\])[^\]]*\]/gi, "")
    .replace(/general/gi, "");
  return /[dmyhs]/i.test(bare);
}

/** Whether a format of dates shows the day of the month: not `mmm yyyy`, `dddd`, `hh:mm`, nor in white letters. */
function showsDay(code: string): boolean {
  return sectionsOfPositive(code).every(
    (section) => !WHITE.test(section) && /(?<!d)d{1,2}(?!d)/i.test(section.replace(LITERALS, " ")),
  );
}

/**
 * The text beside the digits of a positive number, if it changes their meaning: `€`, `%`, `mBTC`, `thousands`, `showing
 * nothing`. Undefined for a plain number: spaces, a plus, languages and colours other than white do not count.
 */
function unitOfFormat(code: string): string | undefined {
  const sections = sectionsOfPositive(code);
  const unit = sections.map(unitOfSection).find((each) => each !== undefined);
  // Of several sections one may be for negative numbers.
  const [only = "", another] = sections;
  const minus = another === undefined && showsMinus(only) ? "a minus sign" : undefined;
  return joined(unit, minus);
}

/** `-0.00`, `0.00-` and `(0.00)` show 5 as what is owed the other way round; `0.00 "(BTC)"` does not. */
function showsMinus(section: string): boolean {
  const shown = section.replace(
    LITERALS,
    (_, quoted = "", escaped = "", currency = "") => `${quoted}${escaped}${currency}`,
  );
  return /^[^0#?]*[-\u2212(]|[-\u2212)][^0#?]*$/.test(shown.replace(/e[+-]|\([\p{L}\p{Sc}]+\)/giu, ""));
}

/** How many digits a format shows after the decimal point, or in scientific notation after the first digit. */
export interface ShownDigits {
  readonly decimals: number;
  readonly isScientific: boolean;
}

/** For positive numbers: the section with the fewest digits; undefined if a format shows as many as fit. */
function shownDigitsOfFormat(code: string): ShownDigits | undefined {
  const [fewest] = sectionsOfPositive(code)
    .map(shownDigitsOfSection)
    .filter((digits) => digits !== undefined)
    .toSorted((one, other) => one.decimals - other.decimals);
  return fewest;
}

function shownDigitsOfSection(section: string): ShownDigits | undefined {
  const bare = section.replace(LITERALS, "").replaceAll(" ", "");
  if (!DIGIT_SHOWN.test(bare)) return undefined;
  const [, decimals = ""] = /\.([0#?]*)/.exec(bare) ?? [];
  return { decimals: decimals.length, isScientific: /e[+-]/i.test(bare) };
}

/** Of how many digits a whole number must be so that a format shows them alone, `min` of them with leading zeros. */
interface BareDigits {
  readonly min: number;
  readonly max: number;
}

/**
 * At least 5 digits for `00000`, any number for `General`, up to 3 for `#,##0`, and never (0) for `0.00`, `0000 0000` and
 * `0.00E+00`.
 */
function bareDigitsOfFormat(code: string): BareDigits {
  const [first, ...others] = sectionsOfPositive(code).map(bareDigitsOfSection);
  if (first === undefined) return ALWAYS_BARE;
  return others.every(({ min, max }) => min === first.min && max === first.max) ? first : NEVER_BARE;
}

function bareDigitsOfSection(section: string): BareDigits {
  const bare = section
    .replace(LITERALS, (all, quoted = "", escaped = "", currency = "") =>
      `${quoted}${escaped}${currency}`.trim() !== "" ? MARK : /^\[/.test(all) ? "" : " ",
    )
    .trim();
  if (GENERAL.test(bare) || /^#+$/.test(bare)) return ALWAYS_BARE;
  if (bare === "#,##0") return { min: 1, max: 3 };
  const [, zeros] = /^#*(0+)$/.exec(bare) ?? [];
  return zeros === undefined ? NEVER_BARE : { min: zeros.length, max: Infinity };
}

const GENERAL = /^(?:@|general|g\/\p{L}+)$/iu;
const ALWAYS_BARE: BareDigits = { min: 1, max: Infinity };
const NEVER_BARE: BareDigits = { min: 1, max: 0 };

/**
 * Whether the format shows a text as another text, with additions, or not at all. Spaces and colours other than white
 * do not count.
 */
function hidesText(code: string): boolean {
  const sections = [""];
  for (const token of code.match(TOKENS) ?? [])
    if (token === ";") sections.push("");
    else sections.push((sections.pop() ?? "") + token);
  const shown = sections.map((section) =>
    (WHITE.test(section) ? "" : section)
      .replace(LITERALS, (_, quoted = "", escaped = "", currency = "") =>
        `${quoted}${escaped}${currency}`.replaceAll("@", "a"),
      )
      .trim(),
  );
  // Texts use the fourth section, or the last one that contains @; without either they are shown as they are.
  const ofText =
    shown.length > NUMBER_SECTIONS ? shown[NUMBER_SECTIONS] : shown.findLast((each) => each.includes("@"));
  return ofText !== undefined && !/^(?:@|general)$/i.test(ofText);
}

/** A section with white letters, whatever the font's colour. */
const WHITE = /\[(?:white|color ?2)\]/i;
const QUOTED = /"[^"]*"|\\./g;

const TOKENS = /"[^"]*"?|\\.|[_*].|\[[^\]]*\]|[\s\S]/gu;
const NUMBER_SECTIONS = 3;

/** The sections that may apply to a positive number. */
function sectionsOfPositive(code: string): readonly string[] {
  if (code === "") return [];
  const sections = (code.match(SECTION) ?? [""]).filter((section) => !NEVER_POSITIVE.test(section));
  // A section with a condition may apply to any number; otherwise the first one is for positive numbers.
  const isConditional = sections.some((section) => CONDITION.test(section));
  return isConditional ? sections : sections.slice(0, 1);
}

/** A section: up to a `;` that is neither quoted nor escaped; skips empty ones except the first. */
const SECTION = /^(?=;|$)|(?:"[^"]*"|\\.|[^;"\\])+/g;
const CONDITION = /\[[<>=]/;
const NEVER_POSITIVE = /\[(?:=|<|<=)-?0\.?0*\]/;

/** Literal text, and parts that only affect layout: colours, conditions, languages, widths, fills. */
const LITERALS = /"([^"]*)"|\\(.)|\[\$([^\]-]*)[^\]]*\]|\[[^\]]*\]|[_*]./g;

function unitOfSection(section: string): string | undefined {
  const literals: string[] = [];
  const plain = CONDITION.test(section) ? section.replace(GROUP_OF_TWO, "") : section;
  const bare = plain.replace(LITERALS, (_, quoted = "", escaped = "", currency = "") => {
    literals.push(quoted, escaped, currency);
    return NO_MARK.test(`${quoted}${escaped}`) ? " " : MARK;
  });
  const beside = `${literals.join("")} ${bare.replace(NUMBER_CODES, " ")}`;
  const unit = beside.replace(NO_UNIT, " ").replace(/ +/g, " ").trim();
  if (WHITE.test(section)) return "white digits";
  if (/\*[\d.,]/.test(section.replace(QUOTED, ""))) return "digits that fill the cell";
  if (!NUMBER_SHOWN.test(bare)) return unit === "" ? "showing nothing" : `the text ${unit}`;
  // A currency beside the digits explains neither thousands nor fractions.
  return joined(unit || undefined, changeOfDigits(bare, literals));
}

function changeOfDigits(bare: string, literals: readonly string[]): string | undefined {
  if (/[0#?],+(?:[^0#?,]|$)/.test(bare)) return "thousands";
  if (/[0#?] *\/ *[0-9#?]/.test(bare)) return "fractions";
  const hasMark = POINT.test(literals.join("")) || AMONG_DIGITS.test(bare.replace(/e[+-]/i, ""));
  return hasMark ? "a mark among its digits" : undefined;
}

function joined(unit: string | undefined, change: string | undefined): string | undefined {
  return unit === undefined || change === undefined ? (unit ?? change) : `${unit}, ${change}`;
}

/** Points and commas as literals: with `0\.00`, 5 is shown as 0.05. */
const POINT = /[.,\u00b7\u201a\u066b\u066c]/;
const NO_MARK = /^[\s'\u2019]*$/;
const MARK = "-";
const AMONG_DIGITS = /[0#?.,][ ']*[^ '0#?.,][^0#?.,]*[0#?.,]/;
/** The only way to format lakhs and crores: `[>=100000]##\,##\,##0`. */
const GROUP_OF_TWO = /(?:\\,|",")(?=##)/g;

const DIGIT_SHOWN = /[0#?]/;
/** Includes "General" as East Asian programs write it: `G/標準`. */
const NUMBER_SHOWN = /[0#?@]|general|g\/\p{L}/iu;
const NUMBER_CODES = /general|g\/\p{L}+|e[+-]|[@0#?.,/]/giu;
/** Everything but letters, digits, currency signs, percent and per mille. */
const NO_UNIT = /[^\p{L}\p{N}\p{Sc}%‰‱％﹪٪]/gu;

/** The format 0, and any that the workbook does not define. */
export const GENERAL_DISPLAY: FormatDisplay = {
  isDate: false,
  hidesDay: false,
  unit: undefined,
  bareDigits: undefined,
  shownDigits: undefined,
  hidesText: false,
};

const DATE: FormatDisplay = { ...GENERAL_DISPLAY, isDate: true };

/** ECMA-376 part 1, 18.8.30. What 27 to 36 and 50 to 58 show depends on the language of the program. */
const BUILT_IN: readonly (readonly [ids: string, display: FormatDisplay])[] = [
  ["1", displayOf("0")],
  ["2 4 39 40 43", displayOf("#,##0.00")],
  ["3 37 38 41", displayOf("#,##0")],
  ["5 6 7 8 42 44", { ...GENERAL_DISPLAY, unit: "a national currency" }],
  ["9 10", { ...GENERAL_DISPLAY, unit: "%" }],
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
