/** Long files: stored and answered completely. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { approveStep, statusOfBatches, submitFile, validateFile } from "../../src/index.ts";
import { writeResults } from "../../src/payments/write-results.ts";
import { listByBatch } from "../../src/store/instructions.ts";
import { openPlace } from "../site/workplace.ts";

const ADDRESS = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
// The private key of BIP 178's example, in wallet import format: worthless, and recognised as one.
const PRIVATE_KEY = "L5EZftvrYaSudiozVRzTqLcHLNDoVn7H5HSfM9BAN6tMJX8oTWz6";

test("a file of which every row is wrong is counted to its end, and answered row by row", async () => {
  const { folder, workplace } = openPlace();
  const rows = Array.from({ length: 20_500 }, (_, index) => `R-${index + 1},0.0001x,${ADDRESS}`);
  const path = fileOf(folder, [...rows, `R-LAST,0.0001,${PRIVATE_KEY}`]);
  const report = await submitFile(workplace, path, "ann");
  expect(report).toMatchObject({ verdict: "rejected", rowsRead: 20_501, rowsRejected: 20_501 });
  expect(report.problems).toHaveLength(20_501);
  expect(report.problems.filter(({ code }) => code === "AMOUNT_UNREADABLE")).toHaveLength(20_500);
  expect(report.problems.at(-1)).toMatchObject({ code: "ADDRESS_IS_SECRET", line: 20_502 });
  const answer = readFileSync(join(folder, "outbox", "long.rejected.csv"), "utf8")
    .trimEnd()
    .split(/\r?\n/);
  expect(answer).toHaveLength(20_502);
  expect(answer.slice(1, -1).filter((line) => !line.includes("0.0001x"))).toEqual([]);
  expect(answer.slice(1).filter((line) => !/line \d+/.test(line))).toEqual([]);
  expect(answer.at(-1)).not.toContain(PRIVATE_KEY);
  expect(readdirSync(join(folder, "archive"))).toEqual([]);
});

test("a file of many windows is stored whole, in the order of its rows, and is the one that was approved", async () => {
  const { folder, workplace } = openPlace({ PAYDROP_KEY: "demo-key" });
  const rows = Array.from({ length: 1_250 }, (_, index) => `R-${index + 1},0.0001,${ADDRESS}`);
  const path = fileOf(folder, rows);
  const { digest, batchId, rowsAccepted } = await submitFile(workplace, path, "ann");
  const [{ batch } = { batch: undefined }] = await statusOfBatches(workplace);
  expect(batch).toMatchObject({ id: batchId, digest, rowCount: 1_250 });
  expect(rowsAccepted).toBe(1_250);
  const stored = await workplace.store.read(() => listByBatch(batch?.id ?? unknownBatch()));
  expect(stored.map(({ row, fields }) => `${row} ${fields.reference}`)).toEqual(
    rows.map((_, index) => `${index + 1} R-${index + 1}`),
  );
  const { problems } = await validateFile(workplace, path);
  expect(problems.filter(({ code }) => code === "ROW_SENT_BEFORE")).toHaveLength(1_250);
  expect(await writeResults(workplace)).toEqual({ paths: [], problems: [] });
  const repeats = { acceptRepeats: 1_249 };
  expect(await approveStep(workplace, digest ?? "", "ben", repeats)).toMatchObject({ released: 1_250 });
  const [results = ""] = (await writeResults(workplace)).paths;
  const lines = readFileSync(results, "utf8").trimEnd().split(/\r?\n/);
  expect(lines).toHaveLength(1_251);
  expect(lines.slice(1).filter((line) => !line.includes(",approved,"))).toEqual([]);
});

test("nothing of a file is stored whose last row is wrong", async () => {
  const { folder, workplace } = openPlace();
  const rows = Array.from({ length: 350 }, (_, index) => `R-${index + 1},0.0001,${ADDRESS}`);
  const path = fileOf(folder, [...rows, `R-LAST,0,${ADDRESS}`]);
  expect((await submitFile(workplace, path, "ann")).verdict).toBe("rejected");
  expect(await statusOfBatches(workplace)).toEqual([]);
  // The corrected file is accepted: no row of the first attempt is in its way.
  writeFileSync(path, readFileSync(path, "utf8").replace("R-LAST,0,", "R-LAST,0.0001,"));
  expect(await submitFile(workplace, path, "ann")).toMatchObject({ verdict: "accepted", rowsAccepted: 351 });
});

function unknownBatch(): never {
  throw new Error("there is no batch");
}

function fileOf(folder: string, rows: readonly string[]): string {
  const path = join(folder, "long.csv");
  writeFileSync(path, `reference,amount,destinationAddress\n${rows.join("\n")}\n`);
  return path;
}
