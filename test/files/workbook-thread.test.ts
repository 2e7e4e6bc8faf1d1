/** The thread that reads workbooks is a safety net: a file that passes its guards ends it, and not this process. */
import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { DEFAULT_FILE_LIMITS, openSentFile } from "../../src/readers/index.ts";
import { WorkbookThread } from "../../src/readers/xlsx/workbook-thread.ts";
import { fileOf, read, readPath, refusal } from "./reading.ts";
import { HEADER_ROW, sheetOf, workbook, workbookParts } from "./workbook-fixture.ts";
import { zip } from "./zip-writer.ts";

const SOUND = workbook({ sheets: [sheetOf('<row r="2"><c r="A2"><v>1</v></c></row>')] });

test("a workbook that takes more memory than its thread has is refused, and the next one is read", async () => {
  const formats = Array.from({ length: 300_000 }, (_, id) => `<numFmt numFmtId="${id}" formatCode="d"/>`);
  const parts = workbookParts({ sheets: [sheetOf("")], styles: `<numFmts>${formats.join("")}</numFmts>` });
  const bytes = zip(parts.map((part) => ({ ...part, isStored: true })));
  const limits = { workerHeapMebibytesMax: 24 };
  const problem = await refusal(read(bytes, limits));
  expect(problem).toMatchObject({ code: "XLSX_REFUSED" });
  expect(problem.message).toContain("more than 24 MiB of memory");
  expect((await read(SOUND, limits)).texts).toEqual([["1", ""]]);
});

test("an error that nobody thought of is a fault of the file, and so is a thread that ended", async () => {
  const path = fileOf(SOUND);
  const thread = new WorkbookThread(path, DEFAULT_FILE_LIMITS.workerHeapMebibytesMax);
  const malformed = { code: "XLSX_MALFORMED", file: path };
  const nonsense = undefined as never;
  expect(await refusal(thread.ask("open", path, nonsense))).toMatchObject(malformed);
  await thread.end();
  expect(await refusal(thread.ask("nextLines"))).toMatchObject(malformed);
});

test("a thread that cannot start is no fault of the file", async () => {
  const path = fileOf(SOUND);
  const thread = new WorkbookThread(path, DEFAULT_FILE_LIMITS.workerHeapMebibytesMax);
  const opening = refusal(thread.ask("open", path, DEFAULT_FILE_LIMITS));
  await thread.end();
  expect(await opening).toMatchObject({ code: "WORKBOOK_READER_FAILED", next: "will-retry", file: path });
});

test("several workbooks can be read at once, and one can be left before its end", async () => {
  const rows = Array.from({ length: 3_000 }, (_, index) => {
    const line = index + 2;
    return `<row r="${line}"><c r="A${line}"><v>${line}</v></c><c r="T${line}"><v>1</v></c></row>`;
  });
  const path = fileOf(workbook({ sheets: [sheetOf(rows.join(""))] }));
  const left = openSentFile(path, { limits: DEFAULT_FILE_LIMITS }).then((sent) => sent.close());
  const [one, other] = await Promise.all([readPath(path), readPath(path), left]);
  expect([one.rows.length, other.rows.length]).toEqual([3_000, 3_000]);
});

test("does not take a file for the one that stood under its name before", async () => {
  const path = fileOf(SOUND);
  await readPath(path);
  writeFileSync(path, workbook({ sheets: [{ name: "Other", rows: HEADER_ROW }] }));
  expect((await readPath(path)).grid.sheet).toBe("Other");
});
