/**
 * Packages that the standard allows and some program writes, though Excel does not: other parts, spellings and zips.
 */
import { zip } from "../../zip-writer.ts";
import { type ExcelPackage, excelFile, excelParts, SharedStrings } from "./excel-package.ts";
import {
  inStrictNamespaces,
  inUtf16,
  withAbsoluteTargets,
  withoutReferences,
  withPrefixes,
} from "./package-spellings.ts";
import { cell, inline, number, payoutRows, payoutXml, typedCells } from "./sheet-cells.ts";

export function unusualPackageFiles(): Readonly<Record<string, Buffer>> {
  return {
    "data-descriptors.xlsx": excelFile(plainBook(), { hasDataDescriptors: true }),
    "zip64.xlsx": excelFile(plainBook(), { isZip64: true }),
    "stored.xlsx": zip(excelParts(plainBook()).map((part) => ({ ...part, isStored: true }))),
    "strict.xlsx": strictFile(),
    "no-styles.xlsx": excelFile(
      withSheet(payoutXml({ text: inline, amount: number, date: inline }), ["xl/styles.xml"]),
    ),
    "no-dimension.xlsx": changed("xl/worksheets/sheet1.xml", (xml) => xml.replace(/<dimension[^>]*>/, "")),
    "no-references.xlsx": zip(withoutReferences(excelParts(plainBook()))),
    "no-shared-strings-part.xlsx": excelFile({ ...plainBook(), without: ["xl/sharedStrings.xml"] }),
    "shared-string-missing.xlsx": changed("xl/sharedStrings.xml", (xml) =>
      xml.replace(/<si>(?!.*<si>).*<\/si>/, ""),
    ),
    "absolute-targets.xlsx": zip(withAbsoluteTargets(excelParts(plainBook()))),
    "other-part-names.xlsx": otherPartNames(),
    "prefixed-elements.xlsx": zip(withPrefixes(excelParts(plainBook()))),
    "utf-16-parts.xlsx": zip(inUtf16(withPrefixes(excelParts(plainBook())))),
    "indented-xml.xlsx": changed("xl/worksheets/sheet1.xml", (xml) => xml.replace(/></g, ">\n  <")),
    "rows-out-of-order.xlsx": excelFile(withSheet(disordered())),
    "unknown-cell-type.xlsx": excelFile(withSheet(payoutXml({ text: inline, amount: odd, date: inline }))),
    "decimal-comma-number.xlsx": excelFile(
      withSheet(payoutXml({ text: inline, amount: comma, date: inline })),
    ),
  };
}

function plainBook(): ExcelPackage {
  const strings = new SharedStrings();
  return { sheets: [{ name: "Payouts", rows: payoutXml(typedCells(strings)) }], strings };
}

function withSheet(rows: string, without: readonly string[] = []): ExcelPackage {
  return { sheets: [{ name: "Payouts", rows }], without };
}

/** The plain workbook with the XML of one part changed. */
function changed(name: string, change: (xml: string) => string): Buffer {
  const parts = excelParts(plainBook());
  return zip(parts.map((part) => (part.name === name ? { name, data: change(String(part.data)) } : part)));
}

/** Strict writers keep dates as cells of type d. */
function strictFile(): Buffer {
  const strings = new SharedStrings();
  const date = (day: string) => cell('s="2" t="d"', `<v>${day}</v>`);
  const rows = payoutXml({ ...typedCells(strings), date });
  return zip(inStrictNamespaces(excelParts({ sheets: [{ name: "Payouts", rows }], strings })));
}

/** A workbook that only its relations lead to, named as by the SDK of some report generators. */
function otherPartNames(): Buffer {
  const renamed = (text: string) =>
    text
      .replaceAll("xl/workbook.xml", "office/book.xml")
      .replaceAll("worksheets/sheet1.xml", "data/Payouts.xml");
  const rename = (name: string) =>
    renamed(name.replace("xl/_rels/workbook.xml.rels", "office/_rels/book.xml.rels")).replace(
      /^xl\//,
      "office/",
    );
  const parts = excelParts(plainBook());
  return zip(
    parts.map(({ name, data }) => ({
      name: rename(name),
      data: renamed(String(data)).replaceAll('"/xl/', '"/office/'),
    })),
  );
}

function disordered(): string {
  const cells = { text: inline, amount: number, date: inline };
  const [header, first, ...others] = payoutRows(cells).map(
    ([line, made]) =>
      `<row r="${line}">${made.map((make, index) => make(`${String.fromCharCode(65 + index)}${line}`)).join("")}</row>`,
  );
  return [header, ...others, first].join("");
}

const odd = (text: string) => cell('t="decimal"', `<v>${text}</v>`);

/** Some report generators write numbers in their server's locale. */
const comma = (text: string) => cell("", `<v>${text.replace(".", ",")}</v>`);
