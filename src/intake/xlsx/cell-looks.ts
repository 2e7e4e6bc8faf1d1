/** What the styles of a workbook say about the meaning of its cells: dates, numbers with a unit, what is struck out. */
import type { FileLimits } from "../file-limits.ts";
import { type Archive, malformed } from "./archive.ts";
import {
  BUILT_IN_DATE_FORMATS,
  BUILT_IN_NUMBER_FORMATS,
  BUILT_IN_UNITS,
  hidesText,
  isDateFormat,
  type ShownDigits,
  shownDigitsOfFormat,
  unitOfFormat,
} from "./number-formats.ts";
import { isSet, readXmlPart } from "./xml-part.ts";
import type { Attributes } from "./xml-walker.ts";

/** By style indexes, the attribute `s` of a cell. */
export interface CellLooks {
  /** Those that show a number as a date or a time. */
  readonly dates: ReadonlySet<number>;
  /** Those that show a number with a unit, or not as it is. */
  readonly units: ReadonlyMap<number, string>;
  /** Those that show a whole number with zeros before it, and how many digits it has at least. */
  readonly digitsMin: ReadonlyMap<number, number>;
  /** Those that show a number with so many digits and no more. */
  readonly shownDigits: ReadonlyMap<number, ShownDigits>;
  /** Those that show another text than the cell holds, or none. */
  readonly hidingText: ReadonlySet<number>;
  readonly struck: ReadonlySet<number>;
}

/** Nothing special without a styles part. Fault: XLSX_MALFORMED for a number format that is longer than any program takes. */
export async function readCellLooks(
  archive: Archive,
  partName: string | undefined,
  limits: FileLimits,
): Promise<CellLooks> {
  const looks = {
    dates: new Set<number>(),
    units: new Map<number, string>(),
    digitsMin: new Map<number, number>(),
    shownDigits: new Map<number, ShownDigits>(),
    hidingText: new Set<number>(),
    struck: new Set<number>(),
  };
  if (partName === undefined) return looks;
  const dateFormats = new Set(BUILT_IN_DATE_FORMATS);
  const unitFormats = new Map(BUILT_IN_UNITS);
  const zeroFormats = new Map<string, number>();
  const digitFormats = new Map<string, ShownDigits>();
  const hidingFormats = new Set<string>();
  const struckFonts = new Set<string>();
  const path: string[] = [];
  let font = -1;
  let style = -1;

  const addFormat = ({ numFmtId: id = "", formatCode: code = "" }: Attributes) => {
    // The patterns by which it is read take time.
    if (code.length > FORMAT_CODE_LENGTH_MAX)
      throw malformed(`a number format of its styles has ${code.length} characters`, archive.path);
    dateFormats.delete(id);
    unitFormats.delete(id);
    zeroFormats.delete(id);
    digitFormats.delete(id);
    hidingFormats.delete(id);
    const unit = unitOfFormat(code);
    const shownDigits = shownDigitsOfFormat(code);
    if (isDateFormat(code)) dateFormats.add(id);
    else if (unit !== undefined) unitFormats.set(id, unit);
    else if (/^0{2,}$/.test(code)) zeroFormats.set(id, code.length);
    if (hidesText(code)) hidingFormats.add(id);
    if (shownDigits !== undefined) digitFormats.set(id, shownDigits);
  };
  for (const [numFmtId, formatCode] of BUILT_IN_NUMBER_FORMATS) addFormat({ numFmtId, formatCode });
  const addStyle = ({ numFmtId = "", fontId = "" }: Attributes) => {
    style += 1;
    const unit = unitFormats.get(numFmtId);
    const digitsMin = zeroFormats.get(numFmtId);
    if (dateFormats.has(numFmtId)) looks.dates.add(style);
    if (unit !== undefined) looks.units.set(style, unit);
    if (digitsMin !== undefined) looks.digitsMin.set(style, digitsMin);
    const shownDigits = digitFormats.get(numFmtId);
    if (shownDigits !== undefined) looks.shownDigits.set(style, shownDigits);
    if (hidingFormats.has(numFmtId)) looks.hidingText.add(style);
    if (struckFonts.has(fontId)) looks.struck.add(style);
  };
  const open = (name: string, attributes: Attributes, isForeign: boolean) => {
    const parent = path.at(-1);
    path.push(isForeign ? "" : name);
    if (isForeign) return;
    if (name === "numFmt" && parent === "numFmts") addFormat(attributes);
    else if (name === "font" && parent === "fonts") font += 1;
    else if (name === "strike" && path.at(-3) === "fonts" && isSet(attributes)) struckFonts.add(String(font));
    else if (name === "xf" && parent === "cellXfs") addStyle(attributes);
  };
  await readXmlPart(archive, partName, { open, close: () => path.pop() }, limits);
  return looks;
}

/** Excel's own limit. */
const FORMAT_CODE_LENGTH_MAX = 255;
