import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import ExcelJS from "exceljs";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writeRejectedAnswer } from "../../../src/exports/answers/index.ts";
import { problem } from "../../../src/faults/index.ts";
import { DEFAULT_FILE_LIMITS, readSheets } from "../../../src/intake/index.ts";
import { correctedFile } from "../../../src/model/index.ts";
import { HEADER_ROW, sheetOf, workbook } from "../../intake/workbook-fixture.ts";
import { droppedAgain, opened, readXlsx } from "./sent-table.ts";
import { withProblems } from "./with-problems.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "paydrop-answers-"));
});
afterAll(() => rm(folder, { recursive: true }));

let run = 0;
const MARK = { type: "pattern", pattern: "solid", fgColor: { argb: "FFFFC7CD" } };
const REASON = "amount is empty - Fill in amount.";

/** The path of the answer to the workbook at `sent`, whose rows on these lines lack their amount. */
async function answerTo(
  sent: string,
  wrongLines: readonly number[] = [],
  withFileProblem = false,
): Promise<string> {
  run += 1;
  const path = join(folder, `${run}.rejected.xlsx`);
  const table = await opened(sent);
  const column = table.header.find((name) => /amount/i.test(name)) ?? "";
  await writeRejectedAnswer({
    table: withProblems(table, ({ row, line }) =>
      wrongLines.includes(line) ? [problem("VALUE_MISSING", { field: "amount" }, { row, line, column })] : [],
    ),
    path,
    file: "pay.xlsx",
    fileProblems: withFileProblem ? [problem("FILE_HAS_NO_ROWS", {})] : [],
  });
  return path;
}

async function fileOf(bytes: Buffer): Promise<string> {
  run += 1;
  const path = join(folder, `${run}.xlsx`);
  await writeFile(path, bytes);
  return path;
}

/** Everything that exceljs knows of each cell, by sheet and address. */
async function cellsIn(path: string): Promise<Map<string, unknown>> {
  const cells = new Map<string, unknown>();
  for (const sheet of (await readXlsx(path)).worksheets) {
    sheet.eachRow({ includeEmpty: true }, (row) =>
      row.eachCell({ includeEmpty: true }, (cell) => {
        const { value, style, note } = cell;
        if (value === null && Object.keys(style).length === 0 && note === undefined) return;
        cells.set(`${sheet.name}!${cell.address}`, JSON.stringify({ value, style, note }));
      }),
    );
  }
  return cells;
}

