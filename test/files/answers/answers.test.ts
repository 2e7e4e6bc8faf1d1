import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Fault, type Problem, problem } from "../../../src/faults/index.ts";
import {
  writeAcceptedAnswer,
  writeRejectedAnswer,
  writeResultsAnswer,
} from "../../../src/files/answers/index.ts";
import type { BatchReading } from "../../../src/model/batch-reading.ts";
import type { Cell, Grid } from "../../../src/model/grid.ts";
import { batchId, SUMMARY_SHEET } from "../../../src/model/index.ts";
import type { PaymentLine, SheetReading } from "../../../src/model/sheet-reading.ts";
import { Decimal } from "../../../src/money/index.ts";
import { readCsv as readSentCsv } from "../../../src/readers/csv/read-csv.ts";
import { DEFAULT_FILE_LIMITS } from "../../../src/readers/file-limits.ts";
import { gridOf, readCsv, readingOf, readXlsx, shown } from "./sent-files.ts";

const folder = mkdtempSync(join(tmpdir(), "paydrop-answers-"));
let count = 0;
const pathOf = (kind: string, { format }: Grid) => {
  count += 1;
  return join(folder, `file-${count}.${kind}.${format}`);
};

const FORMATS = ["csv", "xlsx"] as const;
const HEADER = ["reference", "amount", "Notes"];

function row(number: number, problems: readonly Problem[] = []): PaymentLine {
  return { row: number, line: number + 1, problems, warnings: [] };
}

const notPositive = (line: number, more: Partial<Problem> = {}) =>
  problem("AMOUNT_NOT_POSITIVE", { text: "0" }, { line, column: "amount", cell: `B${line}`, ...more });

async function reject(grid: Grid, rows: readonly PaymentLine[], more: object = {}) {
  const path = pathOf("rejected", grid);
  const reading: SheetReading = { ...readingOf(grid), ...more };
  const options = { file: "payroll", fileProblems: [], warnings: [], rowsAccepted: 0, holdsSecret: false };
  const paths = await writeRejectedAnswer({ path, grid, reading, rows, ...options, ...more });
  return { path, paths };
}

