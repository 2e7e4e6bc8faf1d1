/** Control totals on their way: through the inbox, into the answers, and back with the corrected file. */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import ExcelJS from "exceljs";
import { describe, expect, test } from "vitest";
import { intakeStep, submitFile, validateFile } from "../../src/index.ts";
import { openPlace, type Place } from "../site/workplace.ts";

const ADDRESS = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
const PAYOUTS = [
  "reference,accountId,currency,amount,destinationAddress",
  `PAY-1,treasury-btc,BTC,0.05,${ADDRESS}`,
  `PAY-2,treasury-btc,BTC,0.1,${ADDRESS}`,
];

function drop({ folder }: Place, name: string, ...lines: readonly string[]): string {
  mkdirSync(join(folder, "inbox"), { recursive: true });
  const path = join(folder, "inbox", name);
  writeFileSync(path, `${lines.join("\n")}\n`);
  return path;
}

function outbox({ folder }: Place, name: string): string {
  return readFileSync(join(folder, "outbox", name), "utf8");
}

function cellsOf(workbook: ExcelJS.Workbook): ExcelJS.Cell[] {
  const cells: ExcelJS.Cell[] = [];
  for (const sheet of workbook.worksheets)
    sheet.eachRow((row) => {
      row.eachCell((cell) => cells.push(cell));
    });
  return cells;
}

/** Moves an answer back into the inbox, with a correction. */
function dropCorrected(place: Place, name: string, wrong: string, right: string): void {
  const text = outbox(place, name);
  expect(text).toContain(wrong);
  drop(place, name, text.replace(wrong, right).trimEnd());
}

describe("an answer", () => {
  test("keeps a total, so that the corrected file is proven by it again", async () => {
    const place = openPlace();
    drop(place, "payroll.csv", ...PAYOUTS, "Total,,BTC,0.16,");
    const { files } = await intakeStep(place.workplace);
    expect(files).toMatchObject([{ verdict: "rejected", problems: [{ code: "CONTROL_TOTAL_DIFFERS" }] }]);

    dropCorrected(
      place,
      "payroll.rejected.csv",
      "PAY-2,treasury-btc,BTC,0.1,",
      "PAY-2,treasury-btc,BTC,0.11,",
    );
    const corrected = await intakeStep(place.workplace);
    expect(corrected.files).toMatchObject([{ verdict: "accepted", rowsRead: 2 }]);
    expect(corrected.files[0]?.totalsConfirmedBy.length).toBeGreaterThan(0);
  });

  test("keeps them in a workbook, where the wrong figure is the one that is marked", async () => {
    const place = openPlace();
    const workbook = new ExcelJS.Workbook();
    workbook
      .addWorksheet("Payouts")
      .addRows([
        ["Rows", 2],
        [],
        ["Invoice no", "Custody account", "Amount", "Wallet", "Approved by"],
        ["PAY-1", "treasury-btc", 0.1, ADDRESS, "Ann"],
        ["PAY-2", "treasury-btc", 0.25, ADDRESS, "Ann"],
        ["Total", null, { formula: "SUM(C4:C5)", result: 0.30000000000000004 }, null, "checked by Ben"],
      ]);
    mkdirSync(join(place.folder, "inbox"));
    await workbook.xlsx.writeFile(join(place.folder, "inbox", "payroll.xlsx"));
    const { files } = await intakeStep(place.workplace);
    expect(files[0]?.problems).toMatchObject([{ code: "CONTROL_TOTAL_DIFFERS", cell: "C6" }]);

    const answer = await new ExcelJS.Workbook().xlsx.readFile(
      join(place.folder, "outbox", "payroll.rejected.xlsx"),
    );
    const amount = cellsOf(answer).find(({ text }) => text === "0.25");
    if (amount !== undefined) amount.value = 0.2;
    await answer.xlsx.writeFile(join(place.folder, "inbox", "payroll.rejected.xlsx"));
    const corrected = await intakeStep(place.workplace);
    expect(corrected.files).toMatchObject([{ verdict: "accepted", rowsRead: 2 }]);
    expect(corrected.files[0]?.totalsConfirmedBy).toEqual(["line 6"]);
  });

  test("says what is wrong with a total beside it, and with the file as a whole where people look first", async () => {
    const place = openPlace();
    drop(place, "payroll.csv", ...PAYOUTS, "Total,,BTC,0.16,");
    drop(place, "mixed.csv", ...PAYOUTS, `PAY-3,,BTC,"0,5",${ADDRESS}`, `PAY-4,,BTC,1.234,${ADDRESS}`);
    await intakeStep(place.workplace);
    const reason =
      "line 4, amount: 0.16 has no destination and is not the sum of the payments, which is 0.15";
    expect(outbox(place, "payroll.rejected.csv")).toContain(`Total,,BTC,0.16,,"${reason}`);
    expect(outbox(place, "payroll.rejected.csv.txt")).toContain(`  ${reason}`);
    expect(outbox(place, "mixed.rejected.csv")).toContain(
      'the amount ""0,5"" is not written like the others',
    );
  });

  test("calls a control total by its name, not a rejected payout", async () => {
    const place = openPlace();
    drop(place, "payroll.csv", ...PAYOUTS, "Total,,BTC,0.15,2 rows");
    await intakeStep(place.workplace);
    expect(outbox(place, "payroll.accepted.csv")).toContain(
      "Total,,BTC,0.15,2 rows,the total of lines 2 to 3",
    );
    expect(outbox(place, "payroll.accepted.csv.txt")).toContain(
      "Line 4: Total, BTC, 2 rows 0.15: the total of lines 2 to 3",
    );
  });
});

