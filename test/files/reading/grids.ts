/** Grids from CSV texts or from cells, and the policy of a company with one or two custody accounts. */
import { parse } from "csv-parse/sync";
import { type InitiationPolicy, initiate } from "../../../src/files/reading/index.ts";
import type { Cell, Grid } from "../../../src/model/grid.ts";
import { custodyAccountId } from "../../../src/model/index.ts";
import { currencyScales, Decimal } from "../../../src/money/index.ts";

export const TREASURY = custodyAccountId("6f1cbb7e-0000-4000-8000-000000000001");
export const SAVINGS = custodyAccountId("6f1cbb7e-0000-4000-8000-000000000002");
export const PAYEE = "6f1cbb7e-0000-4000-8000-0000000000aa";

/** BIP-173's own example of a P2WPKH address, and addresses from the first blocks. */
export const ADDRESS = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
export const ADDRESSES = [
  "12c6DSiU4Rq3P4ZxziKxzrL5LmMBrzjrJX",
  "1HLoD9E4SDFFPDiYfNYnkBLQ85Y51J3Zb1",
  "1FvzCLoTPGANNjWoUo6jUGuAG3wg1w4YjR",
  "15ubicBBWFnvoZLT7GiU2qxjRaKJPdkDMG",
  "1JfbZRwdDHKZmuiZgYArJZhcuuzuw2HuMu",
] as const;

export function policyWith(changes: Partial<InitiationPolicy> = {}): InitiationPolicy {
  const limits = { BTC: Decimal.of("5"), LTC: Decimal.of("500"), ETH: Decimal.of("50") };
  return {
    custodyAccounts: [{ id: TREASURY, name: "treasury-btc", currency: "BTC" }],
    ownDestinations: new Set(),
    defaults: { username: "treasury-bot", callbackUrl: "https://pay.example.com/hook" },
    network: "main",
    numberFormat: "auto",
    columns: {},
    fileName: "payouts.csv",
    otherSheets: [],
    hiddenPayouts: [],
    scales: currencyScales(),
    limits: { perRow: limits, perFile: { ...limits, BTC: Decimal.of("50") } },
    referencePattern: { maxLength: 64 },
    today: "2026-11-20",
    workingDayFrom: (day) => day,
    earlierUses: async () => new Map(),
    controlTotals: { required: false },
    onBadRow: "reject-file",
    ...changes,
  };
}

/** As intake reads a CSV: lines that are not blank, and white space alone as an empty cell. */
export function gridOf(text: string, changes: Partial<Grid> = {}, delimiter = ","): Grid {
  const records = parse(text, { delimiter, relax_column_count: true, info: true }) as unknown as {
    record: string[];
    info: { lines: number };
  }[];
  const lines = records
    .map(({ record }, index) => ({
      line: (records[index - 1]?.info.lines ?? 0) + 1,
      cells: record.map((cell) => (cell.trim() === "" ? "" : cell)),
    }))
    .filter(({ cells }) => cells.some((cell) => cell !== ""));
  const csv = { encoding: "utf-8", hasByteOrderMark: false, isEncodingGuessed: false, delimiter } as const;
  return { ...EMPTY, format: "csv", dialect: "UTF-8", csv, lines, ...changes };
}

/** A sheet of a workbook, from its first line on. */
export function sheetOf(rows: readonly (readonly Cell[])[], changes: Partial<Grid> = {}): Grid {
  const lines = rows.map((cells, index) => ({ line: index + 1, cells }));
  return { ...EMPTY, format: "xlsx", dialect: "Excel workbook", sheet: "Sheet1", lines, ...changes };
}

const EMPTY = {
  hiddenColumns: new Set<number>(),
  columnWidths: new Map<number, number>(),
  outside: [],
  pictureCount: 0,
};

export const numberCell = (text: string): Cell => ({ kind: "number", text });

/** Reads a CSV text or a grid; what was paid as `reference amount destination`, and each problem as `line code`. */
export async function readFile(file: string | Grid, changes: Partial<InitiationPolicy> = {}) {
  const grid = typeof file === "string" ? gridOf(file) : file;
  const result = await initiate(grid, policyWith(changes));
  const drafts = result.rows.flatMap(({ draft }) => (draft === undefined ? [] : [draft]));
  return {
    ...result,
    drafts,
    fields: drafts[0]?.fields,
    paid: (result.verdict === "accepted" ? drafts : []).map(
      ({ fields }) =>
        `${fields.reference} ${fields.amount.value} ${fields.destinationAddress ?? fields.destinationAccountId}`,
    ),
    codes: result.problems.map(({ code, line }) => (line === undefined ? code : `${line} ${code}`)),
    questions: (result.reading?.questions ?? []).map(({ text }) => text),
  };
}