describe("a rejected file comes back line by line, with the reason beside every bad row", () => {
  test("as CSV, in the sender's encoding, delimiter and lines", async () => {
    const csv = {
      encoding: "windows-1252",
      hasByteOrderMark: false,
      isEncodingGuessed: true,
      delimiter: ";",
    } as const;
    const lines = [
      { line: 2, cells: ["Zahlungen für März"] },
      { line: 4, cells: HEADER },
      { line: 5, cells: ["R1", "0", "Müller\nzwei Zeilen"] },
      { line: 7, cells: ["R2", "0,5", "a;b"] },
    ];
    const grid = gridOf("csv", [], { csv, lines });
    const rows = [
      { ...row(1, [notPositive(5)]), line: 5 },
      { ...row(2), line: 7 },
    ];
    const { path } = await reject(grid, rows, { headerLine: 4, header: HEADER });
    const text = new TextDecoder("windows-1252").decode(readFileSync(path));
    expect(text.split("\r\n")).toEqual([
      "",
      "Zahlungen für März",
      "",
      "reference;amount;Notes;paydrop: problems (payroll)",
      `R1;0;"Müller\nzwei Zeilen";"line 5, amount: ${notPositive(5).message} - ${notPositive(5).fix}"`,
      'R2;0,5;"a;b";',
      "",
    ]);
    const summary = readFileSync(`${path}.txt`, "utf8");
    expect(summary).toMatch(/^payroll was rejected: 1 row was rejected\. /);
    expect(summary).toContain("Correct the rows with a reason in the column `paydrop: problems (payroll)`");
    expect(summary).toContain("amount not positive: once");
  });

  test("as a workbook that opens on a summary with links to the wrong cells, which are red and commented", async () => {
    const grid = gridOf("xlsx", [HEADER, ["R1", "0", "x"], ["R2", "0.5", "y"]]);
    const { path } = await reject(grid, [row(1, [notPositive(2)]), row(2)]);
    const workbook = await readXlsx(path);
    expect(workbook.worksheets.map(({ name }) => name)).toEqual([SUMMARY_SHEET, "Payouts"]);
    const summary = workbook.worksheets[0];
    expect(summary?.getCell("A1").text).toMatch(/^payroll was rejected: 1 row was rejected/);
    const links = new Map<string, string>();
    summary?.eachRow((each) => {
      const { text, hyperlink } = each.getCell(1);
      if (hyperlink !== undefined) links.set(text, hyperlink);
    });
    expect([...links]).toEqual([["B2 (amount)", "#'Payouts'!B2"]]);
    const sheet = workbook.getWorksheet("Payouts");
    const wrong = sheet?.getCell("B2");
    expect(wrong?.fill).toMatchObject({ fgColor: { argb: "FFFFC7CD" } });
    expect(JSON.stringify(wrong?.note)).toContain(notPositive(2).fix);
    expect(JSON.stringify(sheet?.getCell("B3").style)).not.toContain("FFC7CD");
    expect(sheet?.getCell("D2").text).toContain(notPositive(2).message);
    expect(sheet?.getCell("D3").text).toBe("");
    expect(sheet?.autoFilter).toBe("A1:D3");
    expect(sheet?.getColumn(1).width).toBeGreaterThanOrEqual(HEADER[0]?.length ?? 0);
  });

  test.each(FORMATS)(
    "%s: our columns of an earlier answer are replaced, and cells still marked right",
    async (format) => {
      const header = ["paydrop: problems (payroll)", ...HEADER];
      const grid = gridOf(format, [header, ["old reason", "R1", "0", "x"]]);
      const { path } = await reject(grid, [row(1, [notPositive(2, { cell: "C2" })])]);
      if (format === "csv") {
        expect((await readCsv(path))[0]).toEqual([...HEADER, "paydrop: problems (payroll)"]);
        return;
      }
      const sheet = (await readXlsx(path)).getWorksheet("Payouts");
      expect(sheet?.getCell("A1").text).toBe("reference");
      expect(sheet?.getCell("B2").fill).toMatchObject({ fgColor: { argb: "FFFFC7CD" } });
    },
  );

  test("a problem of the file as a whole stands beside the column names and in the summary", async () => {
    const grid = gridOf("csv", [HEADER, ["R1", "1", ""]]);
    const fileProblems = [
      problem("COLUMN_MISSING", {
        column: "destinationAddress",
        what: "address",
        name: "Address",
        columns: "Where",
        heading: "Where",
      }),
    ];
    const { path } = await reject(grid, [row(1)], { fileProblems });
    expect(readFileSync(`${path}.txt`, "utf8")).toContain(
      'no column clearly holds the address; columns not read: Where - Rename the column that holds it to "Address"',
    );
    expect((await readCsv(path))[1]).toEqual(["R1", "1", "", ""]);
  });

  test("the first thousand problems are listed, linked and commented, and all stand beside their rows", async () => {
    const numbers = Array.from({ length: 1005 }, (_, index) => index + 1);
    const grid = gridOf("xlsx", [HEADER, ...numbers.map((number) => [`R${number}`, "0", ""])]);
    const { path } = await reject(
      grid,
      numbers.map((number) => row(number, [notPositive(number + 1)])),
    );
    const workbook = await readXlsx(path);
    const sheet = workbook.getWorksheet("Payouts");
    expect(sheet?.getCell("B1001").note).toBeDefined();
    expect(sheet?.getCell("B1002").note).toBeUndefined();
    expect(sheet?.getCell("B1006").fill).toMatchObject({ fgColor: { argb: "FFFFC7CD" } });
    expect(sheet?.getCell("D1006").text).toContain(notPositive(1006).message);
    expect(shown(workbook, SUMMARY_SHEET).flat()).toContain("5 more are beside their rows");
  });

  test.each(FORMATS)(
    "%s: of a file with a private key nothing that may be one comes back",
    async (format) => {
      const key = "5Kb8kLf9zgWQnogidDA76MzPL6TsZZY36hWXMssSzNydYXYB9KF";
      const grid = gridOf(format, [HEADER, ["R1", "1", key], [key, "1", "x"]], {
        lines: [
          { line: 1, cells: [`sent by ${key}`] },
          { line: 2, cells: HEADER },
          { line: 3, cells: ["R1", "1", key] },
        ],
      });
      const secret = problem("VALUE_IS_SECRET", { field: "Notes" }, { line: 3, column: "Notes" });
      const rows = [{ ...row(1, [secret]), line: 3 }];
      const { path } = await reject(grid, rows, { headerLine: 2, header: HEADER, holdsSecret: true });
      expect(readFileSync(path).includes(key)).toBe(false);
      const cells = format === "csv" ? await readCsv(path) : shown(await readXlsx(path), "Payouts");
      expect(cells.flat().filter((cell) => cell === "(removed by Paydrop)")).toHaveLength(2);
    },
  );
});

