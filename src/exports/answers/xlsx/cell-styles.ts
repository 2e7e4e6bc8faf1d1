/** The cell formats of a sent workbook, plus a text column's, a marked variant of any format, and those of numbers. */
import { ANSWER_MARK } from "../../../model/answer-columns.ts";
import {
  appendTo,
  attributeOf,
  elementsOf,
  escapeXml,
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

export type CellStyles = ReturnType<typeof cellStyles>;

export function cellStyles(sentPart = NO_STYLES) {
  const prefix = prefixOf(sentPart, "styleSheet");
  const sent = withCollections(sentPart);
  const fills = elementsOf(collection("fills"), `${prefix}fill`);
  const markFill = fills.length;
  const earlierMarkFills = new Set(
    fills.flatMap((fill, index) => (fill.includes(`"${ANSWER_MARK}"`) ? [String(index)] : [])),
  );
  const formats = elementsOf(collection("cellXfs"), `${prefix}xf`);
  const sentCount = formats.length;
  const twins = new Map<string, number>();
  const numberFormats: string[] = [];
  return { text, number, marked, hasEarlierMarks, unmarked, xml: styleSheet };

  /** The format of our columns: texts stay texts, and long ones wrap. */
  function text(): number {
    const alignment = `<${prefix}alignment vertical="top" wrapText="1"/>`;
    const attributes =
      'numFmtId="49" fontId="0" fillId="0" borderId="0" applyNumberFormat="1" applyAlignment="1"';
    return twin("text", () => `<${prefix}xf ${attributes}>${alignment}</${prefix}xf>`);
  }

  /** A number format with this code; for a workbook that has none of its own. */
  function number(code: string): number {
    return twin(`number ${code}`, () => {
      const id = NUMBER_FORMAT_ID_START + numberFormats.length;
      numberFormats.push(`<${prefix}numFmt numFmtId="${id}" formatCode="${escapeXml(code)}"/>`);
      return `<${prefix}xf numFmtId="${id}" fontId="0" fillId="0" borderId="0" applyNumberFormat="1"/>`;
    });
  }

  function marked(style: number): number {
    return twin(`marked ${style}`, () => filled(style, markFill));
  }

  /** Whether an earlier answer has marked cells of this workbook. */
  function hasEarlierMarks(): boolean {
    return earlierMarkFills.size > 0;
  }

  /** The same format without an earlier answer's red. The cell's original fill is no longer known. */
  function unmarked(style: number): number {
    const fill = attributeOf(formats[style] ?? "<xf>", "fillId") ?? "";
    return earlierMarkFills.has(fill) ? twin(`unmarked ${style}`, () => filled(style, 0)) : style;
  }

  function styleSheet(): string {
    const color = `<${prefix}fgColor rgb="${ANSWER_MARK}"/><${prefix}bgColor indexed="64"/>`;
    const fill = `<${prefix}fill><${prefix}patternFill patternType="solid">${color}</${prefix}patternFill></${prefix}fill>`;
    const withFill = extended(withNumberFormats(), "fills", [fill], markFill + 1);
    return extended(withFill, "cellXfs", formats.slice(sentCount), formats.length);
  }

  function withNumberFormats(): string {
    if (numberFormats.length === 0) return sent;
    const made = `<${prefix}numFmts count="${numberFormats.length}">${numberFormats.join("")}</${prefix}numFmts>`;
    return insertBefore(sent, ["fonts", ...BEHIND_FILLS], made);
  }

  function twin(key: string, make: () => string): number {
    const known = twins.get(key);
    if (known !== undefined) return known;
    const index = formats.push(make()) - 1;
    twins.set(key, index);
    return index;
  }

  function filled(style: number, fill: number): string {
    const format = formats[style] ?? formats[0] ?? `<${prefix}xf numFmtId="0" fontId="0" borderId="0"/>`;
    return withAttribute(withAttribute(format, "fillId", String(fill)), "applyFill", "1");
  }

  function collection(name: string): string {
    return elementsOf(sent, prefix + name)[0] ?? "";
  }

  function extended(xml: string, name: string, added: readonly string[], count: number): string {
    const start = indexOfElement(xml, prefix + name);
    const counted = xml.slice(0, start) + withAttribute(xml.slice(start), "count", String(count));
    return appendTo(counted, prefix + name, added.join(""));
  }

  /** Both collections are optional; the order of a style sheet's elements is fixed (ECMA-376 part 1, 18.8.39). */
  function withCollections(xml: string): string {
    const pattern = (type: string) =>
      `<${prefix}fill><${prefix}patternFill patternType="${type}"/></${prefix}fill>`;
    const noFills = `<${prefix}fills count="2">${pattern("none")}${pattern("gray125")}</${prefix}fills>`;
    const format = `<${prefix}xf numFmtId="0" fontId="0" fillId="0" borderId="0"/>`;
    const oneFormat = `<${prefix}cellXfs count="1">${format}</${prefix}cellXfs>`;
    const withFills =
      indexOfElement(xml, `${prefix}fills`) >= 0 ? xml : insertBefore(xml, BEHIND_FILLS, noFills);
    return indexOfElement(withFills, `${prefix}cellXfs`) >= 0
      ? withFills
      : insertBefore(withFills, BEHIND_FORMATS, oneFormat);
  }
}

/** Those below are built into every program. */
const NUMBER_FORMAT_ID_START = 164;
const BEHIND_FORMATS = ["cellStyles", "dxfs", "tableStyles", "colors", "extLst"];
const BEHIND_FILLS = ["borders", "cellStyleXfs", "cellXfs", ...BEHIND_FORMATS];
