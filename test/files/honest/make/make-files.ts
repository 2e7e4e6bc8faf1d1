/**
 * `node test/files/honest/make/make-files.ts` writes the honest files and their manifest: README.md says what must be
 * installed. Those of LibreOffice and openpyxl hold the time at which they were made; nothing else changes.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, renameSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stringify } from "csv-stringify/sync";
import { HONEST_FOLDER } from "../manifest.ts";
import { BOOKS, type Book } from "./books.ts";
import { flatOpenDocument } from "./flat-open-document.ts";
import { excelBook, googleBook } from "./xml-books.ts";

mkdirSync(HONEST_FOLDER, { recursive: true });
const work = mkdtempSync(join(tmpdir(), "honest-"));
for (const book of BOOKS) make(book);
const books = join(work, "books.json");
writeFileSync(books, JSON.stringify(BOOKS.filter(({ maker }) => maker === "openpyxl")));
execFileSync("python3", [join(import.meta.dirname, "openpyxl_files.py"), books, HONEST_FOLDER]);

const lines = BOOKS.map(({ file, about, question, columns, payments }) =>
  JSON.stringify({ file, about, question, columns, payments }),
);
writeFileSync(join(HONEST_FOLDER, "../manifest.jsonl"), `${lines.join("\n")}\n`);

function make(book: Book): void {
  const path = join(HONEST_FOLDER, book.file);
  if (book.maker === "libreoffice") byLibreOffice(book, path);
  else if (book.maker !== "openpyxl") writeFileSync(path, bytesOf(book, book.maker));
}

function bytesOf(book: Book, maker: "excel" | "google" | "google-csv"): string | Buffer {
  switch (maker) {
    case "excel":
      return excelBook(book);
    case "google":
      return googleBook(book);
    case "google-csv":
      return googleCsv(book);
  }
}

function googleCsv({ sheets: [sheet] }: Book): string {
  const rows = (sheet?.rows ?? []).map((cells) =>
    cells.map((each) => (typeof each === "string" ? each : "")),
  );
  return stringify(rows, { record_delimiter: "\r\n", eof: false });
}

function byLibreOffice(book: Book, path: string): void {
  const source = join(work, "book.fods");
  writeFileSync(source, flatOpenDocument(book));
  const [extension, format] =
    book.csv === undefined
      ? ["xlsx", "xlsx:Calc MS Excel 2007 XML"]
      : ["csv", `csv:Text - txt - csv (StarCalc):${book.csv.tokens}`];
  const profile = `-env:UserInstallation=file://${join(work, "profile")}`;
  execFileSync("soffice", [profile, "--headless", "--convert-to", format, "--outdir", work, source], {
    stdio: "ignore",
  });
  renameSync(join(work, `book.${extension}`), path);
}
