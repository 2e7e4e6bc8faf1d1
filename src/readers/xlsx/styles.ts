/**
 * Reads how a workbook's styles show their cells: number formats, and strikethrough. Other formatting does not
 * matter.
 */
import { type Archive, malformed } from "./archive.ts";
import { type Attributes, isSet, readXmlPart } from "./xml-part.ts";

export interface CellStyle extends FormatDisplay {
  readonly isStruck: boolean;
  /** The code of one of the workbook's own number formats. */
  readonly format?: string;
}

export interface Styles {
  /** By style index (the attribute `s` of a cell). */
  readonly cells: readonly CellStyle[];
  /** The indexes of conditional formats that strike out. */
  readonly strikingRules: ReadonlySet<number>;
}

/** Fault: XLSX_MALFORMED for a number format longer than any program accepts. */
export async function readStyles(archive: Archive, partName: string | undefined): Promise<Styles> {
  const cells: CellStyle[] = [];
  const strikingRules = new Set<number>();
  if (partName === undefined) return { cells, strikingRules };
  let ruleCount = 0;
  /** By format id. */
  const formats = new Map<number, FormatDisplay & { format?: string }>(BUILT_IN_DISPLAYS);
  const struckFonts: boolean[] = [];
  const open = (name: string, attributes: Attributes, isForeign: boolean, path: readonly string[]) => {
    if (isForeign) return;
    const [, section, item] = path;
    if (section === "numFmts" && name === "numFmt") addFormat(attributes);
    else if (section === "fonts" && path.length === 3) struckFonts.push(false);
    else if (section === "fonts" && item === "font" && name === "strike")
      struckFonts[struckFonts.length - 1] = isSet(attributes);
    else if (section === "cellXfs" && name === "xf") addStyle(attributes);
    else if (section === "dxfs" && path.length === 3) ruleCount += 1;
    else if (section === "dxfs" && name === "strike" && isSet(attributes)) strikingRules.add(ruleCount - 1);
  };
  await readXmlPart(archive, partName, { open });
  return { cells, strikingRules };

  function addFormat({ numFmtId = "", formatCode = "" }: Attributes): void {
    // Matching a long format code would take too long.
    if (formatCode.length > FORMAT_CODE_LENGTH_MAX)
      throw malformed(`a number format of its styles has ${formatCode.length} characters`, archive.path);
    formats.set(Number(numFmtId), { ...displayOf(formatCode), format: formatCode });
  }

  function addStyle({ numFmtId = "", fontId = "" }: Attributes): void {
    const display = formats.get(Number(numFmtId)) ?? GENERAL_DISPLAY;
    cells.push({ ...display, isStruck: struckFonts[Number(fontId)] ?? false });
  }
}

/** Excel's own limit. */
const FORMAT_CODE_LENGTH_MAX = 255;

/** How a number format displays the numbers and texts of cells. */
interface FormatDisplay {
  /** Whether it shows a number as a date or a time. */
  readonly isDate: boolean;
  /** Whether it may show a positive number as another one, or the date of one without its day. */
  readonly hidesNumber: boolean;
  /** Whether it shows another text than the cell's, or nothing. */
  readonly hidesText: boolean;
  /** The text that it shows beside the digits of a number: `€`, `%`, `mBTC`. */
  readonly unit: string | undefined;
  /** Undefined if it shows as many digits as fit. */
  readonly digits: ShownDigits | undefined;
}

interface ShownDigits {
  readonly decimals: number;
  /** For whole numbers, with leading zeros. */
  readonly wholeMin: number;
  readonly isGrouped: boolean;
}

