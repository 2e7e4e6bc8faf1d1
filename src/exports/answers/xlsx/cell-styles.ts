/** The cell formats of a sent workbook, plus a text column's and a marked variant of any format. */
import { ANSWER_MARK } from "../../../model/answer-columns.ts";
import {
  appendTo,
  attributeOf,
  elementsOf,
  indexOfElement,
  insertBefore,
  prefixOf,
  withAttribute,
} from "./xml-text.ts";

/** For a workbook without a styles part. */
const NO_STYLES =
  '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">' +
  '<fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts>' +
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders></styleSheet>';

export class CellStyles {
  private readonly sent: string;
  private readonly prefix: string;
  private readonly formats: string[];
  private readonly sentCount: number;
  private readonly markFill: number;
  private readonly earlierMarkFills: ReadonlySet<string>;
  private readonly twins = new Map<string, number>();

  constructor(xml: string | undefined) {
    this.prefix = prefixOf(xml ?? NO_STYLES, "styleSheet");
    this.sent = this.withCollections(xml ?? NO_STYLES);
    const fills = elementsOf(this.collection("fills"), `${this.prefix}fill`);
    this.markFill = fills.length;
    this.earlierMarkFills = new Set(
      fills.flatMap((fill, index) => (fill.includes(`"${ANSWER_MARK}"`) ? [String(index)] : [])),
    );
    this.formats = elementsOf(this.collection("cellXfs"), `${this.prefix}xf`);
    this.sentCount = this.formats.length;
  }

  /** The format of our columns: texts stay texts, and long ones wrap. */
  text(): number {
    const alignment = `<${this.prefix}alignment vertical="top" wrapText="1"/>`;
    const attributes =
      'numFmtId="49" fontId="0" fillId="0" borderId="0" applyNumberFormat="1" applyAlignment="1"';
    return this.twin("text", () => `<${this.prefix}xf ${attributes}>${alignment}</${this.prefix}xf>`);
  }

  marked(style: number): number {
    return this.twin(`marked ${style}`, () => this.filled(style, this.markFill));
  }

  /** Whether an earlier answer has marked cells of this workbook. */
  hasEarlierMarks(): boolean {
    return this.earlierMarkFills.size > 0;
  }

  /** The same format without an earlier answer's red. The cell's original fill is no longer known. */
  unmarked(style: number): number {
    const fill = attributeOf(this.formats[style] ?? "<xf>", "fillId") ?? "";
    return this.earlierMarkFills.has(fill)
      ? this.twin(`unmarked ${style}`, () => this.filled(style, 0))
      : style;
  }

  xml(): string {
    const color = `<${this.prefix}fgColor rgb="${ANSWER_MARK}"/><${this.prefix}bgColor indexed="64"/>`;
    const fill = `<${this.prefix}fill><${this.prefix}patternFill patternType="solid">${color}</${this.prefix}patternFill></${this.prefix}fill>`;
    const withFill = this.extended(this.sent, "fills", [fill], this.markFill + 1);
    return this.extended(withFill, "cellXfs", this.formats.slice(this.sentCount), this.formats.length);
  }

  private twin(key: string, make: () => string): number {
    const known = this.twins.get(key);
    if (known !== undefined) return known;
    const index = this.formats.push(make()) - 1;
    this.twins.set(key, index);
    return index;
  }

  private filled(style: number, fill: number): string {
    const format =
      this.formats[style] ?? this.formats[0] ?? `<${this.prefix}xf numFmtId="0" fontId="0" borderId="0"/>`;
    return withAttribute(withAttribute(format, "fillId", String(fill)), "applyFill", "1");
  }

  private collection(name: string): string {
    return elementsOf(this.sent, this.prefix + name)[0] ?? "";
  }

  private extended(xml: string, name: string, added: readonly string[], count: number): string {
    const start = indexOfElement(xml, this.prefix + name);
    const counted = xml.slice(0, start) + withAttribute(xml.slice(start), "count", String(count));
    return appendTo(counted, this.prefix + name, added.join(""));
  }

  /** Both collections are optional; the order of a style sheet's elements is fixed (ECMA-376 part 1, 18.8.39). */
  private withCollections(xml: string): string {
    const { prefix } = this;
    const pattern = (type: string) =>
      `<${prefix}fill><${prefix}patternFill patternType="${type}"/></${prefix}fill>`;
    const fills = `<${prefix}fills count="2">${pattern("none")}${pattern("gray125")}</${prefix}fills>`;
    const format = `<${prefix}xf numFmtId="0" fontId="0" fillId="0" borderId="0"/>`;
    const formats = `<${prefix}cellXfs count="1">${format}</${prefix}cellXfs>`;
    const withFills =
      indexOfElement(xml, `${prefix}fills`) >= 0 ? xml : insertBefore(xml, BEHIND_FILLS, fills);
    return indexOfElement(withFills, `${prefix}cellXfs`) >= 0
      ? withFills
      : insertBefore(withFills, BEHIND_FORMATS, formats);
  }
}

const BEHIND_FORMATS = ["cellStyles", "dxfs", "tableStyles", "colors", "extLst"];
const BEHIND_FILLS = ["borders", "cellStyleXfs", "cellXfs", ...BEHIND_FORMATS];