describe("what comes back reads as it was sent", () => {
  test("texts of any kind, formulas among them, stay texts", async () => {
    const text = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.constantFrom("=1+1", "+1", "@x", "-", "'=x", "0123", "1,5"),
    );
    const kept = (cell: string) => (cell.trim() === "" ? "" : cell);
    const clean = text.filter(
      (cell) => !/(?!\n|\t)\p{Cc}|\p{Cs}|[\ufffe\uffff]/u.test(cell) && !cell.startsWith("sep="),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(clean, clean, clean), { minLength: 1, maxLength: 8 }),
        async (sent) => {
          const lines = [HEADER, ...sent].map((cells) => cells.map(kept));
          const rows = sent.map((_, index) => row(index + 1));
          const csv = await reject(gridOf("csv", lines), rows);
          const read = await readSentCsv(csv.path, { limits: DEFAULT_FILE_LIMITS });
          const filled = lines.filter((cells) => cells.some((cell) => cell !== ""));
          expect(read.lines.map(({ cells }) => cells.slice(0, 3))).toEqual(filled);
          const xlsx = await reject(gridOf("xlsx", lines), rows);
          const sheet = (await readXlsx(xlsx.path)).getWorksheet("Payouts");
          for (const [at, cells] of lines.entries())
            for (const [column, cell] of cells.entries()) {
              const found = sheet?.getRow(at + 1).getCell(column + 1).value ?? "";
              expect(found).toBe(cell);
            }
        },
      ),
      { numRuns: 25 },
    );
  });

  test("comments and page footers stand below the rows; remarks of an earlier answer are gone", async () => {
    const outside = [
      { place: "the comment on B2", text: "paydrop: the amount 0 is not above zero" },
      { place: "the comment on B3", text: "hold until Friday" },
      { place: "the page's header or footer", text: "DRAFT" },
    ];
    const header = [...HEADER, "paydrop: problems (payroll)"];
    const grid = gridOf("xlsx", [header, ["R1", "1", ""], ["R2", "1", ""]], { outside });
    const { path } = await reject(grid, [row(1), row(2)]);
    const lines = shown(await readXlsx(path), "Payouts").slice(3);
    expect(lines).toEqual([["the comment on B3: hold until Friday"], ["the page's header or footer: DRAFT"]]);
    const fresh = await reject({ ...grid, lines: gridOf("xlsx", [HEADER]).lines }, []);
    expect(shown(await readXlsx(fresh.path), "Payouts")).toHaveLength(4);
  });

  test("numbers, dates and booleans keep value and format; formulas are their values; struck-out texts stay struck out", async () => {
    const cells: Cell[] = [
      { kind: "number", text: "0.30000000000000004", format: "0.00000000" },
      { kind: "date", text: "2026-11-30", format: "dd/mm/yyyy" },
      { kind: "boolean", text: "true" },
      { kind: "formula", value: { kind: "number", text: "1.5" } },
      { kind: "text", text: "INV-1", flaw: "struck out" },
      { kind: "error", text: "#REF!" },
    ];
    const grid = gridOf("xlsx", [["a", "b", "c", "d", "e", "f"], cells], {
      columnWidths: new Map([[1, 33]]),
      hiddenColumns: new Set([5]),
    });
    const { path } = await reject(grid, [row(1)]);
    const sheet = (await readXlsx(path)).getWorksheet("Payouts");
    expect(sheet?.getCell("A2")).toMatchObject({ value: 0.30000000000000004, numFmt: "0.00000000" });
    expect(sheet?.getCell("B2").value).toEqual(new Date("2026-11-30T00:00:00Z"));
    expect(sheet?.getCell("B2").numFmt).toBe("dd/mm/yyyy");
    expect(sheet?.getCell("C2").value).toBe(true);
    expect(sheet?.getCell("D2").value).toBe(1.5);
    expect(sheet?.getCell("E2").font).toMatchObject({ strike: true });
    expect(sheet?.getCell("F2").text).toBe("#REF!");
    expect(sheet?.getColumn(2).width).toBe(33);
    expect(sheet?.getColumn(6).hidden).toBe(true);
  });
});

