/**
 * Files that lie about themselves, each read by a process of its own as `paydrop rows` reads it: refused, or read, within
 * 5 seconds and 300 MB. The yardsticks are these two bounds; a ratio is the share of a bound that was used.
 */
import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DEFAULT_FILE_LIMITS } from "../src/intake/index.ts";
import { rowsStep } from "../src/pipeline/rows-step.ts";
import { sheetOf, workbookParts } from "../test/intake/workbook-fixture.ts";
import { type ZipPart, zip } from "../test/intake/zip-writer.ts";
import { conclude, print } from "./measuring.ts";

const SECONDS_MAX = 5;
const MEGABYTES_MAX = 300;
const MEBIBYTE = 1024 * 1024;
const SHEET = "xl/worksheets/sheet1.xml";
const HEAD = "<worksheet><sheetData>";

interface Reading {
  readonly seconds: number;
  /** Of all threads; above `seconds` where they worked side by side, far below it on a machine that has other work. */
  readonly cpuSeconds: number;
  readonly megabytes: number;
  readonly verdict: string;
}

/** Name and bytes of each; long ones are written by themselves. */
const FILES: Readonly<Record<string, (path: string) => void>> = {
  "archives in archives": (path) => writeFileSync(path, nested(6)),
  "a sheet that unpacks to 1 GB": (path) => writeFileSync(path, sheet(Buffer.alloc(1024 * MEBIBYTE, " "))),
  "700 MB of blank cells, as declared": (path) => writeFileSync(path, sheet(blankRows(700 * MEBIBYTE))),
  "10 million columns": (path) => writeFileSync(path, sheet(`${HEAD}<row>${"<c/>".repeat(10_000_000)}`)),
  "10 million columns of CSV": (path) => writeFileSync(path, `reference,amount\n${",".repeat(10_000_000)}\n`),
  "a directory that declares too little": (path) =>
    writeFileSync(path, sheet(Buffer.alloc(512 * MEBIBYTE, " "), { declaredBytes: 100_000 })),
  "a directory that declares 4 GB": (path) =>
    writeFileSync(path, sheet("<a/>", { declaredBytes: 0xfffffffe })),
  "a million shared texts": (path) => writeFileSync(path, texts(1_000_000)),
  "7 million shared texts": (path) => writeFileSync(path, texts(7_000_000)),
  "a million elements deep": (path) => writeFileSync(path, sheet("<a>".repeat(1_000_000))),
  "1 GB of CSV in one open quote": (path) => writeLong(path, 'reference,amount\n"', "x,y\n", 1024),
  "500 MB of CSV in one open quote": (path) => writeLong(path, 'reference,amount\n"', "x,y\n", 500),
  "500 MB of CSV with a quote in each line": (path) => writeLong(path, "reference,amount\n", '"x"y,z\n', 500),
  "500 MB of line ends": (path) => writeLong(path, "reference,amount\n", "\n", 500),
};

const [, , file] = process.argv;
if (file === undefined) measureAll();
else await readOne(file);

function measureAll(): void {
  const folder = mkdtempSync(join(tmpdir(), "paydrop-hostile-"));
  try {
    const ratios: Record<string, number> = {};
    for (const [name, write] of Object.entries(FILES)) {
      const path = join(folder, "hostile");
      write(path);
      const { seconds, cpuSeconds, megabytes, verdict } = measure(path);
      ratios[`${name}: time`] = round(seconds / SECONDS_MAX);
      ratios[`${name}: memory`] = round(megabytes / MEGABYTES_MAX);
      print(
        `${name.padEnd(40)} ${seconds.toFixed(2)} s  (${cpuSeconds.toFixed(2)} s of work)  ${String(Math.round(megabytes)).padStart(4)} MB  ${verdict}`,
      );
    }
    const limits = Object.fromEntries(Object.keys(ratios).map((name) => [name, 1]));
    const holds = Object.values(ratios).every((ratio) => ratio <= 1);
    process.exitCode = conclude("hostile", ratios, limits, holds);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function measure(path: string): Reading {
  return JSON.parse(execFileSync(process.execPath, [import.meta.filename, path], { encoding: "utf8" }));
}

async function readOne(path: string): Promise<void> {
  const start = performance.now();
  const { verdict, problems } = await rowsStep(path, DEFAULT_FILE_LIMITS);
  const [problem] = problems();
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage();
  const cpuSeconds = (user + system) / 1e6;
  const megabytes = peakBytes() / 1e6;
  const shown = problem === undefined ? verdict : `${verdict}: ${problem.message.slice(0, 90)}`;
  print(JSON.stringify({ seconds, cpuSeconds, megabytes, verdict: shown } satisfies Reading));
}

/** The figure of getrusage would begin with what the parent held when it started this process (Linux). */
function peakBytes(): number {
  const peak = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1];
  return Number(peak ?? Number.NaN) * 1024;
}

function sheet(data: string | Buffer, change: Partial<ZipPart> = {}): Buffer {
  const parts = workbookParts({ sheets: [sheetOf("")] });
  return zip(parts.map((part) => (part.name === SHEET ? { ...part, data, ...change } : part)));
}

function texts(count: number): Buffer {
  const sharedStrings = Array.from({ length: count }, (_, index) => `<si><t>${index % 9}</t></si>`).join("");
  const parts = workbookParts({ sheets: [sheetOf("")], sharedStrings });
  return zip(parts.map((part) => ({ ...part, isStored: part.name.includes("shared") })));
}

/** Attributes that compress badly enough to stay below the ratio that is refused. */
function blankRows(bytes: number): Buffer {
  const rows: Buffer[] = [Buffer.from(HEAD)];
  for (let length = 0, line = 1; length < bytes; line += 1) {
    const row = `<row r="${line}" x="${(line * 2_654_435_761) % 4_294_967_296}">${"<c/>".repeat(600)}</row>`;
    rows.push(Buffer.from(row));
    length += row.length;
  }
  return Buffer.concat(rows);
}

function nested(levels: number): Buffer {
  let inner = zip([{ name: SHEET, data: Buffer.alloc(8 * MEBIBYTE, "0") }]);
  for (let level = 0; level < levels; level += 1) {
    inner = zip(Array.from({ length: 16 }, (_, index) => ({ name: `${index}.zip`, data: inner })));
  }
  return inner;
}

function writeLong(path: string, head: string, line: string, mebibytes: number): void {
  const block = line.repeat(Math.ceil(MEBIBYTE / line.length));
  const descriptor = openSync(path, "w");
  writeSync(descriptor, head);
  for (let written = 0; written < mebibytes; written += 1) writeSync(descriptor, block);
  closeSync(descriptor);
}

function round(ratio: number): number {
  return Math.round(ratio * 1000) / 1000;
}
