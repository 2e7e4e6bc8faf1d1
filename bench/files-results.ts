/**
 * How much longer a results workbook of 100,000 rows takes than exceljs's stream writer alone takes for the same cells. Ours reads
 * the sent workbook and writes beside its rows; the yardstick writes what it is given. Taken in turn, round by round; medians count.
 */
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type RowResult, writeResultsAnswer } from "../src/exports/answers/index.ts";
import { DEFAULT_FILE_LIMITS, openTable } from "../src/intake/index.ts";
import { payoutId } from "../src/model/index.ts";
import { amountOf } from "../src/money/index.ts";
import { median, rounded, secondsOf } from "./measuring.ts";

/** Of a results workbook over exceljs's stream writer alone. */
export const RESULTS_LIMIT = 1.3;

const ROUNDS = 3;
const SENT_COLUMNS = 20;

export interface ResultsMeasured {
  readonly ratio: number;
  readonly yardstickSeconds: number;
  readonly measuredSeconds: number;
}

export async function measureResults(rows: number): Promise<ResultsMeasured> {
  const folder = mkdtempSync(join(tmpdir(), "paydrop-bench-results-"));
  try {
    const sent = join(folder, "sent.xlsx");
    await writeAlone(sent, rows, sentCells);
    const seconds = { yardstick: [] as number[], measured: [] as number[] };
    for (let round = 0; round < ROUNDS; round += 1) {
      const yardstick = () =>
        writeAlone(join(folder, "alone.xlsx"), rows, (row) => [...sentCells(row), ...resultCells(row)]);
      seconds.yardstick.push(await secondsOf(yardstick));
      seconds.measured.push(await secondsOf(() => writeResults(sent, join(folder, "sent.results.xlsx"))));
    }
    const [yardstickSeconds, measuredSeconds] = [median(seconds.yardstick), median(seconds.measured)];
    return { ratio: rounded(measuredSeconds / yardstickSeconds), yardstickSeconds, measuredSeconds };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function writeResults(sent: string, path: string): Promise<void> {
  const isHeader = (cells: readonly string[]) => cells.includes("reference");
  const table = await openTable(sent, { isHeader, limits: DEFAULT_FILE_LIMITS });
  await writeResultsAnswer({ table, path, resultOf: ({ row }) => resultOf(row) });
}

/** exceljs as its documentation has it, with a pause for what it holds to reach the disk. */
async function writeAlone(path: string, rows: number, cellsOf: (row: number) => string[]): Promise<void> {
  const { default: ExcelJS } = await import("exceljs");
  const workbook = new ExcelJS.stream.xlsx.WorkbookWriter({
    filename: path,
    useStyles: true,
    useSharedStrings: false,
  });
  const sheet = workbook.addWorksheet("Payouts");
  for (let row = 0; row <= rows; row += 1) {
    sheet.addRow(cellsOf(row)).commit();
    if (row % 500 === 0) await new Promise((resume) => setImmediate(resume));
  }
  sheet.commit();
  await workbook.commit();
}

function sentCells(row: number): string[] {
  const known =
    row === 0 ? ["reference", "amount", "destinationAddress"] : [`PAY-${row}`, "0.00012345", ADDRESS];
  const others = Array.from({ length: SENT_COLUMNS - known.length }, (_, at) => `extra ${at} of ${row}`);
  return [...known, ...others];
}

const ADDRESS = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";

function resultOf(row: number): RowResult {
  return {
    standing: "accepted",
    payoutId: payoutId(`1b2c0000-0000-4000-8000-${String(row).padStart(12, "0")}`),
    state: "COMPLETED",
    sentAmount: amountOf("0.00012345", "BTC"),
    fee: amountOf("0.00000141", "BTC"),
    txHash: createHash("sha256").update(String(row)).digest("hex"),
    confirmedAt: "2026-11-20T09:30:00.000Z",
  };
}

function resultCells(row: number): string[] {
  const {
    standing,
    payoutId: id = "",
    state = "",
    sentAmount,
    fee,
    txHash = "",
    confirmedAt = "",
  } = resultOf(row);
  const amounts = [
    sentAmount?.value.toString() ?? "",
    sentAmount?.currency ?? "",
    fee?.value.toString() ?? "",
  ];
  return [standing, id, state, ...amounts, txHash, confirmedAt];
}