const batch = {
  id: batchId("B-000042"),
  fileName: "payroll.csv",
  fileSha256: "ab".repeat(32),
  digest: "cd".repeat(32),
  controlTotals: [{ currency: "BTC", count: 2, amount: Decimal.of("0.30") }],
};
const OF_BATCH = { warnings: [], otherLines: [] };

describe("an accepted file", () => {
  const results = new Map([[2, { standing: "received, awaits approval" }]]);

  test.each(FORMATS)(
    "%s: says what awaits approval, how columns were read and what was not",
    async (format) => {
      const grid = gridOf(format, [HEADER, ["R1", "0.1", "x"], ["R2", "0.2", "y"]]);
      const reading: BatchReading = {
        ...readingOf(grid),
        ...OF_BATCH,
        columns: [
          { name: "reference", position: 0, heading: "reference", foundBy: "name" },
          {
            name: "destinationAddress",
            position: 1,
            heading: "Where",
            foundBy: "content",
            evidence: "2 of 2 cells are Bitcoin addresses",
          },
        ],
        unread: [
          { position: 2, heading: "Notes", kind: "few", values: [{ value: "x", count: 1, lines: [2] }] },
          { position: 3, heading: "Remarks", kind: "text", values: [{ value: "a", count: 1, lines: [2] }] },
        ],
        notes: [{ line: 9, place: "below the rows", text: "Approved by: CFO" }],
        pictureCount: 2,
        questions: [
          { id: "note", text: 'line 9 says "Approved by: CFO"', lines: [9] },
          { id: "value", text: 'column "Notes" says "x"', value: "Notes=x", lines: [2] },
        ],
      };
      const path = pathOf("accepted", grid);
      await writeAcceptedAnswer({ path, grid, reading, batch, results }, []);
      const said =
        format === "csv"
          ? readFileSync(`${path}.txt`, "utf8")
          : shown(await readXlsx(path), SUMMARY_SHEET)
              .map((cells) => cells.join(": "))
              .join("\n");
      for (const text of [
        "payroll.csv was accepted: 2 payments await approval.",
        "Batch: B-000042",
        "Total BTC: 0.3 in 2 payments",
        "Where: read as address, found by content: 2 of 2 cells are Bitcoin addresses",
        "Notes: x (1)",
        "Remarks: read by people only, beside its rows: a and others",
        'column "Notes" says "x": or leave its rows out: Notes=x',
        "Pictures: 2 not read",
        "Line 9: Approved by: CFO: a note: shown, not paid",
      ])
        expect(said).toContain(text);
      const cells = format === "csv" ? await readCsv(path) : shown(await readXlsx(path), "Payouts");
      expect(cells[0]).toEqual([...HEADER, "paydrop: standing"]);
      expect(cells[1]?.at(-1)).toBe("received, awaits approval");
    },
  );
});

describe("results", () => {
  test.each(FORMATS)("%s: each line has what became of it, totals and notes too", async (format) => {
    const grid = gridOf(format, [HEADER, ["R1", "0.1", ""], ["R2", "0.2", ""], ["Total", "0.3", ""]]);
    const path = pathOf("results", grid);
    const covered = { covers: "file", firstLine: 2, lastLine: 3 } as const;
    const totals = [{ line: 4, text: "Total", amount: "0.3 BTC", ...covered }];
    const paid = { standing: "accepted", state: "COMPLETED", sentAmount: "0.10000000", txHash: "ab\ncd" };
    await writeResultsAnswer(
      {
        path,
        grid,
        reading: { ...readingOf(grid), ...OF_BATCH, totals, otherLines: [[3, "rejected"]] },
        batch,
        results: new Map([[2, paid]]),
      },
      new Map([["accepted", [{ currency: "BTC", count: 1, amount: Decimal.of("0.1") }]]]),
    );
    const [header, first, second, total] =
      format === "csv" ? await readCsv(path) : shown(await readXlsx(path), "Payouts");
    const of = (cells: readonly string[] | undefined, name: string) =>
      cells?.[header?.indexOf(name) ?? -1] ?? "";
    expect(of(first, "paydrop: sentAmount")).toBe("0.10000000");
    expect(of(first, "paydrop: txHash")).toBe("ab cd");
    expect(of(second, "paydrop: standing")).toBe("rejected");
    expect(of(total, "paydrop: standing")).toBe("the total of lines 2 to 3");
  });
});