describe("a totals file", () => {
  test("goes the way of its payout file, and proves it", async () => {
    const place = openPlace();
    drop(place, "payroll.csv", ...PAYOUTS);
    drop(place, "payroll.totals.txt", "Rows: 2", "Total BTC: 0.15");
    const { files, waiting } = await intakeStep(place.workplace);
    expect(files).toMatchObject([{ verdict: "accepted", totalsConfirmedBy: ["payroll.totals.txt"] }]);
    expect(waiting).toEqual([]);
    for (const name of ["inbox", "work"]) expect(readdirSync(join(place.folder, name))).toEqual([]);
    expect(readdirSync(join(place.folder, "archive")).map((name) => name.replace(/^[0-9a-f]+/, ""))).toEqual([
      "-payroll.csv",
      "-payroll.totals.txt",
    ]);
  });

  test("that proved a batch stays in the archive when the same payments come again with another one", async () => {
    const place = openPlace();
    const totals = [
      ["Rows: 2", "Total BTC: 0.15"],
      ["Rows: 3", "Total BTC: 9"],
    ];
    const files = [];
    for (const lines of totals) {
      drop(place, "payroll.csv", ...PAYOUTS);
      drop(place, "payroll.totals.txt", ...lines);
      files.push(...(await intakeStep(place.workplace)).files);
    }
    expect(files).toMatchObject([{ batchId: "B-000001" }, { knownAs: "B-000001" }]);
    const archive = join(place.folder, "archive");
    const kept = readdirSync(archive).find((name) => name.endsWith(".totals.txt")) ?? "";
    expect(readFileSync(join(archive, kept), "utf8")).toBe("Rows: 2\nTotal BTC: 0.15\n");
  });

  test("finds its payout file where another system wrote the name in other letters", async () => {
    const place = openPlace();
    const payouts = "Löhne.csv".normalize("NFD");
    drop(place, payouts, ...PAYOUTS);
    drop(place, "löhne.TOTALS.txt".normalize("NFC"), "Rows: 2", "Total BTC: 0.15");
    const { files, waiting } = await intakeStep(place.workplace);
    const totals = payouts.replace("csv", "TOTALS.txt");
    expect(files).toMatchObject([{ verdict: "accepted", totalsConfirmedBy: [totals] }]);
    expect(waiting).toEqual([]);
  });

  test("that differs rejects the file by its own name, and comes back beside it", async () => {
    const place = openPlace();
    drop(place, "payroll.csv", ...PAYOUTS);
    drop(place, "payroll.totals.csv", "Rows,3", "Total BTC,0.15");
    const { files } = await intakeStep(place.workplace);
    expect(files[0]?.problems).toMatchObject([
      { code: "TOTALS_FILE_DIFFERS", file: "payroll.totals.csv", line: 1 },
    ]);
    expect(outbox(place, "payroll.rejected.totals.csv")).toBe("Rows,3\nTotal BTC,0.15\n");

    for (const name of ["payroll.rejected.csv", "payroll.rejected.totals.csv"])
      renameSync(join(place.folder, "outbox", name), join(place.folder, "inbox", name));
    expect((await intakeStep(place.workplace)).files).toMatchObject([
      {
        file: "payroll.rejected.csv",
        verdict: "rejected",
        problems: [{ file: "payroll.rejected.totals.csv" }],
      },
    ]);
  });

  test.each([
    ["something else", "Rows,2\nTotal BTC,0.15\nPAY-3,0.1\n", "TOTALS_FILE_DIFFERS"],
    ["the sum of another currency", "Total LTC,0\n", "TOTALS_FILE_DIFFERS"],
    ["an average", "Rows,2\nTotal BTC,0.15\nAverage BTC,0.075\n", "TOTALS_FILE_DIFFERS"],
    ["nothing", "", "FILE_EMPTY"],
    ["nothing but blank lines", "\n \n", "FILE_EMPTY"],
    ["a heading over nothing", "Totals\n", "FILE_EMPTY"],
    ["what may be a figure", "Rows,2\nTotal BTC,0.1.5\n", "CONTROL_TOTAL_UNREADABLE"],
    ["a broken quote", 'Rows,"2\nTotal BTC,0.15\n', "CSV_MALFORMED"],
    ["far too much", `Rows,2\n${"Total BTC,0.15\n".repeat(10_000)}`, "FILE_TOO_LARGE"],
  ])("that holds %s is never ignored", async (_, text, code) => {
    const place = openPlace();
    const path = drop(place, "payroll.csv", ...PAYOUTS);
    writeFileSync(join(place.folder, "inbox", "payroll.totals.csv"), text);
    const { verdict, problems } = await validateFile(place.workplace, path);
    expect(verdict).not.toBe("accepted");
    expect(problems.map((each) => each.code)).toContain(code);
  });

  test("is found beside a file that is submitted by hand, and refused where there are two", async () => {
    const place = openPlace();
    const path = drop(place, "payroll.csv", ...PAYOUTS);
    drop(place, "payroll.totals.txt", "Total BTC: 0.15 in 2 rows");
    drop(place, "payroll.totals.csv", "Total BTC,0.15,2 rows");
    expect(await submitFile(place.workplace, path, "ann")).toMatchObject({
      verdict: "refused",
      problems: [{ code: "TOTALS_FILE_UNCLEAR" }],
    });
  });

  test("that is still being written keeps its payout file waiting, and alone it waits itself", async () => {
    const place = openPlace({ PAYDROP_FILES_QUIET_SECONDS: "60" });
    drop(place, "payroll.csv", ...PAYOUTS);
    const totalsFile = drop(place, "payroll.totals.csv", "Rows,2");
    drop(place, "bonus.totals.csv", "Rows,2", "Total BTC,0.15");
    let passedMs = 0;
    const sleep = async (durationMs: number) => {
      passedMs += durationMs;
      if (passedMs === durationMs) appendFileSync(totalsFile, "Total BTC,0.15\n");
    };
    const { context } = place.workplace;
    const clock = { ...context.clock, monotonicMs: () => passedMs, sleep };
    const workplace = { ...place.workplace, context: { ...context, clock } };
    expect(await intakeStep(workplace)).toMatchObject({
      files: [],
      waiting: [
        {
          file: "bonus.totals.csv",
          why: "a totals file goes with one payout file of its name, and there are 0",
        },
        { file: "payroll.csv", why: "payroll.totals.csv: it was not seen unchanged for 60 s yet" },
        { file: "payroll.totals.csv", why: "it was not seen unchanged for 60 s yet" },
      ],
    });
    expect(await intakeStep(workplace)).toMatchObject({
      files: [{ verdict: "accepted", totalsConfirmedBy: ["payroll.totals.csv"] }],
      waiting: [{ file: "bonus.totals.csv" }],
    });
  });

  test("that may be about two files keeps both, and says so", async () => {
    const place = openPlace();
    drop(place, "payroll.csv", ...PAYOUTS);
    drop(place, "payroll.txt", ...PAYOUTS);
    drop(place, "payroll.totals.csv", "Rows,2", "Total BTC,0.15");
    const { files, waiting } = await intakeStep(place.workplace);
    expect(files).toEqual([]);
    const why = "a totals file goes with one payout file of its name, and there are 2";
    expect(waiting).toEqual(
      ["payroll.csv", "payroll.totals.csv", "payroll.txt"].map((file) => ({ file, why })),
    );
    expect(readdirSync(join(place.folder, "inbox"))).toHaveLength(3);
  });

  test("claimed by a process that died before it claimed the payout file still goes with it", async () => {
    const place = openPlace();
    drop(place, "payroll.csv", ...PAYOUTS);
    mkdirSync(join(place.folder, "work"));
    const claimed = join(place.folder, "work", "0b0f7e0c-2f0d-4a57-9a39-a63cf2a1d7a4-payroll.totals.csv");
    writeFileSync(claimed, "Rows,3\nTotal BTC,0.15\n");
    const { files } = await intakeStep(place.workplace);
    expect(files).toMatchObject([{ file: "payroll.csv", verdict: "rejected" }]);
    for (const name of ["inbox", "work"]) expect(readdirSync(join(place.folder, name))).toEqual([]);
  });

  test("goes back where its payout file cannot be claimed after it", async () => {
    const place = openPlace();
    drop(place, "payroll.csv", ...PAYOUTS);
    const totalsFile = drop(place, "payroll.totals.csv", "Rows,2");
    const id = "0b0f7e0c-2f0d-4a57-9a39-a63cf2a1d7a4";
    mkdirSync(join(place.folder, "work", `${id}-payroll.csv`), { recursive: true });
    const { context } = place.workplace;
    let isFirst = true;
    const uuid = () => {
      const given = isFirst ? id : context.random.uuid();
      isFirst = false;
      return given;
    };
    const workplace = { ...place.workplace, context: { ...context, random: { ...context.random, uuid } } };
    expect((await intakeStep(workplace)).problems).toMatchObject([{ code: "FILE_NOT_MOVABLE" }]);
    expect(existsSync(totalsFile)).toBe(false);
    expect((await intakeStep(workplace)).files).toMatchObject([
      { verdict: "accepted", totalsConfirmedBy: ["payroll.totals.csv"] },
    ]);
  });

  test("does not go to a file of the same name that a process left behind", async () => {
    const place = openPlace();
    mkdirSync(join(place.folder, "work"));
    const left = join(place.folder, "work", "00000000-2f0d-4a57-9a39-a63cf2a1d7a4-payroll.csv");
    writeFileSync(left, `${PAYOUTS[0]}\nPAY-0,treasury-btc,BTC,0.01,${ADDRESS}\n`);
    drop(place, "payroll.csv", ...PAYOUTS);
    drop(place, "payroll.totals.csv", "Rows,2", "Total BTC,0.15");
    const { files } = await intakeStep(place.workplace);
    const seen = files.map(({ verdict, rowsRead, totalsConfirmedBy }) => [
      verdict,
      rowsRead,
      totalsConfirmedBy,
    ]);
    expect(seen).toHaveLength(2);
    expect(seen).toContainEqual(["accepted", 1, []]);
    expect(seen).toContainEqual(["accepted", 2, ["payroll.totals.csv"]]);
  });
});
