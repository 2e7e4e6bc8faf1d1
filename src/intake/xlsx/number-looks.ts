/** How the number formats of a workbook make cell styles show numbers and texts. */
import { malformed } from "./archive.ts";
import {
  type BareDigits,
  BUILT_IN_DATE_FORMATS,
  BUILT_IN_NUMBER_FORMATS,
  BUILT_IN_UNITS,
  bareDigitsOfFormat,
  hidesText,
  isDateFormat,
  type ShownDigits,
  shownDigitsOfFormat,
  unitOfFormat,
} from "./number-formats.ts";
import type { Attributes } from "./xml-walker.ts";

/** First add all formats, then the styles that use them; `looks` is by style index. */
export class NumberLooks {
  readonly looks = {
    dates: new Set<number>(),
    units: new Map<number, string>(),
    bareDigits: new Map<number, BareDigits>(),
    shownDigits: new Map<number, ShownDigits>(),
    hidingText: new Set<number>(),
  };
  private readonly path: string;
  private readonly dateFormats = new Set(BUILT_IN_DATE_FORMATS);
  private readonly unitFormats = new Map(BUILT_IN_UNITS);
  private readonly bareFormats = new Map<string, BareDigits>();
  private readonly digitFormats = new Map<string, ShownDigits>();
  private readonly hidingFormats = new Set<string>();

  constructor(path: string) {
    this.path = path;
    for (const [numFmtId, formatCode] of BUILT_IN_NUMBER_FORMATS) this.addFormat({ numFmtId, formatCode });
  }

  addFormat({ numFmtId: id = "", formatCode: code = "" }: Attributes): void {
    // Matching a long format code would take too long.
    if (code.length > FORMAT_CODE_LENGTH_MAX)
      throw malformed(`a number format of its styles has ${code.length} characters`, this.path);
    const formats = [
      this.dateFormats,
      this.unitFormats,
      this.bareFormats,
      this.digitFormats,
      this.hidingFormats,
    ];
    for (const each of formats) each.delete(id);
    const unit = unitOfFormat(code);
    const shownDigits = shownDigitsOfFormat(code);
    if (isDateFormat(code)) this.dateFormats.add(id);
    else if (unit !== undefined) this.unitFormats.set(id, unit);
    this.bareFormats.set(id, bareDigitsOfFormat(code));
    if (hidesText(code)) this.hidingFormats.add(id);
    if (shownDigits !== undefined) this.digitFormats.set(id, shownDigits);
  }

  addStyle(style: number, format: string): void {
    const { looks } = this;
    const unit = this.unitFormats.get(format);
    const bareDigits = this.bareFormats.get(format);
    const shownDigits = this.digitFormats.get(format);
    if (this.dateFormats.has(format)) looks.dates.add(style);
    if (unit !== undefined) looks.units.set(style, unit);
    if (bareDigits !== undefined) looks.bareDigits.set(style, bareDigits);
    if (shownDigits !== undefined) looks.shownDigits.set(style, shownDigits);
    if (this.hidingFormats.has(format)) looks.hidingText.add(style);
  }
}

/** Excel's own limit. */
const FORMAT_CODE_LENGTH_MAX = 255;
