/** Files that people sent: each is taken or stopped as its sender would want, and pays what the sender meant. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { approveStep, submitFile, validateFile } from "../../../src/index.ts";
import { acceptLayoutStep } from "../../../src/payments/layout-step.ts";
import { ADDRESS, openSite } from "../../site/service.ts";
import { sliceOf } from "../../slice.ts";

const FILES = join(import.meta.dirname, "../meant/files");
const LIMITS = JSON.stringify(
  Object.fromEntries(["perRow", "perFile", "perDay"].map((name) => [name, { BTC: "1000000000" }])),
);

const cases = readFileSync(join(FILES, "EXPECTED.tsv"), "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => line.split("\t"))
  .map(([file = "", expected = "", about = "", what = ""]) => ({ file, expected, about, what }));

/** Wrong columns and lines, for files where the list does not say what a question must be about. */
const WRONG: Readonly<Record<string, RegExp>> = {
  "Affiliate payouts EUR.csv": /EUR/,
  "w18.csv": /Tokens/,
  "w30.csv": /Payment date/,
  "w40.csv": /`Amount`/,
  "w55.csv": /1\.234/,
  "w73.csv": /Change address/,
  "w119.csv": /Previous wallet/,
  "w134.csv": /Value/,
};

/** Addresses that were used otherwise; they are accepted apart from the reading. */
const COMPARED = /^DESTINATION_(?:NOT_USUAL|OF_ANOTHER)$/;

describe("a file is", () => {
  test.each(sliceOf(cases, 3))("$expected: $what ($file)", async ({ file, expected, about }) => {
    const { workplace } = await openSite({}, { PAYDROP_LIMITS: LIMITS });
    const report = await submitFile(workplace, join(FILES, file), "ann");
    const questions = report.reading?.questions ?? [];
    const approve = (acceptReading?: number) =>
      approveStep(workplace, report.digest ?? "", "ben", { acceptReading });
    if (expected === "take") {
      expect([report.verdict, report.problems]).toEqual(["accepted", []]);
      expect(questions.length).toBeLessThanOrEqual(1);
      if (questions.length > 0)
        await expect(approve()).rejects.toMatchObject({ problem: { code: "READING_NOT_ACCEPTED" } });
      expect((await approve(questions.length)).released).toBe(report.rowsAccepted);
      return;
    }
    if (report.verdict !== "accepted") return;
    const wrong = about === "" ? WRONG[file] : new RegExp(about);
    expect(wrong, "what is wrong with the file").toBeDefined();
    const asked = questions.filter(({ text }) => wrong?.test(text));
    const compared = report.warnings.filter(
      ({ code, message }) => COMPARED.test(code) && wrong?.test(message),
    );
    expect(asked.length + compared.length).toBeGreaterThan(0);
    const code = asked.length > 0 ? "READING_NOT_ACCEPTED" : "LOOK_ALIKES_NOT_ACCEPTED";
    await expect(approve(asked.length > 0 ? undefined : questions.length)).rejects.toMatchObject({
      problem: { code },
    });
  });

  test("named by the column that contradicts what its rows would pay", async () => {
    const { workplace } = await openSite({}, { PAYDROP_LIMITS: LIMITS });
    const columns = new Map([
      ["w03.csv", "Amount (TRY)"],
      ["w06.csv", "Amount EUR"],
      ["w10.csv", "Amount (sat)"],
      ["w14.csv", "Amount x1000"],
      ["w114.csv", "Amount ($)"],
      ["w115.csv", "Betrag in Tsd."],
      ["w117.csv", "Amount sat"],
    ]);
    for (const [file, column] of columns) {
      const { verdict, problems } = await submitFile(workplace, join(FILES, file), "ann");
      expect([verdict, problems[0]?.column]).toEqual(["rejected", column]);
    }
  });
});

test("leaving out a merged value leaves out every row that it covers", async () => {
  const { workplace } = await openSite({}, { PAYDROP_LIMITS: LIMITS });
  const { batchId = "", rowsAccepted } = await submitFile(workplace, join(FILES, "w97.xlsx"), "ann");
  expect(rowsAccepted).toBe(4);
  const decision = { person: "ben", columns: {}, leaveOut: ["Status=ON HOLD"] };
  const { takenInAs } = await acceptLayoutStep(workplace, batchId, decision);
  expect(takenInAs).toMatchObject({ verdict: "accepted", rowsAccepted: 1, rowsLeftOut: 3 });
});

test("a hidden sheet with payouts is listed and asked about, and a list of vendors only listed", async () => {
  const { workplace } = await openSite({}, { PAYDROP_LIMITS: LIMITS });
  const hidden = await submitFile(workplace, join(FILES, "h44.xlsx"), "ann");
  expect(hidden.reading?.otherSheets).toEqual(["Oct (hidden: payouts)"]);
  expect(hidden.reading?.questions.map(({ text }) => text)).toEqual([
    'the hidden sheet "Oct" holds a table of payouts, which is not read and not paid',
  ]);
  const other = await openSite({}, { PAYDROP_LIMITS: LIMITS });
  const vendors = await submitFile(other.workplace, join(FILES, "h42.xlsx"), "ann");
  expect([vendors.reading?.otherSheets, vendors.reading?.questions]).toEqual([["Vendors"], []]);
});

test("a fee rate far above the median of those that were approved is asked about", async () => {
  const { workplace, folder } = await openSite();
  const file = (name: string, rates: readonly number[]) => {
    const path = join(folder, `${name}.csv`);
    const rows = rates.map((rate, at) => `${name}-${at},0.00${at + 1}${rate},${ADDRESS},CUSTOM,${rate}`);
    writeFileSync(path, `reference,amount,destinationAddress,feePolicy,customFeeRate\n${rows.join("\n")}\n`);
    return path;
  };
  const asked = async (name: string, rate: number) =>
    (await validateFile(workplace, file(name, [rate]))).reading?.questions.map(({ text }) => text);
  expect(await asked("first", 500)).toEqual([]);
  const { digest = "" } = await submitFile(workplace, file("usual", [9, 12]), "ann");
  expect(await asked("before", 500)).toEqual([]);
  await approveStep(workplace, digest, "ben");
  expect(await asked("within", 60)).toEqual([]);
  expect(await asked("above", 61)).toEqual([
    "the fee rate of 1 row is up to 61 sat/vB, more than five times the usual 12 of the last payments",
  ]);
});
