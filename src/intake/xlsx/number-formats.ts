/** Which cell styles of a workbook show a number as a date. Nothing else of a style is read. */
import type { FileLimits } from "../file-limits.ts";
import type { Archive } from "./archive.ts";
import { readXmlPart } from "./xml-part.ts";

/** The style indexes (attribute `s` of a cell) whose number format is a date or a time; empty without a styles part. */
export async function readDateStyles(
  archive: Archive,
  partName: string | undefined,
  limits: FileLimits,
): Promise<ReadonlySet<number>> {
  const dateStyles = new Set<number>();
  if (partName === undefined) return dateStyles;
  const dateFormats = new Set(BUILT_IN_DATE_FORMATS);
  let isInCellFormats = false;
  let style = 0;
  await readXmlPart(
    archive,
    partName,
    {
      open(name, attributes) {
        if (name === "numFmt") {
          const id = attributes["numFmtId"] ?? "";
          if (isDateFormat(attributes["formatCode"] ?? "")) dateFormats.add(id);
          else dateFormats.delete(id);
        } else if (name === "cellXfs") {
          isInCellFormats = true;
        } else if (name === "xf" && isInCellFormats) {
          if (dateFormats.has(attributes["numFmtId"] ?? "")) dateStyles.add(style);
          style += 1;
        }
      },
      close(name) {
        if (name === "cellXfs") isInCellFormats = false;
      },
    },
    limits,
  );
  return dateStyles;
}

/** Whether a format code shows a day or a time: `yyyy-mm-dd`, `[h]:mm`, but not `0.00 "days"` or `[Red]0`. */
export function isDateFormat(code: string): boolean {
  const bare = code
    .replace(/"[^"]*"/g, "")
    .replace(/\\./g, "")
    .replace(/[_*]./g, "")
    .replace(/\[(?!(?:h+|m+|s+)\])[^\]]*\]/gi, "")
    .replace(/general/gi, "");
  return /[dmyhs]/i.test(bare);
}

/** ECMA-376 part 1, 18.8.30: those of all languages, then those of East Asian ones. */
const BUILT_IN_DATE_FORMATS: readonly string[] = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
].flatMap(([from = 0, to = 0]) => Array.from({ length: to - from + 1 }, (_, index) => String(from + index)));