describe("a workbook comes back as it was sent", () => {
  test.each([
    "samples/payouts.xlsx",
    "test/intake/corpus/files/libreoffice/payouts.xlsx",
    "test/intake/corpus/files/gnumeric/payouts.xlsx",
    "test/intake/corpus/files/exceljs/every-kind.xlsx",
    "test/intake/corpus/files/exceljs/every-kind-streamed.xlsx",
  ])(
    "%s: every cell of every sheet with its value and format; only ours are new, only the wrong one is marked",
    async (sent) => {
      const { headerLine, header, sheet: name = "" } = await opened(sent);
      const wrong = headerLine + 2;
      const path = await answerTo(sent, [wrong]);
      const before = await cellsIn(sent);
      const after = await cellsIn(path);
      const amount = header.findIndex((name) => /amount/i.test(name)) + 1;
      const changed = [...after]
        .filter(([address, cell]) => before.get(address) !== cell)
        .map(([address]) => address);
      const sheet = (await readXlsx(path)).getWorksheet(name);
      const ours = sheet?.getRow(headerLine).cellCount ?? 0;
      const address = (line: number, column: number) =>
        `${sheet?.name}!${sheet?.getCell(line, column).address}`;
      expect(new Set(changed)).toEqual(
        new Set([address(headerLine, ours), address(wrong, amount), address(wrong, ours)]),
      );
      expect([...before.keys()].filter((address) => !after.has(address))).toEqual([]);
      expect(sheet?.getCell(headerLine, ours).text).toBe("paydrop: problems (pay.xlsx)");
      expect(sheet?.getCell(wrong, ours).text).toBe(`line ${wrong}, ${header[amount - 1]}: ${REASON}`);
      expect(sheet?.getCell(wrong, amount).fill).toMatchObject(MARK);
      expect(JSON.stringify(sheet?.getCell(wrong, amount).note)).toContain(REASON);

      const again = await droppedAgain(path);
      const rows = await droppedAgain(sent);
      expect(again.rows.map(({ line, cells }) => [line, cells.slice(0, header.length)])).toEqual(
        rows.rows.map(({ line, cells }) => [line, cells]),
      );
    },
  );

  test("keeps widths, merged titles, drop-downs, filters, frozen panes, formulas, notes and conditional formats", async () => {
    const book = new ExcelJS.Workbook();
    const sheet = book.addWorksheet("Pay & <go>", { views: [{ state: "frozen", ySplit: 2 }] });
    sheet.addRows([
      ["Payroll"],
      ["reference", "amount", "twice"],
      ["A-1", 1, { formula: "B3*2", result: 2 }],
      ["A-2"],
    ]);
    sheet.mergeCells("A1:C1");
    sheet.getColumn(1).width = 33;
    sheet.autoFilter = "A2:C4";
    sheet.getCell("B4").note = "we wait for the invoice";
    sheet.getCell("A3").note = "paid monthly";
    sheet.getCell("C4").dataValidation = { type: "list", formulae: ['"a,b"'] };
    book.addWorksheet("Notes").getCell("B2").value = { formula: "1+1", result: 2 };
    const sent = join(folder, "rich.xlsx");
    await book.xlsx.writeFile(sent);

    const first = await answerTo(sent, [4]);
    const second = await answerTo(first, [4]);
    const third = await answerTo(second);
    const answered = (await readXlsx(second)).getWorksheet("Pay & <go>");
    expect(JSON.stringify(answered?.getCell("B4").note)).toMatch(
      /we wait for the invoice.*Paydrop: amount is empty/,
    );
    expect(JSON.stringify(answered?.getCell("B4").note).match(/Paydrop/g)).toHaveLength(1);

    const left = (await readXlsx(third)).getWorksheet("Pay & <go>");
    expect(left?.getColumn(1).width).toBe(33);
    expect(left?.model.merges).toEqual(["A1:C1"]);
    expect(left?.autoFilter).toBe("A2:C4");
    expect(left?.views[0]).toMatchObject({ state: "frozen", ySplit: 2 });
    expect(left?.getCell("C4").dataValidation).toMatchObject({ type: "list" });
    expect(left?.getCell("C3").value).toEqual({ formula: "B3*2", result: 2 });
    // Corrected cells lose mark and reason; the sender's own notes stay.
    expect(left?.getCell("B4").fill).not.toMatchObject(MARK);
    expect(JSON.stringify(left?.getCell("B4").note)).toContain("we wait for the invoice");
    expect(JSON.stringify(left?.getCell("B4").note)).not.toContain("Paydrop");
    expect(JSON.stringify(left?.getCell("A3").note)).toContain("paid monthly");
    expect(left?.getCell("D4").text).toBe("");
  });

  test("puts its column to the right of everything in the rows, even values without a header", async () => {
    const rows =
      '<row r="2"><c r="A2"><v>7</v></c><c r="B2"><v>1</v></c><c r="D2"><v>99</v></c><c r="F2" s="0"/></row>';
    const path = await answerTo(await fileOf(workbook({ sheets: [sheetOf(rows)] })), [2]);
    const sheet = (await readXlsx(path)).worksheets[0];
    expect(sheet?.getCell("D2").value).toBe(99);
    expect(sheet?.getCell("D2").fill).toMatchObject(MARK);
    expect(sheet?.getCell("E1").text).toBe("paydrop: problems (pay.xlsx)");
    expect(sheet?.getCell("E2").text).toContain(`line 2, amount: ${REASON}`);
  });

  test.each([
    [
      "rows and cells without numbers",
      "<row><c t='str'><v>A-1</v></c><c><v>1</v></c></row><row/><row><c t='str'><v>A-2</v></c></row>",
      false,
    ],
    [
      "texts that look like tags",
      '<row r="2"><c r="A2" t="inlineStr"><is><t><![CDATA[</row></c>]]></t></is></c><!-- </row> --></row><row r="4"><c r="A4"><v>2</v></c></row>',
      false,
    ],
    [
      "strict OOXML",
      '<row r="2" spans="1:2"><c r="A2"><v>1</v></c></row><row r="4"><c r="A4"><v>2</v></c></row>',
      true,
    ],
  ])("understands %s", async (_, rows, isStrict) => {
    const sent = await fileOf(workbook({ sheets: [sheetOf(rows)], isStrict }));
    const path = await answerTo(sent, [3, 4], true);
    const again = await droppedAgain(path);
    const before = await droppedAgain(sent);
    expect(again.rows.map(({ line, cells }) => [line, cells.slice(0, 2)])).toEqual(
      before.rows.map(({ line, cells }) => [line, cells]),
    );
    const seen = (await readSheets(path, DEFAULT_FILE_LIMITS)).sheets[0];
    const reasons = [];
    for await (const { line, cells } of seen?.rows() ?? []) reasons.push([line, cells[2]?.text]);
    const wrong = reasons.find(([line]) => line === before.rows[1]?.line);
    expect(wrong?.[1]).toBe(`line ${wrong?.[0]}, amount: ${REASON}`);
  });

  test("understands elements with a prefix of their own", async () => {
    const prefixed = (xml: string) => xml.replace(/<(\/?)(?=[a-z])/g, "<$1x:");
    const rows = prefixed(`${HEADER_ROW}<row r="2"><c r="A2"><v>1</v></c></row>`);
    const data = `<x:worksheet xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><x:sheetData>${rows}</x:sheetData></x:worksheet>`;
    const sent = await fileOf(
      workbook({ sheets: [sheetOf("")], parts: [{ name: "xl/worksheets/sheet1.xml", data }] }),
    );
    const { table, rows: read } = await droppedAgain(await answerTo(sent, [2]));
    expect(table.header).toEqual(["reference", "amount", "paydrop: problems (pay.xlsx)"]);
    expect(read[0]?.cells[0]?.text).toBe("1");
  });

  test("does not rename the columns of an Excel table that a person made of an earlier answer", async () => {
    const book = new ExcelJS.Workbook();
    const columns = ["reference", "amount", "paydrop: problems (may.xlsx)"].map((name) => ({ name }));
    const rows = [["A-1", 1, "line 2: old"]];
    book.addWorksheet("Payouts").addTable({ name: "Pay", ref: "A1", headerRow: true, columns, rows });
    const sent = join(folder, "tabled.xlsx");
    await book.xlsx.writeFile(sent);
    const path = await answerTo(sent, [2]);
    const sheet = (await readXlsx(path)).worksheets[0];
    expect(sheet?.getCell("C1").text).toBe("paydrop: problems (may.xlsx)");
    expect(sheet?.getCell("C2").text).toBe("");
    expect(sheet?.getCell("D2").text).toBe(`line 2, amount: ${REASON}`);
    expect(correctedFile((await opened(path)).header)).toBe("pay.xlsx");
  });

  test("replaces the summary of an earlier answer", async () => {
    const sent = await fileOf(workbook({ sheets: [sheetOf('<row r="2"><c r="A2"><v>1</v></c></row>')] }));
    const first = await answerTo(sent, [2], true);
    const second = await readXlsx(await answerTo(first, [2], true));
    expect(second.worksheets.map(({ name }) => name)).toEqual(["Payouts", "Paydrop summary"]);
    const third = await readXlsx(await answerTo(first));
    expect(third.getWorksheet("Paydrop summary")?.actualRowCount).toBe(0);
  });
});

