/**
 * Books as Excel and Google write them: with shared strings, number formats, a table, names, panes and print
 * settings.
 */
import {
  escaped,
  excelFile,
  excelParts,
  MAIN,
  relation,
  SharedStrings,
  STYLE,
} from "../../corpus/make/excel-package.ts";
import { asGoogle } from "../../corpus/make/other-programs.ts";
import {
  cell,
  formula,
  type MakeCell,
  nothing,
  number,
  row,
  serialOf,
  shared,
} from "../../corpus/make/sheet-cells.ts";
import { type ZipPart, zip } from "../../zip-writer.ts";
import type { Book, BookCell, BookSheet } from "./books.ts";

type Numbers = (text: string) => string;

export function excelBook(book: Book): Buffer {
  const strings = new SharedStrings();
  const sheets = sheetsOf(book, strings, (text) => text);
  const [first, ...others] = sheets;
  if (first === undefined) throw new Error(`${book.file} has no sheet`);
  const names = `<definedNames><definedName name="_xlnm.Print_Titles" localSheetId="0">'${book.sheets[0]?.name}'!$${book.headerLine}:$${book.headerLine}</definedName></definedNames>`;
  const table = tableOf(book);
  const comment = commentOf(book);
  const parts = [...(table === undefined ? [] : [table]), ...comment, ...stylesOf(book)];
  return excelFile({
    sheets: [
      {
        ...first,
        columns:
          '<cols><col min="1" max="1" width="16.7" customWidth="1"/><col min="2" max="9" width="24.1" customWidth="1"/></cols>',
        after:
          '<pageMargins left="0.7" right="0.7" top="0.75" bottom="0.75" header="0.3" footer="0.3"/><pageSetup paperSize="9" orientation="landscape"/>' +
          (table === undefined ? "" : '<tableParts count="1"><tablePart r:id="rId1"/></tableParts>'),
        relations:
          (table === undefined ? "" : relation("rId1", "table", "../tables/table1.xml")) +
          (comment.length === 0 ? "" : relation("rId2", "comments", "../comments1.xml")),
      },
      ...others,
    ],
    strings,
    workbookAfter: names,
    ...(parts.length === 0 ? {} : { parts }),
    contentTypes:
      (table === undefined ? "" : contentType("/xl/tables/table1.xml", "table")) +
      (comment.length === 0 ? "" : contentType("/xl/comments1.xml", "comments")),
  });
}

export function googleBook(book: Book): Buffer {
  const strings = new SharedStrings();
  const sheets = sheetsOf(book, strings, (text) => (text.includes(".") ? text : `${text}.0`));
  const parts = excelParts({ sheets, strings, workbookProperties: "", workbookAfter: "<definedNames/>" });
  return zip(
    parts.map((part) => ({ ...part, data: asGoogle(String(part.data)) })),
    { hasDataDescriptors: true },
  );
}

function contentType(part: string, kind: string): string {
  return `<Override PartName="${part}" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.${kind}+xml"/>`;
}

function sheetsOf(book: Book, strings: SharedStrings, numbers: Numbers) {
  const style = book.format === undefined ? STYLE.general : STYLE.bitcoin;
  return book.sheets.map(({ name, rows }: BookSheet) => ({
    name,
    rows: rows
      .map((cells, index) =>
        row(
          index + 1,
          cells.map((each) => cellOf(strings, each, numbers, style)),
        ),
      )
      .join(""),
  }));
}

function cellOf(strings: SharedStrings, made: BookCell, numbers: Numbers, style: number): MakeCell {
  if (made === "") return nothing;
  if (typeof made === "string") return shared(strings, made);
  if ("d" in made) return number(numbers(serialOf(made.d)), STYLE.date);
  if ("f" in made)
    return style === STYLE.general
      ? formula(made.f, made.v)
      : cell(`s="${style}"`, `<f>${made.f}</f><v>${made.v}</v>`);
  return number(numbers(made.n), style);
}

/** The payments as a table of Excel's, where a title stands above them. */
function tableOf({ file, sheets: [sheet], headerLine, payments }: Book): ZipPart | undefined {
  const header = sheet?.rows[headerLine - 1] ?? [];
  if (file !== "excel-vendor-run.xlsx") return undefined;
  const last = payments.at(-1)?.[0] ?? headerLine;
  const range = `A${headerLine}:${String.fromCharCode(64 + header.length)}${last}`;
  const columns = header.map(
    (name, index) => `<tableColumn id="${index + 1}" name="${escaped(String(name))}"/>`,
  );
  const data =
    `<table xmlns="${MAIN}" id="1" name="Run" displayName="Run" ref="${range}" totalsRowShown="0"><autoFilter ref="${range}"/>` +
    `<tableColumns count="${columns.length}">${columns.join("")}</tableColumns><tableStyleInfo name="TableStyleMedium2" showRowStripes="1"/></table>`;
  return { name: "xl/tables/table1.xml", data };
}

function commentOf({ comment }: Book): readonly ZipPart[] {
  if (comment === undefined) return [];
  const [place, text] = comment;
  const data =
    `<comments xmlns="${MAIN}"><authors><author>Ann</author></authors><commentList>` +
    `<comment ref="${place}" authorId="0"><text><t>${text}</t></text></comment></commentList></comments>`;
  return [{ name: "xl/comments1.xml", data }];
}

/** The fixtures' styles with this format instead of the eight decimals. */
function stylesOf({ format }: Book): readonly ZipPart[] {
  if (format === undefined) return [];
  const styles = excelParts({ sheets: [] }).find(({ name }) => name === "xl/styles.xml");
  const code = escaped(format).replaceAll('"', "&quot;");
  return [
    {
      name: "xl/styles.xml",
      data: String(styles?.data).replace('formatCode="0.00000000"', `formatCode="${code}"`),
    },
  ];
}
