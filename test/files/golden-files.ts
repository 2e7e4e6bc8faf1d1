/**
 * The files whose verdicts `golden/old-verdicts.jsonl` keeps: the corpus, the samples, and what tests make by code, as
 * `golden/made-*.jsonl` describe it. Those are written into a temporary folder, byte for byte the same each time.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { stringify } from "csv-stringify/sync";
import type { Config } from "../../src/index.ts";
import { readExpectation } from "./corpus/corpus-reading.ts";
import { excelFile, SharedStrings, STYLE } from "./corpus/make/excel-package.ts";
import {
  cell,
  formula,
  type MakeCell,
  nothing,
  number,
  row,
  serialOf,
  shared,
} from "./corpus/make/sheet-cells.ts";
import { hostilePackages } from "./golden-hostile.ts";
import { zip } from "./zip-writer.ts";

export interface GoldenFile {
  /** "corpus/excel/payouts.xlsx". */
  readonly name: string;
  readonly path: string;
  readonly settings?: FileSettings;
}

/** What the configuration says beside that of `paydrop init --sandbox`. */
export interface FileSettings {
  readonly sheet?: string;
  readonly numberFormat?: Config["files"]["numberFormat"];
  readonly columns?: Config["files"]["columns"];
  /** Also accounts that hold litecoin and ether, and limits of a million for one row. */
  readonly isWide?: boolean;
}

const HERE = join(import.meta.dirname, "golden");
const TESTS = join(import.meta.dirname, "..");

export function goldenFiles(): readonly GoldenFile[] {
  const folder = mkdtempSync(join(tmpdir(), "paydrop-golden-files-"));
  const written = (name: string, bytes: string | Uint8Array): string => {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
    return path;
  };
  return [
    ...corpusFiles(),
    ...["payouts.csv", "payouts.xlsx", "broken.csv"].map((name) => ({
      name: `samples/${name}`,
      path: join(TESTS, "../samples", name),
    })),
    ...made<MadeTable>("made-tables.jsonl").map((table) => ({
      name: table.name,
      path: written(table.name, table.name.endsWith(".csv") ? csvOf(table) : workbookOf(table)),
      settings: table.settings ?? {},
    })),
    ...made<MadeFile>("made-files.jsonl").map((file) => ({
      name: file.name,
      path: written(file.name, bytesOf(file)),
      settings: file.settings ?? {},
    })),
    ...Object.entries(hostilePackages()).map(([name, bytes]) => ({ name, path: written(name, bytes) })),
  ];
}

function corpusFiles(): readonly GoldenFile[] {
  const files = join(import.meta.dirname, "corpus/files");
  return readdirSync(files, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith(".json"))
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const { sheet, numberFormat } = readExpectation(`${path}.json`);
      const settings = {
        ...(sheet === undefined ? {} : { sheet }),
        ...(numberFormat === undefined ? {} : { numberFormat }),
      };
      return { name: `corpus/${basename(entry.parentPath)}/${entry.name}`, path, settings };
    })
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

function made<Made>(name: string): readonly Made[] {
  const lines = readFileSync(join(HERE, name), "utf8").trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line));
}

/** A text, or kind and text of another cell: a formula has its source, and the kind and text of its saved result. */
type MadeCell = string | readonly [kind: string, text: string, resultKind?: string, result?: string];

interface MadeTable {
  readonly name: string;
  readonly settings?: FileSettings;
  readonly sheet?: string;
  /** By line, blank ones left out; the header is among them. */
  readonly lines: readonly (readonly [line: number, ...cells: readonly MadeCell[]])[];
}

function csvOf({ lines }: MadeTable): string {
  const written: string[] = [];
  for (const [line, ...cells] of lines) {
    while (written.length < line - 1) written.push("\n");
    written.push(stringify([cells.map((each) => (typeof each === "string" ? each : (each[3] ?? each[1])))]));
  }
  return written.join("");
}

function workbookOf({ lines, sheet = "Payouts" }: MadeTable): Buffer {
  const strings = new SharedStrings();
  const rows = lines
    .map(([line, ...cells]) =>
      row(
        line,
        cells.map((each) => madeCell(strings, each)),
      ),
    )
    .join("");
  return excelFile({ sheets: [{ name: sheet, rows }], strings });
}

function madeCell(strings: SharedStrings, made: MadeCell): MakeCell {
  if (made === "") return nothing;
  if (typeof made === "string") return shared(strings, made);
  const [kind, text, resultKind = "empty", result = ""] = made;
  switch (kind) {
    case "number":
      return number(text);
    case "date":
      return text.includes("T") || text.length < 10
        ? cell('t="d"', `<v>${text}</v>`)
        : number(serialOf(text), STYLE.isoDate);
    case "boolean":
      return cell('t="b"', `<v>${text === "true" ? 1 : 0}</v>`);
    case "error":
      return cell('t="e"', `<v>${text}</v>`);
    case "formula":
      return formula(text, resultKind === "empty" ? undefined : result, resultKind === "text" ? "str" : "");
    default:
      throw new Error(`no cell of the kind ${kind}`);
  }
}

/** A text, parts of a package by name (one that several packages have stands in `made-parts.json`), or bytes. */
interface MadeFile {
  readonly name: string;
  readonly settings?: FileSettings;
  readonly text?: string;
  readonly parts?: readonly (readonly [name: string, data: string | number])[];
  readonly base64?: string;
}

function bytesOf({ text, parts, base64 = "" }: MadeFile): string | Buffer {
  if (text !== undefined) return text;
  if (parts === undefined) return Buffer.from(base64, "base64");
  const shared = sharedParts();
  return zip(
    parts.map(([name, data]) => ({
      name,
      data: typeof data === "string" ? data : (shared[data] ?? ""),
      isStored: true,
    })),
  );
}

let partsRead: readonly string[] | undefined;

function sharedParts(): readonly string[] {
  partsRead ??= JSON.parse(readFileSync(join(HERE, "made-parts.json"), "utf8")) as readonly string[];
  return partsRead;
}
