import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import ExcelJS from "exceljs";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  writeAcceptedAnswer,
  writeRejectedAnswer,
  writeResultsAnswer,
} from "../../../src/exports/answers/index.ts";
import { problem } from "../../../src/faults/index.ts";
import { unguardFormula } from "../../../src/model/formula-guard.ts";
import {
  batchId,
  type Cell,
  EMPTY_CELL,
  isAnswerColumn,
  payoutId,
  type Table,
} from "../../../src/model/index.ts";
import { amountOf, Decimal } from "../../../src/money/index.ts";
import { number, readCsv, readXlsx, sentTable, shown, text } from "./sent-table.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "paydrop-answers-"));
});
afterAll(() => rm(folder, { recursive: true }));

const HEADER = ["reference", "amount", "destinationAddress", "cost centre"];
const ROWS: Cell[][] = [
  [text("INV-1"), text("0.05"), text("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"), text('Málaga; "Süd"')],
  [text("INV-2"), EMPTY_CELL, text("1BoatSLRHtKNngkdXEeobR76b53LETtpyT")],
];

const amountMissing = problem(
  "VALUE_MISSING",
  { field: "amount" },
  { row: 2, line: 3, column: "amount", cell: "B3" },
);
const rejected = (table: Table, path: string) =>
  writeRejectedAnswer({ table, path, problemsOf: ({ row }) => (row === 2 ? [amountMissing] : []) });

