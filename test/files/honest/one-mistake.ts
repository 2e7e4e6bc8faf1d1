/**
 * Puts one mistake into a known cell of an honest file, as its sender might, and leaves every other byte of text
 * alone.
 */
import { readFileSync } from "node:fs";
import { buffer } from "node:stream/consumers";
import { parse } from "csv-parse/sync";
import { stringify } from "csv-stringify/sync";
import { fromBufferPromise } from "yauzl";
import { escaped } from "../corpus/make/excel-package.ts";
import { type ZipPart, zip } from "../zip-writer.ts";
import { HONEST_FOLDER, type HonestFile } from "./manifest.ts";

export type Mistake =
  | "typo in an address"
  | "letter in an amount"
  | "duplicate reference"
  | "empty reference";

export const MISTAKES: readonly Mistake[] = [
  "typo in an address",
  "letter in an amount",
  "duplicate reference",
  "empty reference",
];

export interface Mistaken {
  readonly bytes: Buffer;
  /** Where the answer must point, and nowhere else. */
  readonly line: number;
  /** From 0. */
  readonly column: number;
  /** "D17". */
  readonly cell: string;
}

/** The file with this mistake in the row of its middle payment. */
export async function withOneMistake(file: HonestFile, mistake: Mistake): Promise<Mistaken> {
  const middle = Math.floor(file.payments.length / 2);
  const [payment, earlier] = [file.payments[middle], file.payments[middle - 1]];
  if (payment === undefined || earlier === undefined) throw new Error(`${file.file} has too few payments`);
  const [line, , destination, amount] = payment;
  const column = file.columns[columnOf(mistake)];
  const cell = `${String.fromCharCode(65 + column)}${line}`;
  const change = (written: string) =>
    mistaken(mistake, { destination, amount: written, earlierReference: earlier[1] });
  const bytes = readFileSync(`${HONEST_FOLDER}/${file.file}`);
  const changed = file.file.endsWith(".xlsx")
    ? await inWorkbook(bytes, cell, change(amount))
    : inCsv(bytes, line, column, change);
  return { bytes: changed, line, column, cell };
}

function columnOf(mistake: Mistake): keyof HonestFile["columns"] {
  switch (mistake) {
    case "typo in an address":
      return "destination";
    case "letter in an amount":
      return "amount";
    case "duplicate reference":
    case "empty reference":
      return "reference";
  }
}

interface Right {
  readonly destination: string;
  readonly amount: string;
  readonly earlierReference: string;
}

function mistaken(mistake: Mistake, { destination, amount, earlierReference }: Right): string {
  switch (mistake) {
    case "typo in an address": {
      const at = 14;
      return (
        destination.slice(0, at) + (destination.charAt(at) === "q" ? "p" : "q") + destination.slice(at + 1)
      );
    }
    case "letter in an amount":
      return amount.replace(/0([.,])0/, "0$1O");
    case "duplicate reference":
      return earlierReference;
    case "empty reference":
      return "";
  }
}

/** Of a file without line breaks in its cells. */
function inCsv(bytes: Buffer, line: number, column: number, change: (written: string) => string): Buffer {
  const encoding = encodingOf(bytes);
  const lines = bytes.toString(encoding).split("\n");
  const written = lines[line - 1] ?? "";
  const delimiter = [";", "\t", ","].find((mark) => (lines.at(line - 1) ?? "").includes(mark)) ?? ",";
  const [cells = []] = parse(written, { delimiter, relax_column_count: true }) as string[][];
  cells[column] = change(cells[column] ?? "");
  const end = written.endsWith("\r") ? "\r" : "";
  lines[line - 1] = stringify([cells], { delimiter, eof: false }) + end;
  return Buffer.from(lines.join("\n"), encoding);
}

function encodingOf(bytes: Buffer): BufferEncoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf16le";
  return bytes.toString("utf8").includes("\ufffd") ? "latin1" : "utf8";
}

/** On the first sheet; the cell keeps its style and becomes a text. */
async function inWorkbook(bytes: Buffer, cell: string, text: string): Promise<Buffer> {
  const parts = await partsOf(bytes);
  const found = new RegExp(`<c r="${cell}"([^>]*?)(?:/>|>.*?</c>)`);
  return zip(
    parts.map((part) => {
      if (part.name !== "xl/worksheets/sheet1.xml") return part;
      const xml = part.data.toString();
      if (!found.test(xml)) throw new Error(`there is no cell ${cell}`);
      const data = xml.replace(found, (_, attributes: string) => {
        const kept = attributes.replace(/ t="[^"]*"/, "");
        const value = text === "" ? "/>" : ` t="inlineStr"><is><t>${escaped(text)}</t></is></c>`;
        return `<c r="${cell}"${kept}${value}`;
      });
      return { ...part, data };
    }),
  );
}

async function partsOf(bytes: Buffer): Promise<readonly ZipPart[]> {
  const archive = await fromBufferPromise(bytes);
  const parts: ZipPart[] = [];
  for await (const entry of archive.eachEntry())
    if (!entry.fileName.endsWith("/"))
      parts.push({ name: entry.fileName, data: await buffer(await archive.openReadStreamPromise(entry)) });
  return parts;
}
