/** The thread that reads workbooks is a safety net: what passes its guards ends that thread and not this process. */
import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { DEFAULT_FILE_LIMITS, openTable } from "../../src/intake/index.ts";
import { openWorkbook } from "../../src/intake/xlsx/open-workbook.ts";
import { RowPacker, unpackRows } from "../../src/intake/xlsx/packed-rows.ts";
import { SharedTexts } from "../../src/intake/xlsx/shared-texts.ts";
import { WorkbookThread } from "../../src/intake/xlsx/workbook-thread.ts";
import { fileOf, LAYOUT, read, refusal } from "./reading.ts";
import { HEADER_ROW, sheetOf, workbook, workbookParts } from "./workbook-fixture.ts";
import { zip } from "./zip-writer.ts";

const SOUND = workbook({ sheets: [sheetOf('<row r="2"><c r="A2"><v>1</v></c></row>')] });

test("a workbook that takes more memory than its thread has is refused, and the next one is read", async () => {
  const formats = Array.from({ length: 300_000 }, (_, id) => `<numFmt numFmtId="${id}" formatCode="d"/>`);
  const parts = workbookParts({ sheets: [sheetOf("")], styles: `<numFmts>${formats.join("")}</numFmts>` });
  const bytes = zip(parts.map((part) => ({ ...part, isStored: true })));
  const limits = { ...DEFAULT_FILE_LIMITS, workerHeapMebibytesMax: 24 };
  const problem = await refusal(read(bytes, { limits }));
  expect(problem).toMatchObject({ code: "XLSX_REFUSED" });
  expect(problem.message).toContain("more than 24 MiB of memory");
  expect((await read(SOUND, { limits })).texts).toEqual([["1", ""]]);
});

test("an error that nobody thought of is a fault of the file", async () => {
  const thread = new WorkbookThread(DEFAULT_FILE_LIMITS.workerHeapMebibytesMax);
  const path = fileOf(SOUND);
  await thread.ask({ kind: "open", path, limits: DEFAULT_FILE_LIMITS });
  const nonsense = { name: "x", visibility: "visible", partName: undefined } as never;
  await thread.ask({ kind: "sheet", sheet: nonsense });
  expect(await refusal(thread.ask({ kind: "rows" }))).toMatchObject({ code: "XLSX_MALFORMED", file: path });
  await thread.end();
  expect(await refusal(thread.ask({ kind: "rows" }))).toMatchObject({ code: "XLSX_MALFORMED", file: path });
});

test("a thread that cannot start is no fault of the file", async () => {
  const thread = new WorkbookThread(DEFAULT_FILE_LIMITS.workerHeapMebibytesMax);
  const path = fileOf(SOUND);
  const opening = refusal(thread.ask({ kind: "open", path, limits: DEFAULT_FILE_LIMITS }));
  await thread.end();
  expect(await opening).toMatchObject({ code: "WORKBOOK_READER_FAILED", next: "will-retry", file: path });
});

test("several workbooks can be read at once, and one can be left before its end", async () => {
  const rows = Array.from({ length: 3_000 }, (_, index) => {
    const line = index + 2;
    return `<row r="${line}"><c r="A${line}"><v>${line}</v></c><c r="T${line}"><v>1</v></c></row>`;
  });
  const path = fileOf(workbook({ sheets: [{ name: "S", rows: rows.join("") }] }));
  const counts = [10, 3_000, 3_000].map(async (wanted) => {
    const opened = await openWorkbook(path, DEFAULT_FILE_LIMITS);
    const [sheet] = opened.sheets;
    let count = 0;
    if (sheet !== undefined) {
      for await (const batch of opened.rows(sheet)) {
        count += [...batch].length;
        if (count >= wanted) break;
      }
    }
    await opened.close();
    return count >= wanted;
  });
  expect(await Promise.all(counts)).toEqual([true, true, true]);
});

test("does not take a file for the one that stood under its name before", async () => {
  const path = fileOf(SOUND);
  await openTable(path, LAYOUT);
  writeFileSync(path, workbook({ sheets: [{ name: "Other", rows: HEADER_ROW }] }));
  expect((await openTable(path, LAYOUT)).sheet).toBe("Other");
});

test("rows come out of their pack as they went in", () => {
  const rows = [
    {
      line: 7,
      isHidden: true,
      isStruck: false,
      cells: [
        { kind: "empty", text: "" },
        { kind: "text", text: "1" },
        { kind: "number", text: "1" },
        { kind: "number", text: "1", unit: "mBTC in all" },
        { kind: "number", text: "1.25", decimals: 1 },
        { kind: "text", text: "1.25", unseen: "format" },
        { kind: "number", text: "1.25", unit: "mBTC in all", decimals: -1 },
        { kind: "date", text: "2026-11-21" },
        { kind: "boolean", text: "true" },
        { kind: "error", text: "#N/A" },
      ],
    },
    {
      line: 1_048_576,
      isHidden: false,
      isStruck: true,
      cells: [
        { kind: "formula", text: "=A1", value: { kind: "empty", text: "" } },
        { kind: "formula", text: "", value: { kind: "text", text: "" } },
        { kind: "formula", text: "1", value: { kind: "number", text: "1" } },
        { kind: "formula", text: "1", value: { kind: "number", text: "1", unit: "%" } },
        { kind: "text", text: "1" },
      ],
    },
  ] as const;
  const packer = new RowPacker(new SharedTexts(0));
  for (const { line, isHidden, isStruck, cells } of rows) {
    for (const [column, cell] of cells.entries()) if (cell.kind !== "empty") packer.add(column, cell);
    packer.endRow(line, isHidden, isStruck);
  }
  expect([...unpackRows(structuredClone(packer.take()))]).toEqual(rows);
});
