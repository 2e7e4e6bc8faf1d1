/** A book as flat OpenDocument, for LibreOffice to open and save as what its person wanted. */
import { escaped } from "../../corpus/make/excel-package.ts";
import type { Book, BookCell } from "./books.ts";

const NAMESPACES = ["office", "table", "text", "style", "fo"]
  .map((name) => {
    const family = name === "fo" ? "xsl-fo-compatible" : name;
    return `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${family}:1.0"`;
  })
  .concat('xmlns:number="urn:oasis:names:tc:opendocument:xmlns:datastyle:1.0"')
  .concat('xmlns:of="urn:oasis:names:tc:opendocument:xmlns:of:1.2"')
  .join(" ");

export function flatOpenDocument({ sheets, csv }: Book): string {
  const [language = "en", country = "US"] = (csv?.language ?? "en-US").split("-");
  const locale = `number:language="${language}" number:country="${country}"`;
  const styles =
    `<number:number-style style:name="N1" ${locale}><number:number number:decimal-places="8" loext:min-decimal-places="2" number:min-integer-digits="1"/></number:number-style>` +
    '<number:date-style style:name="D1"><number:year number:style="long"/><number:text>-</number:text><number:month number:style="long"/><number:text>-</number:text><number:day number:style="long"/></number:date-style>' +
    '<style:style style:name="amount" style:family="table-cell" style:data-style-name="N1"/>' +
    '<style:style style:name="day" style:family="table-cell" style:data-style-name="D1"/>' +
    '<style:style style:name="wide" style:family="table-column"><style:table-column-properties style:column-width="9cm"/></style:style>';
  const tables = sheets.map(({ name, rows }) => {
    const written = rows.map(
      (cells) =>
        `<table:table-row>${cells.map(cellOf).join("")}${cells.length === 0 ? "<table:table-cell/>" : ""}</table:table-row>`,
    );
    return `<table:table table:name="${name}"><table:table-column table:style-name="wide" table:number-columns-repeated="8"/>${written.join("")}</table:table>`;
  });
  return (
    `<?xml version="1.0" encoding="UTF-8"?><office:document ${NAMESPACES} xmlns:loext="urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0" ` +
    `office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.spreadsheet"><office:automatic-styles>${styles}</office:automatic-styles>` +
    `<office:body><office:spreadsheet>${tables.join("")}</office:spreadsheet></office:body></office:document>`
  );
}

function cellOf(cell: BookCell): string {
  if (cell === "") return "<table:table-cell/>";
  if (typeof cell === "string")
    return `<table:table-cell office:value-type="string"><text:p>${escaped(cell)}</text:p></table:table-cell>`;
  if ("d" in cell)
    return `<table:table-cell table:style-name="day" office:value-type="date" office:date-value="${cell.d}"/>`;
  const formula =
    "f" in cell ? ` table:formula="of:=${cell.f.replace(/([A-Z]\d+):([A-Z]\d+)/, "[.$1:.$2]")}"` : "";
  return `<table:table-cell table:style-name="amount"${formula} office:value-type="float" office:value="${"f" in cell ? cell.v : cell.n}"/>`;
}