async function summaryOf(format: (typeof FORMATS)[number], path: string): Promise<readonly string[]> {
  if (format === "csv") return readFileSync(`${path}.txt`, "utf8").split("\n");
  return shown(await readXlsx(path), SUMMARY_SHEET).map((cells) => cells.join(": "));
}

test.each(FORMATS)(
  "%s: results count by outcome in the words of the desk, those first that somebody must look at",
  async (format) => {
    const grid = gridOf(format, [HEADER, ["R1", "0.1", ""], ["R2", "0.2", ""], ["R3", "0.3", ""]]);
    const path = pathOf("results", grid);
    const error = "the payout failed (SEND_FAILED): the payee was not paid by it";
    const note = "ask treasury before you submit it again";
    const of = (amount: string, count: number) => [{ currency: "BTC", count, amount: Decimal.of(amount) }];
    await writeResultsAnswer(
      {
        ...{ path, grid, batch, reading: { ...readingOf(grid), ...OF_BATCH } },
        results: new Map([
          [2, { standing: "arrived" }],
          [3, { standing: "failed", error, note }],
          [4, { standing: "arrived" }],
        ]),
      },
      new Map([
        ["arrived", of("0.4", 2)],
        ["failed", of("0.2", 1)],
      ]),
    );
    const said = (await summaryOf(format, path)).map((line) => line.trim()).filter((line) => line !== "");
    expect(said.slice(0, 7)).toEqual([
      "payroll.csv: 1 failed, 2 arrived.",
      "Payments that a person must look at",
      `Line 3, failed: ${error} - ${note}`,
      "failed",
      "Total BTC: 0.2 in 1 payment",
      "arrived",
      "Total BTC: 0.4 in 2 payments",
    ]);
  },
);

test.each(FORMATS)(
  "%s: problems stand before how the file was read, by the sender's own names of columns",
  async (format) => {
    const header = ["Rechnung", "Betrag", "Wohin"];
    const grid = gridOf(format, [header, ["R1", "0", "x"]]);
    const columns = header.map((heading, position) => {
      const name = (["reference", "amount", "destinationAddress"] as const)[position] ?? "amount";
      return { name, position, heading, foundBy: "name" as const };
    });
    const warnings = [
      problem("LEDGER_FIELDS_UNCHECKED", { reason: "no chart" }, { column: "generalLedgerName" }),
    ];
    const found = [row(1, [notPositive(2, { column: "Betrag" })])];
    const { path } = await reject(grid, found, { columns, warnings, header });
    const said = (await summaryOf(format, path)).map((line) => line.trim());
    const at = (text: string) => said.findIndex((line) => line.includes(text));
    const first = format === "csv" ? "line 2, Betrag: " : "B2 (Betrag)";
    expect(at(first)).toBeGreaterThan(0);
    expect(at(first)).toBeLessThan(at("How the columns were read"));
    for (const text of ["Betrag: read as amount, found by name", "Wohin: read as address, found by name"])
      expect(said).toContain(text);
    expect(said.join("\n")).not.toMatch(/destinationAddress|generalLedgerName/);
  },
);

test.each(FORMATS)("%s: says that the outbox is not there, and leaves nothing", async (format) => {
  const grid = gridOf(format, [HEADER, ["R1", "1", ""]]);
  const path = join(folder, "missing", `x.rejected.${format}`);
  const writing = writeRejectedAnswer({
    path,
    grid,
    reading: readingOf(grid),
    file: "x",
    rows: [],
    fileProblems: [],
    warnings: [],
    rowsAccepted: 0,
    holdsSecret: false,
  });
  const error = await writing.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(Fault);
  expect((error as Fault).problem.code).toBe("OUTPUT_UNWRITABLE");
});
