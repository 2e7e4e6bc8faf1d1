/** Files that lie, or are not what their name says; made byte by byte. */
import { zip } from "../../zip-writer.ts";
import { excelParts, MAIN, SharedStrings } from "./excel-package.ts";
import { payoutXml, typedCells } from "./sheet-cells.ts";

const SHEET = "xl/worksheets/sheet1.xml";

export function hostileFiles(): Readonly<Record<string, Buffer>> {
  return {
    "encrypted.xlsx": oleFile(["EncryptionInfo", "EncryptedPackage"]),
    "excel-97.xlsx": oleFile(["Workbook"]),
    "truncated.xlsx": whole().subarray(0, 1200),
    "wrong-checksum.xlsx": changedSheet({ declaredCrc: 1 }),
    "declares-less-than-it-holds.xlsx": changedSheet({ declaredBytes: 100 }),
    "bomb.xlsx": changedSheet({ data: Buffer.alloc(8 * 1024 * 1024, " ") }),
    "document-type.xlsx": changedSheet({
      data: `<!DOCTYPE worksheet [<!ENTITY a "0.05">]><worksheet xmlns="${MAIN}"><sheetData/></worksheet>`,
    }),
    "external-entity.xlsx": changedSheet({
      data: `<?xml version="1.0"?><!DOCTYPE worksheet [<!ENTITY a SYSTEM "file:///etc/hostname">]><worksheet xmlns="${MAIN}"><sheetData><row r="1"><c r="A1" t="str"><v>&a;</v></c></row></sheetData></worksheet>`,
    }),
    "same-part-twice.xlsx": zip([...parts(), { name: "XL/WorkSheets/Sheet1.xml", data: "<worksheet/>" }]),
    "path-out-of-the-archive.xlsx": zip([...parts(), { name: "../../evil.xml", data: "x" }]),
    "backslashes-in-names.xlsx": zip(
      parts().map((part) => ({ ...part, name: part.name.replaceAll("/", "\\") })),
    ),
    "two-names-for-one-part.xlsx": changedSheet({ localName: "xl/worksheets/sheet9.xml" }),
    "encrypted-part.xlsx": changedSheet({ flags: 1 }),
    "xml-not-closed.xlsx": changedSheet({ data: `<worksheet xmlns="${MAIN}"><sheetData><row r="1">` }),
    "binary-workbook.xlsx": binaryWorkbook(),
    "macros.xlsm": withMacros(),
    "macros-under-a-plain-name.xlsx": withMacros(),
    "excel-4-macro-sheet.xlsx": macroSheet(),
    "word.xlsx": zip([
      { name: "[Content_Types].xml", data: "<Types/>" },
      { name: "word/document.xml", data: "<a/>" },
    ]),
    "csv-in-a-zip.xlsx": zip([{ name: "payouts.csv", data: "reference,amount\nPAY-1,0.05\n" }]),
    "xml-spreadsheet-2003.xlsx": Buffer.from(
      '<?xml version="1.0"?>\r\n<?mso-application progid="Excel.Sheet"?>\r\n<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet ss:Name="Payouts"/></Workbook>\r\n',
    ),
  };
}

function parts() {
  const strings = new SharedStrings();
  return excelParts({ sheets: [{ name: "Payouts", rows: payoutXml(typedCells(strings)) }], strings });
}

function whole(): Buffer {
  return zip(parts());
}

function changedSheet(change: Partial<ReturnType<typeof parts>[number]>): Buffer {
  return zip(parts().map((part) => (part.name === SHEET ? { ...part, ...change } : part)));
}

/** Parts of a workbook in binary form: content types and relations, with nothing in XML behind them. */
function binaryWorkbook(): Buffer {
  const types =
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/xl/workbook.bin" ContentType="application/vnd.ms-excel.sheet.binary.macroEnabled.main"/></Types>';
  return zip([
    { name: "[Content_Types].xml", data: types },
    { name: "xl/workbook.bin", data: Buffer.from("8301000083010000", "hex") },
  ]);
}

function withMacros(): Buffer {
  const plain = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml";
  const own = parts().map((part) =>
    part.name === "[Content_Types].xml"
      ? {
          ...part,
          data: String(part.data).replace(plain, "application/vnd.ms-excel.sheet.macroEnabled.main+xml"),
        }
      : part,
  );
  return zip([...own, { name: "xl/vbaProject.bin", data: oleFile(["VBA"]) }]);
}

function macroSheet(): Buffer {
  const kind = "http://schemas.microsoft.com/office/2006/relationships/xlMacrosheet";
  const worksheet = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet";
  return zip(
    parts().map((part) =>
      part.name === "xl/_rels/workbook.xml.rels"
        ? { ...part, data: String(part.data).replace(worksheet, kind) }
        : part,
    ),
  );
}

const SECTOR_BYTES = 512;
const ENTRY_BYTES = 128;
const END_OF_CHAIN = 0xfffffffe;
const FREE = 0xffffffff;

/** A compound file ([MS-CFB] 2.2) with a table of sectors, a directory and one empty stream per name. */
function oleFile(streams: readonly string[]): Buffer {
  const header = Buffer.alloc(SECTOR_BYTES);
  Buffer.from("d0cf11e0a1b11ae1", "hex").copy(header);
  header.writeUInt16LE(0x3e, 24);
  header.writeUInt16LE(3, 26);
  header.writeUInt16LE(0xfffe, 28);
  header.writeUInt16LE(9, 30);
  header.writeUInt16LE(6, 32);
  header.writeUInt32LE(1, 44);
  header.writeUInt32LE(1, 48);
  header.writeUInt32LE(4096, 56);
  header.writeUInt32LE(END_OF_CHAIN, 60);
  header.writeUInt32LE(END_OF_CHAIN, 68);
  header.fill(0xff, 76);
  header.writeUInt32LE(0, 76);
  const sectors = Buffer.alloc(SECTOR_BYTES, 0xff);
  sectors.writeUInt32LE(0xfffffffd, 0);
  sectors.writeUInt32LE(END_OF_CHAIN, 4);
  const directory = Buffer.concat(["Root Entry", ...streams].map((name, index) => oleEntry(name, index)));
  return Buffer.concat([header, sectors, directory, Buffer.alloc(SECTOR_BYTES - directory.length)]);
}

function oleEntry(name: string, index: number): Buffer {
  const entry = Buffer.alloc(ENTRY_BYTES);
  entry.write(name, "utf16le");
  entry.writeUInt16LE((name.length + 1) * 2, 64);
  entry.writeUInt8(index === 0 ? 5 : 2, 66);
  entry.writeUInt8(1, 67);
  entry.writeUInt32LE(FREE, 68);
  entry.writeUInt32LE(FREE, 72);
  entry.writeUInt32LE(index === 0 ? 1 : FREE, 76);
  entry.writeUInt32LE(END_OF_CHAIN, 116);
  return entry;
}