/** Understands plain formats only. Any other may show something other than the cell's value. */
export function displayOf(code: string): FormatDisplay {
  let literals = "";
  let isFirstSection = true;
  const form = (code || "General").replace(TOKENS, (token, ...texts: (string | undefined)[]) => {
    const text = texts.slice(0, LITERAL_KINDS).find((each) => each !== undefined);
    if (token === ";") isFirstSection = false;
    if (token === ";" || (text !== undefined && NO_MARK.test(text))) return text ?? token;
    if (text === undefined) return DECEIVING.test(token) ? DECEPTION : "";
    if (isFirstSection) literals += text;
    return LITERAL;
  });
  const sections = form.split(";");
  const ofPositive = sections[0] ?? "";
  // A text uses the fourth section, or the last one that contains @; without either it is shown as it is.
  const ofText = sections[NUMBER_SECTIONS] ?? sections.findLast((each) => each.includes("@"));
  const hidesText = ofText !== undefined && !PLAIN_TEXT.test(ofText);
  const isDate = DATE_LETTER.test(form);
  const unit = literals.trim();
  const plain = (isDate ? SHOWS_DAY : PLAIN_NUMBER).exec(ofPositive);
  const hidesNumber = plain === null || form.includes(DECEPTION) || (!isDate && !UNIT.test(unit));
  if (isDate || hidesNumber || plain === null) return { ...GENERAL_DISPLAY, isDate, hidesNumber, hidesText };
  const { whole, zeros = "", grouped, decimals = "." } = plain.groups ?? {};
  const shown = { decimals: decimals.length - 1, wholeMin: zeros.length, isGrouped: grouped !== undefined };
  return {
    ...GENERAL_DISPLAY,
    hidesText,
    unit: unit || undefined,
    digits: whole === undefined ? undefined : shown,
  };
}

const NUMBER_SECTIONS = 3;

/**
 * The end of a section; quoted texts, escaped characters, currencies and signs; widths, fills, and everything in
 * brackets.
 */
const TOKENS = /;|"([^"]*)"|\\(.)|\[\$([^\]-]*)[^\]]*\]|([\p{Sc}%])|_.|\* |\[(?!(?:h+|m+|s+)\])[^\]]*\]/giu;
const LITERAL_KINDS = 4;
const LITERAL = "\0";
const NO_MARK = /^[\s'\u2019]*$/;

/** White letters, and conditions, because a condition may apply any section to a number. */
const DECEIVING = /^\[(?:white|color ?2\]|[<>=])/i;
const DECEPTION = "!";

const DATE_LETTER = /[dmyhs]/i;
/** The day of the month: not `mmm yyyy`, `dddd`, `hh:mm`. */
const SHOWS_DAY = /(?<!d)d{1,2}(?!d)/i;
const PLAIN_TEXT = /^ *(?:@|general) *$/i;
/**
 * Digits, with or without thousands groups, with literals around them. East Asian programs write "General" as
 * `G/標準`.
 */
const PLAIN_NUMBER = new RegExp(
  [
    String.raw`^[ \0]*(?:general|g\/\p{L}+|@|`,
    String.raw`(?=[#0.])(?<whole>(?<grouped>#{1,3}[,'\s\u2019]##0)|#*(?<zeros>0*))`,
    String.raw`(?<decimals>\.[0#?]+)?`,
    String.raw`)[ \0]*$`,
  ].join(""),
  "iu",
);
/** Punctuation and digits are excluded, because they could be taken for a part of the number. */
const UNIT = /^(?:[\p{L}\p{Sc}][\p{L}\p{Sc} /]*|%)?$/u;

/** The format 0, and any format that the workbook does not define. */
const GENERAL_DISPLAY: FormatDisplay = {
  isDate: false,
  hidesNumber: false,
  hidesText: false,
  unit: undefined,
  digits: undefined,
};

/** ECMA-376 part 1, 18.8.30. Formats 27 to 36 and 50 to 58 depend on the language of the program. */
const BUILT_IN: readonly (readonly [ids: string, code: string])[] = [
  ["1", "0"],
  ["2 4 39 40 43", "#,##0.00"],
  ["3 37 38 41", "#,##0"],
  ["5 6 7 8 42 44", '0 "a national currency"'],
  ["9 10", "0%"],
  ["11 48", "0.00E+00"],
  ["12 13", "# ?/?"],
  ["14 15 16 22 27 28 29 30 31 32 33 34 35 36 50 51 52 53 54 55 56 57 58", "d"],
  ["17 18 19 20 21 45 46 47", "h:mm"],
];

/** By format id. */
const BUILT_IN_DISPLAYS: ReadonlyMap<number, FormatDisplay> = new Map(
  BUILT_IN.flatMap(([ids, code]) => ids.split(" ").map((id) => [Number(id), displayOf(code)] as const)),
);

/** For a cell whose style is missing in the workbook. */
export const PLAIN_STYLE: CellStyle = { ...GENERAL_DISPLAY, isStruck: false };