describe("rejected", () => {
  test("CSV: every column comes back unchanged, and each bad row says why", async () => {
    const path = join(folder, "a.rejected.csv");
    await rejected(sentTable("csv", HEADER, ROWS), path);
    expect(await readCsv(path)).toEqual([
      [...HEADER, "paydrop: problems"],
      ["INV-1", "0.05", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", 'Málaga; "Süd"', ""],
      [
        "INV-2",
        "",
        "1BoatSLRHtKNngkdXEeobR76b53LETtpyT",
        "",
        "line 3, amount: amount is empty - Fill in amount.",
      ],
    ]);
    expect((await readFile(path)).subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
  });

  test("XLSX: the bad cell is marked and carries the reason, and no other cell is", async () => {
    const path = join(folder, "a.rejected.xlsx");
    await rejected(sentTable("xlsx", HEADER, ROWS), path);
    const sheet = (await readXlsx(path)).getWorksheet("Payouts");
    expect(sheet?.getCell("E3").text).toBe("line 3, amount: amount is empty - Fill in amount.");
    expect(sheet?.getCell("B3").fill).toMatchObject({ fgColor: { argb: "FFFFC7CE" } });
    expect(JSON.stringify(sheet?.getCell("B3").note)).toContain("amount is empty - Fill in amount.");
    for (const good of ["B2", "A3", "C3", "E2"]) {
      expect(sheet?.getCell(good).fill).not.toMatchObject({ pattern: "solid" });
      expect(sheet?.getCell(good).note).toBeUndefined();
    }
  });

  test("does not keep the problems of an earlier answer when a corrected one is dropped again", async () => {
    const path = join(folder, "again.rejected.csv");
    const header = ["paydrop: problems", ...HEADER];
    const rows = ROWS.map((cells) => [text("line 3: old"), ...cells]);
    await rejected(sentTable("csv", header, rows), path);
    const [first, ...others] = await readCsv(path);
    expect(first).toEqual([...HEADER, "paydrop: problems"]);
    expect(JSON.stringify(others)).not.toContain("old");
    expect(first?.filter(isAnswerColumn)).toEqual(["paydrop: problems"]);
  });

  test("XLSX: marks the right cell although a column of an earlier answer stood before it", async () => {
    const path = join(folder, "moved.rejected.xlsx");
    const rows = ROWS.map((cells) => [text("old"), ...cells]);
    await rejected(sentTable("xlsx", ["paydrop: problems", ...HEADER], rows), path);
    const sheet = (await readXlsx(path)).getWorksheet("Payouts");
    expect(sheet?.getCell("B1").text).toBe("amount");
    expect(sheet?.getCell("B3").note).toBeDefined();
  });

  test("tells what is wrong with the file as a whole, without touching its rows", async () => {
    const fileProblems = [problem("FILE_HAS_NO_ROWS", {}, {})];
    const empty = { problemsOf: () => [], fileProblems };
    const csv = join(folder, "whole.rejected.csv");
    await writeRejectedAnswer({ ...empty, table: sentTable("csv", HEADER, []), path: csv });
    expect(await readFile(join(folder, "whole.rejected.txt"), "utf8")).toContain("no payout below it");
    const xlsx = join(folder, "whole.rejected.xlsx");
    await writeRejectedAnswer({ ...empty, table: sentTable("xlsx", HEADER, []), path: xlsx });
    expect(shown(await readXlsx(xlsx), "Summary")[0]?.[1]).toContain("no payout below it");
  });
});

describe("accepted", () => {
  const summary = {
    file: "payroll.csv",
    sha256: "ab".repeat(32),
    batchId: batchId("B-000042"),
    digest: "cd".repeat(32),
    controlTotals: [{ currency: "BTC", count: 2, amount: Decimal.of("0.07500000") }],
    standingOf: () => "received",
  };
  const lines = [
    ["File", "payroll.csv"],
    ["SHA-256", "ab".repeat(32)],
    ["Batch", "B-000042"],
    ["Digest awaiting approval", "cd".repeat(32)],
    ["Rows in the file", "2"],
    ["Rows accepted", "2"],
    ["Total BTC", "0.075 in 2 rows"],
  ];

  test("CSV: one standing per row, and the totals in a text file beside it", async () => {
    const path = join(folder, "b.accepted.csv");
    await writeAcceptedAnswer({ ...summary, table: sentTable("csv", HEADER, ROWS), path });
    expect((await readCsv(path)).map((row) => row.at(-1))).toEqual([
      "paydrop: standing",
      "received",
      "received",
    ]);
    expect(await readFile(join(folder, "b.accepted.txt"), "utf8")).toBe(
      lines.map(([label, value]) => `${label}: ${value}\n`).join(""),
    );
  });

  test("XLSX: the totals on a second sheet", async () => {
    const path = join(folder, "b.accepted.xlsx");
    await writeAcceptedAnswer({ ...summary, table: sentTable("xlsx", HEADER, ROWS), path });
    const workbook = await readXlsx(path);
    expect(workbook.worksheets.map(({ name }) => name)).toEqual(["Payouts", "Summary"]);
    expect(shown(workbook, "Summary")).toEqual(lines);
  });

  test("does not lose the sender's sheet when it is itself called Summary", async () => {
    const path = join(folder, "c.accepted.xlsx");
    const table = { ...sentTable("xlsx", HEADER, ROWS), sheet: "summary" };
    await writeAcceptedAnswer({ ...summary, table, path });
    expect((await readXlsx(path)).worksheets.map(({ name }) => name)).toEqual([
      "summary",
      "Summary by Paydrop",
    ]);
  });
});

describe("results", () => {
  const result = {
    standing: "accepted",
    payoutId: payoutId("1b2c0000-0000-4000-8000-000000000001"),
    state: "COMPLETED",
    sentAmount: amountOf("0.000000000000000001", "ETH"),
    fee: amountOf("3.10", "EUR"),
    txHash: "00e1",
    confirmedAt: "2026-11-20T09:30:00.000Z",
  };
  const expected = [
    ["standing", "payoutId", "state", "sentAmount", "currency", "fee", "txHash", "confirmedDate", "note"].map(
      (name) => `paydrop: ${name}`,
    ),
    [
      "accepted",
      result.payoutId,
      "COMPLETED",
      "0.000000000000000001",
      "ETH",
      "3.10 EUR",
      "00e1",
      result.confirmedAt,
      "",
    ],
    ["refused", "", "", "", "", "", "", "", "no such account"],
    ["", "", "", "", "", "", "", "", ""],
  ];

  test.each(["csv", "xlsx"] as const)(
    "%s: every row says what became of it, to the last digit",
    async (format) => {
      const path = join(folder, `d.results.${format}`);
      await writeResultsAnswer({
        table: sentTable(format, ["reference"], [[text("1")], [text("2")], [text("3")]]),
        path,
        resultOf: ({ row }) => [result, { standing: "refused", note: "no such account" }][row - 1],
      });
      const rows = format === "csv" ? await readCsv(path) : shown(await readXlsx(path), "Payouts");
      expect(rows.map((row) => expected[0]?.map((_, index) => row[index + 1] ?? ""))).toEqual(expected);
    },
  );
});

describe("cells", () => {
  test("XLSX: each kind comes back as its kind, with its digits", async () => {
    const path = join(folder, "kinds.rejected.xlsx");
    const cells: Cell[] = [
      text("0.05"),
      text("007"),
      number("12.5"),
      number("1.0000000000000001E-5"),
      number("0.1234567890123456789"),
      { kind: "date", text: "2026-11-30" },
      { kind: "date", text: "2026-11-30T08:15:00" },
      { kind: "date", text: "1900-01-01" },
      { kind: "boolean", text: "true" },
      { kind: "error", text: "#REF!" },
      { kind: "formula", text: "0.5", value: { kind: "number", text: "0.5" } },
    ];
    await writeRejectedAnswer({
      table: sentTable(
        "xlsx",
        cells.map((_, index) => `c${index}`),
        [cells],
      ),
      path,
      problemsOf: () => [],
    });
    const row = (await readXlsx(path)).getWorksheet("Payouts")?.getRow(2);
    expect(cells.map((_, index) => row?.getCell(index + 1).value)).toEqual([
      "0.05",
      "007",
      12.5,
      1.0000000000000001e-5,
      "0.1234567890123456789",
      new Date("2026-11-30T00:00:00Z"),
      new Date("2026-11-30T08:15:00Z"),
      "1900-01-01",
      true,
      { error: "#REF!" },
      0.5,
    ]);
    expect(row?.getCell(1).numFmt).toBe("@");
  });

  const HOSTILE = ['=HYPERLINK("http://x","y")', "+1+1", "-1+1", "@SUM(A1)", "\tx", "\rx", "'=1", "-2-3"];

  test("CSV: does not hand out a formula in any text, header or reason, but leaves numbers alone", async () => {
    const path = join(folder, "hostile.rejected.csv");
    const harmless = ["-5", "-0.5", "-1.234,56", "a=b", "'quoted'", ""];
    await writeRejectedAnswer({
      table: sentTable(
        "csv",
        ["=1+1"],
        [...HOSTILE, ...harmless].map((value) => [text(value)]),
      ),
      path,
      problemsOf: () => [problem("CONFIG_KEY_INVALID", { reason: "=1", path: "", hint: "" })],
    });
    const [header, ...rows] = await readCsv(path);
    expect(header?.[0]).toBe("'=1+1");
    expect(rows.map(([first]) => first)).toEqual([...HOSTILE.map((value) => `'${value}`), ...harmless]);
    expect(rows[0]?.[1]).toMatch(/^'=1/);
  });

  test("XLSX: does not hand out a formula: hostile texts are typed text, unchanged", async () => {
    const path = join(folder, "hostile.rejected.xlsx");
    await writeRejectedAnswer({
      table: sentTable(
        "xlsx",
        ["=1+1"],
        HOSTILE.map((value) => [text(value)]),
      ),
      path,
      problemsOf: () => [],
    });
    const sheet = (await readXlsx(path)).getWorksheet("Payouts");
    expect(sheet?.getCell("A1").value).toBe("=1+1");
    for (const [index, value] of HOSTILE.entries()) {
      const cell = sheet?.getCell(index + 2, 1);
      expect(cell?.text).toBe(value);
      expect([ExcelJS.ValueType.String, ExcelJS.ValueType.RichText]).toContain(cell?.type);
    }
  });

  test("reads back equal for all texts, in both formats", async () => {
    // XML 1.0 has no other control characters, and intake refuses them before an answer is written.
    const unit = fc.constantFrom(
      "=",
      "'",
      "-",
      "@",
      "\t",
      "\r",
      "\n",
      '"',
      ",",
      ";",
      " ",
      "é",
      "₿",
      "😀",
      "<",
      "&",
      "_x0041_",
      "5",
      "a",
    );
    const texts = fc.array(fc.string({ unit, maxLength: 8 }), { minLength: 1, maxLength: 5 });
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(texts, { minLength: 1, maxLength: 4 }), async (rows) => {
        run += 1;
        const width = Math.max(...rows.map((row) => row.length));
        const full = rows.map((row) => Array.from({ length: width }, (_, index) => row[index] ?? ""));
        const header = full[0]?.map((_, index) => `c${index}`) ?? [];
        for (const format of ["csv", "xlsx"] as const) {
          const path = join(folder, `property-${run}.${format}`);
          const table = sentTable(
            format,
            header,
            full.map((row) => row.map(text)),
          );
          await writeRejectedAnswer({ table, path, problemsOf: () => [] });
          expect(await textsIn(path, format, full.length, width)).toEqual(full);
        }
      }),
      { numRuns: 40 },
    );
  });

  async function textsIn(
    path: string,
    format: "csv" | "xlsx",
    height: number,
    width: number,
  ): Promise<string[][]> {
    if (format === "csv") {
      const rows: string[][] = parse(await readFile(path), { bom: true, record_delimiter: "\r\n" });
      return rows.slice(1).map((row) => row.slice(0, width).map(unguardFormula));
    }
    const sheet = (await readXlsx(path)).getWorksheet("Payouts");
    return Array.from({ length: height }, (_, row) =>
      Array.from({ length: width }, (_, column) => sheet?.getCell(row + 2, column + 1).text ?? ""),
    );
  }
});

describe("failures", () => {
  test.each(["csv", "xlsx"] as const)(
    "%s: leaves no part of an answer when the rows cannot be read to the end",
    async (format) => {
      const before = await readdir(folder);
      const table: Table = {
        ...sentTable(format, HEADER, ROWS),
        async *rows() {
          yield { row: 1, line: 2, cells: ROWS[0] ?? [], problems: [] };
          throw new Error("the share went away");
        },
      };
      await expect(rejected(table, join(folder, `broken.rejected.${format}`))).rejects.toThrow(
        "the share went away",
      );
      expect(await readdir(folder)).toEqual(before);
    },
  );

  test.each(["csv", "xlsx"] as const)("%s: says that the folder is not there", async (format) => {
    const path = join(folder, "nowhere", `a.rejected.${format}`);
    await expect(rejected(sentTable(format, HEADER, ROWS), path)).rejects.toMatchObject({
      problem: { code: "OUTPUT_UNWRITABLE", message: `${path} cannot be written: its folder does not exist` },
    });
  });
});
