import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  writeAcceptedAnswer,
  writeRejectedAnswer,
  writeResultsAnswer,
} from "../../../src/exports/answers/index.ts";
import { problem } from "../../../src/faults/index.ts";
import { batchId, isAnswerColumn, payoutId, type Table } from "../../../src/model/index.ts";
import { amountOf, Decimal } from "../../../src/money/index.ts";
import { droppedAgain, readCsv, readXlsx, sentTable, shown } from "./sent-table.ts";
import { withProblems } from "./with-problems.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "paydrop-answers-"));
});
afterAll(() => rm(folder, { recursive: true }));

const HEADER = ["reference", "amount", "destinationAddress", "cost centre"];
const ROWS = [
  ["INV-1", "0.05", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", 'Málaga; "Süd"'],
  ["INV-2", "", "1BoatSLRHtKNngkdXEeobR76b53LETtpyT", ""],
];

const amountMissing = problem(
  "VALUE_MISSING",
  { field: "amount" },
  { row: 2, line: 3, column: "amount", cell: "B3" },
);
const rejected = (table: Table, path: string) =>
  writeRejectedAnswer({
    table: withProblems(table, ({ row }) => (row === 2 ? [amountMissing] : [])),
    path,
    file: "a.csv",
  });

describe("rejected", () => {
  test("CSV: every column comes back unchanged, and each bad row says why", async () => {
    const path = join(folder, "a.rejected.csv");
    await rejected(await sentTable(folder, "csv", HEADER, ROWS), path);
    expect(await readCsv(path)).toEqual([
      [...HEADER, "paydrop: problems (a.csv)"],
      ["INV-1", "0.05", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", 'Málaga; "Süd"', ""],
      [
        "INV-2",
        "",
        "1BoatSLRHtKNngkdXEeobR76b53LETtpyT",
        "",
        "line 3, amount: amount is empty - Fill in amount.",
      ],
    ]);
  });

  test("CSV: a reason is one line, so that the rows stay on theirs, also where it quotes a name of two lines", async () => {
    const path = join(folder, "lines.rejected.csv");
    const table = await sentTable(
      folder,
      "csv",
      ["reference", "amount\n(BTC)", "destinationAddress"],
      [["INV-1", "", ""]],
    );
    const missing = problem(
      "VALUE_MISSING",
      { field: "amount\r\n(BTC)" },
      { line: 3, column: "amount\n(BTC)" },
    );
    await writeRejectedAnswer({ table: withProblems(table, () => [missing]), path, file: "lines.csv" });
    const [, row] = await readCsv(path);
    expect(row?.at(-1)).toBe("line 3, amount (BTC): amount (BTC) is empty - Fill in amount (BTC).");
  });

  test("XLSX: the bad cell is marked and carries the reason, and no other cell is", async () => {
    const path = join(folder, "a.rejected.xlsx");
    await rejected(await sentTable(folder, "xlsx", HEADER, ROWS), path);
    const sheet = (await readXlsx(path)).getWorksheet("Payouts");
    expect(sheet?.getCell("E3").text).toBe("line 3, amount: amount is empty - Fill in amount.");
    expect(sheet?.getCell("B3").fill).toMatchObject({ fgColor: { argb: "FFFFC7CD" } });
    expect(JSON.stringify(sheet?.getCell("B3").note)).toContain("amount is empty - Fill in amount.");
    for (const good of ["B2", "A3", "C3", "E2"]) {
      expect(sheet?.getCell(good).fill).not.toMatchObject({ pattern: "solid" });
      expect(sheet?.getCell(good).note).toBeUndefined();
    }
  });

  test("does not keep the problems of an earlier answer when a corrected one is dropped again", async () => {
    const path = join(folder, "again.rejected.csv");
    const header = ["paydrop: problems", ...HEADER];
    const rows = ROWS.map((cells) => ["line 3: old", ...cells]);
    await rejected(await sentTable(folder, "csv", header, rows), path);
    const [first, ...others] = await readCsv(path);
    expect(first).toEqual([...HEADER, "paydrop: problems (a.csv)"]);
    expect(JSON.stringify(others)).not.toContain("old");
    expect(first?.filter(isAnswerColumn)).toEqual(["paydrop: problems (a.csv)"]);
  });

  test("XLSX: marks the right cell although a column of an earlier answer stood before it", async () => {
    const path = join(folder, "moved.rejected.xlsx");
    const rows = ROWS.map((cells) => ["old", ...cells]);
    await rejected(await sentTable(folder, "xlsx", ["paydrop: problems", ...HEADER], rows), path);
    const sheet = (await readXlsx(path)).getWorksheet("Payouts");
    expect(sheet?.getCell("C1").text).toBe("amount");
    expect(sheet?.getCell("C3").note).toBeDefined();
    expect([sheet?.getCell("A1").text, sheet?.getCell("A3").text]).toEqual(["", ""]);
    expect(sheet?.getCell("F1").text).toBe("paydrop: problems (a.csv)");
  });

  test("tells what is wrong with the file as a whole, without touching its rows", async () => {
    const fileProblems = [problem("FILE_HAS_NO_ROWS", {}, {})];
    const empty = { fileProblems, file: "a.csv" };
    const csv = join(folder, "whole.rejected.csv");
    await writeRejectedAnswer({ ...empty, table: await sentTable(folder, "csv", HEADER, []), path: csv });
    expect(await readFile(join(folder, "whole.rejected.csv.txt"), "utf8")).toContain("no payout below it");
    const xlsx = join(folder, "whole.rejected.xlsx");
    await writeRejectedAnswer({ ...empty, table: await sentTable(folder, "xlsx", HEADER, []), path: xlsx });
    expect(shown(await readXlsx(xlsx), "Paydrop summary")[0]?.[1]).toContain("no payout below it");
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

  test.each(["b.accepted.csv", "b.accepted.txt", "b.accepted"])(
    "CSV: one standing per row in %s, and the totals in a text file beside it",
    async (name) => {
      const path = join(folder, name);
      await writeAcceptedAnswer({ ...summary, table: await sentTable(folder, "csv", HEADER, ROWS), path });
      expect((await readCsv(path)).map((row) => row.at(-1))).toEqual([
        "paydrop: standing",
        "received",
        "received",
      ]);
      expect(await readFile(`${path}.txt`, "utf8")).toBe(
        lines.map(([label, value]) => `${label}: ${value}\n`).join(""),
      );
    },
  );

  test("XLSX: the totals on a second sheet", async () => {
    const path = join(folder, "b.accepted.xlsx");
    await writeAcceptedAnswer({ ...summary, table: await sentTable(folder, "xlsx", HEADER, ROWS), path });
    const workbook = await readXlsx(path);
    expect(workbook.worksheets.map(({ name }) => name)).toEqual(["Payouts", "Paydrop summary"]);
    expect(shown(workbook, "Paydrop summary")).toEqual(lines);
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
    [
      "standing",
      "payoutId",
      "state",
      "sentAmount",
      "currency",
      "fee",
      "txHash",
      "confirmedDate",
      "error",
      "note",
    ].map((name) => `paydrop: ${name}`),
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
      "",
    ],
    ["refused", "", "", "", "", "", "", "", "no such account", ""],
    ["rejected", "", "", "", "", "", "", "", "", ""],
  ];

  test.each(["csv", "xlsx"] as const)(
    "%s: every row says what became of it, to the last digit",
    async (format) => {
      const path = join(folder, `d.results.${format}`);
      await writeResultsAnswer({
        table: await sentTable(
          folder,
          format,
          ["reference", "amount"],
          [
            ["1", "1"],
            ["2", "1"],
            ["3", "1"],
          ],
        ),
        path,
        resultOf: ({ row }) =>
          [result, { standing: "refused", error: "no such account" }][row - 1] ?? { standing: "rejected" },
      });
      const rows = format === "csv" ? await readCsv(path) : shown(await readXlsx(path), "Payouts");
      expect(rows.map((row) => expected[0]?.map((_, index) => row[index + 2] ?? ""))).toEqual(expected);
    },
  );

  test.each(["csv", "xlsx"] as const)(
    "%s: whatever characters the service puts into its words, the answer can be read and each row is one line",
    async (format) => {
      const path = join(folder, `e.results.${format}`);
      const sent = await sentTable(folder, format, ["reference", "amount"], [["1", "1"]]);
      const state = "COMP\u0000LET\ud800ED\u202e";
      const said = { standing: "held", state, txHash: "00\u0007e1\n", error: "not\r\nours\u0085" };
      await writeResultsAnswer({ table: sent, path, resultOf: () => said });
      expect((await droppedAgain(path)).rows).toHaveLength(1);
      const rows = format === "csv" ? await readCsv(path) : shown(await readXlsx(path), "Payouts");
      expect(rows.at(1)).toEqual(expect.arrayContaining(["held", "COMP LET ED", "00 e1", "not ours"]));
    },
  );
});

describe("failures", () => {
  test.each(["csv", "xlsx"] as const)(
    "%s: leaves no part of an answer when the rows cannot be read to the end",
    async (format) => {
      const table: Table = {
        ...(await sentTable(folder, format, HEADER, ROWS)),
        async *windows() {
          yield [{ row: 1, line: 2, cells: [], problems: [] }];
          throw new Error("the share went away");
        },
      };
      const before = await readdir(folder);
      await expect(rejected(table, join(folder, `broken.rejected.${format}`))).rejects.toThrow(
        "the share went away",
      );
      expect(await readdir(folder)).toEqual(before);
    },
  );

  test.each(["csv", "xlsx"] as const)("%s: says that the folder is not there", async (format) => {
    const path = join(folder, "nowhere", `a.rejected.${format}`);
    await expect(rejected(await sentTable(folder, format, HEADER, ROWS), path)).rejects.toMatchObject({
      problem: { code: "OUTPUT_UNWRITABLE", message: `${path} cannot be written: its folder does not exist` },
    });
  });
});
