/** Linux's /dev/full behaves like a full disk on every write. */
import { existsSync } from "node:fs";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openPromise } from "yauzl";
import type { AnswerLine } from "../../../src/exports/answers/answer-line.ts";
import { writeAnswerCsv } from "../../../src/exports/answers/csv/answer-csv.ts";
import { writeAnswerXlsx } from "../../../src/exports/answers/xlsx/answer-xlsx.ts";
import { writePlainXlsx } from "../../../src/exports/answers/xlsx/plain-xlsx.ts";
import { ZipWriter } from "../../../src/exports/answers/xlsx/zip-writer.ts";
import { sentTable } from "./sent-table.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "paydrop-answers-"));
});
afterAll(() => rm(folder, { recursive: true }));

const HEADER = ["reference", "amount"];
const ROWS = Array.from({ length: 3000 }, (_, row) => [`reference ${row}`, "1"]);

async function content(format: "csv" | "xlsx") {
  const { header, headerLine, source } = await sentTable(folder, format, HEADER, ROWS);
  const line = (line: number): AnswerLine => ({
    line,
    cells: [{ kind: "text", text: `reference ${line}` }],
    added: ["x".repeat(500)],
    remarks: new Map(),
    withheld: new Set(),
  });
  async function* lines(): AsyncIterable<AnswerLine> {
    for (let at = 1; at <= ROWS.length + 1; at += 1) yield line(at);
  }
  return {
    source,
    header,
    headerLine,
    dropped: new Set<number>(),
    holdsSecret: false,
    titleLines: [],
    lines: lines(),
    summary: () => [],
  };
}

test("a disk that takes a part of what it is given gets the rest, so that no answer is cut off", async () => {
  const path = join(folder, "parts.zip");
  const file = await open(path, "w");
  const write: (bytes: Buffer, start: number, length: number, at: number) => Promise<unknown> =
    file.write.bind(file);
  const writePart = (bytes: Buffer, start: number, _length: undefined, at: number) =>
    write(bytes, start, Math.min(7, bytes.length - start), at);
  Object.assign(file, { write: writePart });
  const zip = new ZipWriter(file);
  await zip.addXml("a.xml", ["<a/>"]);
  await zip.finish();
  await file.close();
  const read = await openPromise(path);
  const names: string[] = [];
  for await (const { fileName } of read.eachEntry()) names.push(fileName);
  expect(names).toEqual(["a.xml"]);
});

describe.runIf(existsSync("/dev/full"))("a full disk", () => {
  test("does not end the process while a workbook is written", async () => {
    const { source, ...others } = await content("xlsx");
    if (source.format !== "xlsx") throw new Error("a workbook was written");
    const noSpace = { code: "ENOSPC" };
    await expect(writeAnswerXlsx("/dev/full", { ...others, source })).rejects.toMatchObject(noSpace);
    await expect(writePlainXlsx("/dev/full", await content("xlsx"))).rejects.toMatchObject(noSpace);
  });

  test("does not pass for a written CSV", async () => {
    const { source, ...others } = await content("csv");
    if (source.format !== "csv") throw new Error("a CSV was written");
    await expect(writeAnswerCsv("/dev/full", { ...others, source })).rejects.toMatchObject({
      code: "ENOSPC",
    });
  });
});
