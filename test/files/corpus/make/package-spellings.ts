/** Other spellings of the same package: each function turns a workbook's parts into others with the same meaning. */
import type { ZipPart } from "../../zip-writer.ts";
import { MAIN, RELATIONS } from "./excel-package.ts";

export type Respell = (parts: readonly ZipPart[]) => readonly ZipPart[];

/** Strict OOXML has its own namespaces (ECMA-376 part 1, annex A). */
export const inStrictNamespaces: Respell = (parts) =>
  parts.map((part) => ({
    ...part,
    data: String(part.data)
      .replaceAll(MAIN, "http://purl.oclc.org/ooxml/spreadsheetml/main")
      .replaceAll(RELATIONS, "http://purl.oclc.org/ooxml/officeDocument/relationships")
      .replace("<workbook ", '<workbook conformance="strict" '),
  }));

/** Every element carries a namespace prefix. */
export const withPrefixes: Respell = (parts) =>
  mainParts(parts, (xml) => xml.replace(/<(\/?)(?=[a-zA-Z]+[ />])/g, "<$1x:").replace("xmlns=", "xmlns:x="));

export const inUtf16: Respell = (parts) =>
  mainParts(parts, (xml) =>
    Buffer.from(`\ufeff${xml.replace('encoding="UTF-8"', 'encoding="UTF-16"')}`, "utf16le"),
  );

/** Rows and cells without references, so that their order counts; empty ones must then be written too. */
export const withoutReferences: Respell = (parts) =>
  parts.map((part) =>
    part.name.includes("worksheets/sheet")
      ? {
          ...part,
          data: String(part.data).replace(
            /(<(?:row|c))((?: [^>]*)?>)/g,
            (_, start: string, rest: string) => start + rest.replace(/ (?:r|spans)="[^"]*"/g, ""),
          ),
        }
      : part,
  );

export const withAbsoluteTargets: Respell = (parts) =>
  parts.map((part) =>
    part.name === "xl/_rels/workbook.xml.rels"
      ? { ...part, data: String(part.data).replace(/Target="/g, 'Target="/xl/') }
      : part,
  );

function mainParts(parts: readonly ZipPart[], change: (xml: string) => string | Buffer): readonly ZipPart[] {
  const isMain = (name: string) =>
    /^xl\/(?:workbook|sharedStrings|styles|worksheets\/sheet\d+)\.xml$/.test(name);
  return parts.map((part) => (isMain(part.name) ? { ...part, data: change(String(part.data)) } : part));
}
