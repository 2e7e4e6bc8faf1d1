/** Reads how a workbook's styles show their cells: number formats, and what is struck out. Other looks do not matter. */
import { type Archive, malformed } from "./archive.ts";
import { BUILT_IN_DISPLAYS, displayOf, type FormatDisplay, GENERAL_DISPLAY } from "./number-formats.ts";
import { type Attributes, isSet, readXmlPart } from "./xml-part.ts";

export interface CellStyle extends FormatDisplay {
  readonly isStruck: boolean;
  /** The code of one of the workbook's own number formats. */
  readonly format?: string;
}

/** For a cell whose style the workbook does not have. */
export const PLAIN_STYLE: CellStyle = { ...GENERAL_DISPLAY, isStruck: false };

/** By style index. Fault: XLSX_MALFORMED for a number format longer than any program accepts. */
export async function readStyles(archive: Archive, partName: string | undefined): Promise<CellStyle[]> {
  const cells: CellStyle[] = [];
  if (partName === undefined) return cells;
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
  };
  await readXmlPart(archive, partName, { open });
  return cells;

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