describe("texts in a workbook", () => {
  test("are never formulas: what we add is typed text, and what was sent stays it", async () => {
    const book = new ExcelJS.Workbook();
    book.addWorksheet("Payouts").addRows([["reference", "amount"], ["=1+1"], ["@SUM(A1)"]]);
    const sent = join(folder, "hostile.xlsx");
    await book.xlsx.writeFile(sent);
    run += 1;
    const path = join(folder, `${run}.xlsx`);
    const hostile = problem("CONFIG_KEY_INVALID", { reason: "=1", path: "", hint: "" });
    const table = withProblems(await opened(sent), () => [hostile]);
    await writeRejectedAnswer({ table, path, file: "=1" });
    const sheet = (await readXlsx(path)).worksheets[0];
    sheet?.eachRow((row) => row.eachCell((cell) => expect(cell.type).not.toBe(ExcelJS.ValueType.Formula)));
    expect(sheet?.getCell("A2").value).toBe("=1+1");
  });

  test("of a corrected answer that is dropped again read back equal, whatever they are", async () => {
    const unit = fc.constantFrom(..."='-@\t\r\n\",; é₿😀<&5a", "_x0041_");
    const text = fc.string({ unit, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(text, text, fc.option(text)), { minLength: 1, maxLength: 16 }),
        async (texts) => {
          const book = new ExcelJS.Workbook();
          const rich = (value: string) => ({
            richText: [{ text: value.replace(/_(?=x0041_)/g, "_x005F_").replaceAll("\r", "_x000D_") }],
          });
          const rows = texts.map(([left, right], index) => [`R-${index}`, rich(left), 1, rich(right)]);
          book.addWorksheet("Payouts").addRows([["reference", "left", "amount", "right"], ...rows]);
          run += 1;
          const sent = join(folder, `${run}.xlsx`);
          const path = join(folder, `${run}.rejected.xlsx`);
          await book.xlsx.writeFile(sent);
          const table = await opened(sent);
          const said = texts.map(([, , reason]) =>
            reason === null
              ? []
              : [problem("CONFIG_KEY_INVALID", { reason, path: "", hint: "" }, { column: "left" })],
          );
          await writeRejectedAnswer({
            table: withProblems(table, ({ line }) => said[line - 2] ?? []),
            path,
            file: "a.xlsx",
          });
          const before = await droppedAgain(sent);
          const after = await droppedAgain(path);
          expect(before.rows.map(({ cells }) => cells[1]?.text)).toEqual(
            texts.map(([left]) => (left.trim() === "" ? "" : left)),
          );
          expect(after.rows.map(({ line, cells }) => [line, cells.slice(0, 4)])).toEqual(
            before.rows.map(({ line, cells }) => [line, cells]),
          );
          const sheet = (await readXlsx(path)).worksheets[0];
          for (const [index, problems] of said.entries())
            for (const { message } of problems)
              expect(
                sheet
                  ?.getCell(`E${index + 2}`)
                  .text.replace(/_x000D_/g, "\r")
                  .replaceAll("_x005F_", "_"),
              ).toContain(message);
        },
      ),
      { numRuns: 8 },
    );
  });
});

