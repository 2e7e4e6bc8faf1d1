/**
 * Files that lie about themselves, each read by a process of its own as `paydrop rows` reads it: refused, or read,
 * within 5 seconds and 300 MB; and answers of 3 MB that lie about themselves, each judged, or refused, within 1
 * second of work. The yardsticks are these bounds; a ratio is the share of a bound that was used.
 */
import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rowsStep } from "../src/files/rows-step.ts";
import { readAnswer } from "../src/gateway/answer.ts";
import { cutAnswer, type Recognise } from "../src/gateway/elements.ts";
import { readPages } from "../src/gateway/pages.ts";
import { formsOf, scrubExchange } from "../src/gateway/scrub.ts";
import { DEFAULT_FILE_LIMITS } from "../src/readers/index.ts";
import { payout } from "../src/wire/index.ts";
import { SHEET, sheet, texts } from "../test/files/golden-hostile.ts";
import { zip } from "../test/files/zip-writer.ts";
import { conclude, print } from "./measuring.ts";

const SECONDS_MAX = 5;
const MEGABYTES_MAX = 300;
const MEBIBYTE = 1024 * 1024;
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
  "60 MB of CSV in one open quote": (path) => writeLong(path, 'reference,amount\n"', "x,y\n", 60),
  "60 MB of CSV with a quote in each line": (path) => writeLong(path, "reference,amount\n", '"x"y,z\n', 60),
  "60 MB of quoted quotes": (path) => writeLong(path, "reference,amount\n", '"""""","x"\n', 60),
  "60 MB of empty cells": (path) => writeLong(path, "reference,amount\n", `${",".repeat(499)}\n`, 60),
  "60 MB of line ends": (path) => writeLong(path, "reference,amount\n", "\n", 60),
  "60 MB of short rows": (path) => writeLong(path, "reference,amount\n", "a,1\n", 60),
};

const ANSWER_SECONDS_MAX = 1;
const ANSWER_BYTES = 3_000_000;

/** The content of a page, made when it is asked for. */
const ANSWERS: Readonly<Record<string, () => string>> = {
  "empty objects": () => filled("{}"),
  "sixty thousand empty objects": () => Array(60_000).fill("{}").join(","),
  "short texts": () => filled('"a"'),
  numbers: () => filled("1"),
  "long numbers": () => filled("1.5e300"),
  "objects that are no payouts": () => filled((number) => `{"a":"${number}"}`),
  "good payouts": () => filled((number) => payoutText(number)),
  "payouts with a wrong amount": () => filled((number) => payoutText(number, '"x"')),
  "payouts with a huge amount": () => filled((number) => payoutText(number, "1e999")),
  "payouts with an amount that is too huge": () => filled((number) => payoutText(number, "1e9999")),
  "payouts with wrong funds": () =>
    filled((number) => payoutText(number, "1", `,"sentFunds":[${Array(900).fill('""').join(",")}]`)),
  "a payout with many wrong funds": () => payoutText(0, "1", `,"sentFunds":[${filled('{"amount":{}}')}]`),
  "a payout with many funds": () => payoutText(0, "1", `,"sentFunds":[${filled('{"a":"b"}')}]`),
  "a payout with many members": () => payoutText(0, "1", `,${filled((number) => `"k${number}":1`)}`),
  "members like places in an array": () => `{${filled((number) => `"${(number * 7919) % 4294967}":""`)}}`,
  "a hundred levels each": () => filled(`${"[".repeat(100)}${"]".repeat(100)}`),
  "levels without end": () => "[".repeat(ANSWER_BYTES),
  "members of one name": () => `{${filled('"a":""')}}`,
  "escapes that do not end": () => `"${'\\"'.repeat(ANSWER_BYTES / 2)}`,
  "escaped texts": () => filled('"\\u0061"'),
  "names of one-time codes": () => filled('{"otpCode":1}'),
  "the client key": () => filled('"a demo-key"'),
};

const [, , kind, name = ""] = process.argv;
if (kind === undefined) measureAll();
else if (kind === "answer") await judgeOne(name);
else await readOne(kind);

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
    for (const answer of Object.keys(ANSWERS)) {
      const { cpuSeconds, verdict } = measure("answer", answer);
      ratios[`an answer of ${answer}`] = round(cpuSeconds / ANSWER_SECONDS_MAX);
      print(`${`an answer of ${answer}`.padEnd(54)} ${cpuSeconds.toFixed(2)} s of work  ${verdict}`);
    }
    const limits = Object.fromEntries(Object.keys(ratios).map((name) => [name, 1]));
    const holds = Object.values(ratios).every((ratio) => ratio <= 1);
    process.exitCode = conclude("hostile", ratios, limits, holds);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function measure(...what: readonly string[]): Reading {
  return JSON.parse(execFileSync(process.execPath, [import.meta.filename, ...what], { encoding: "utf8" }));
}

function filled(unit: string | ((number: number) => string)): string {
  const units: string[] = [];
  for (let length = 0; length < ANSWER_BYTES; length += (units.at(-1) ?? "").length + 1)
    units.push(typeof unit === "string" ? unit : unit(units.length));
  return units.join(",");
}

function payoutText(number: number, amount = "0.10", more = ""): string {
  const id = `0d5d6e8a-0000-4000-8000-${String(number).padStart(12, "0")}`;
  return `{"payoutId":"${id}","accountId":"6f1cbb7e-0000-4000-8000-000000000001","reference":"PAY-${number}","requestedAmount":{"currency":"BTC","amount":${amount}},"payoutState":"CREATED"${more}}`;
}

/** From the bytes that came to typed payouts, as the gateway does it. */
async function judgeOne(answerName: string): Promise<void> {
  const content = ANSWERS[answerName]?.() ?? "";
  const text = `{"results":{"content":[${content}],"totalPages":1,"totalElements":1}}`;
  const before = process.cpuUsage();
  const start = performance.now();
  const forms = formsOf([{ name: "client key", text: "demo-key" }]);
  const exchange = scrubExchange({ kind: "answered", status: 200, headers: {}, text }, forms);
  if (exchange.kind === "unanswered") throw new Error("an answer became none");
  const recognisesNone: Recognise = async (texts) => texts.map(() => undefined);
  const cut = await cutAnswer(exchange.text, recognisesNone);
  const answer = readAnswer("findPayoutFilteredV2", exchange, cut);
  const verdict = answer.kind === "success" ? await pageVerdict(answer.body.results.content) : "refused";
  const { user, system } = process.cpuUsage(before);
  const seconds = (performance.now() - start) / 1000;
  const reading = { seconds, cpuSeconds: (user + system) / 1e6, megabytes: peakBytes() / 1e6, verdict };
  print(JSON.stringify(reading satisfies Reading));
}

async function pageVerdict(content: unknown[]): Promise<string> {
  const fetchPage = async ({ page }: { readonly page: number }) => ({
    content: page === 0 ? content : [],
    totalPages: 1,
    totalElements: content.length,
  });
  const idOf = ({ payoutId }: { readonly payoutId: string }) => payoutId;
  const source = { operation: "findPayoutFilteredV2", named: 0, schema: payout, idOf, fetchPage } as const;
  const pages = readPages({ ...source, createdDateOf: () => undefined }, { pageSize: 200, firstPage: 0 });
  let read = 0;
  for await (const _ of pages) read += 1;
  return `${read} read: ${pages.report().doubts[0] ?? "complete"}`;
}

async function readOne(path: string): Promise<void> {
  const start = performance.now();
  const { verdict, problems } = await rowsStep(path, DEFAULT_FILE_LIMITS);
  const [problem] = problems;
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