test("nothing of a private key comes back: the table alone is written anew, without the parts that could repeat it", async () => {
  const key = "L5EZftvrYaSudiozVRzTqLcHLNDoVn7H5HSfM9BAN6tMJX8oTWz6";
  const book = new ExcelJS.Workbook();
  book.addWorksheet("Payouts").addRows([
    ["reference", "amount"],
    ["A-1", key],
    ["A-2", 12.5],
    ["A-3", 5],
    ["A-4", 1],
    ["A-5", 1],
    ["A-6", 0.125],
    ["A-7", 0.5],
  ]);
  const payouts = book.getWorksheet("Payouts");
  if (payouts === undefined) throw new Error("there is a sheet of payouts");
  payouts.getCell("B4").numFmt = '0 "EUR"';
  payouts.getCell("A5").font = { strike: true };
  payouts.getRow(6).hidden = true;
  payouts.getCell("B7").numFmt = "0.00";
  payouts.getCell("B8").numFmt = '0.00 "BTC"';
  book.addWorksheet("Keys").getCell("A1").value = key;
  const sent = join(folder, "secret.xlsx");
  await book.xlsx.writeFile(sent);
  const path = join(folder, "secret.rejected.xlsx");
  const secret = problem("ADDRESS_IS_SECRET", {}, { line: 2, column: "amount" });
  await writeRejectedAnswer({
    table: withProblems(await opened(sent), ({ line, problems }) => (line === 2 ? [secret] : problems)),
    path,
    file: "secret.xlsx",
    holdsSecret: true,
  });
  const answer = await readXlsx(path);
  expect(JSON.stringify(answer.model)).not.toContain(key);
  expect(answer.worksheets[0]?.getCell("B2").text).toBe("(removed by Paydrop)");
  expect(answer.worksheets[0]?.getCell("B2").fill).toMatchObject(MARK);
  expect(answer.worksheets[0]?.getCell("B2").note).toBe(`Paydrop: ${secret.message} - ${secret.fix}`);
  expect(answer.worksheets[0]?.getCell("B3").value).toBe(12.5);
  const { table, rows } = await droppedAgain(path);
  expect(table).toMatchObject({ sheet: "Payouts", headerLine: 1 });
  expect(rows.map(({ line, problems }) => [line, ...problems.map(({ code }) => code)])).toEqual([
    [2],
    [3],
    [4],
    [5, "ROW_HIDDEN"],
    [6, "ROW_HIDDEN"],
    [7],
    [8],
  ]);
  expect([4, 7, 8].map((line) => rows.find((row) => row.line === line)?.cells[1])).toEqual([
    { kind: "number", text: "5", unit: "EUR", decimals: 0 },
    { kind: "number", text: "0.125", decimals: 2 },
    { kind: "number", text: "0.5", unit: "BTC" },
  ]);
});
