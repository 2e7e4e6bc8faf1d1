/** Tables built from arrays, and the policy of a company with one or two custody accounts. */
import type { InitiationPolicy } from "../../src/initiation/index.ts";
import { type Cell, custodyAccountId, EMPTY_CELL, type Row, type Table } from "../../src/model/index.ts";
import { currencyScales, Decimal } from "../../src/money/index.ts";

export const TREASURY = custodyAccountId("6f1cbb7e-0000-4000-8000-000000000001");
export const SAVINGS = custodyAccountId("6f1cbb7e-0000-4000-8000-000000000002");
export const PAYEE = "6f1cbb7e-0000-4000-8000-0000000000aa";
/** BIP-173's own example of a P2WPKH address. */
export const ADDRESS = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";

export type Value = string | Cell;

export function policyWith(changes: Partial<InitiationPolicy> = {}): InitiationPolicy {
  const limits = { BTC: Decimal.of("5"), LTC: Decimal.of("500"), ETH: Decimal.of("50") };
  return {
    custodyAccounts: [
      { id: TREASURY, name: "treasury-btc", currency: "BTC" },
      { id: SAVINGS, name: "savings-btc", currency: "BTC" },
    ],
    defaults: { username: "treasury-bot", callbackUrl: "https://pay.example.com/hook" },
    network: "main",
    numberFormat: "auto",
    columns: {},
    scales: currencyScales(),
    limits: { perRow: limits, perFile: { ...limits, BTC: Decimal.of("50") } },
    referencePattern: { maxLength: 64, allowed: "[A-Za-z0-9][A-Za-z0-9._/-]*" },
    today: "2026-11-20",
    earlierUses: async () => new Map(),
    controlTotals: { required: false, sumWords: [], countWords: [] },
    onBadRow: "reject-file",
    ...changes,
  };
}

/** A table whose first array is the header; rows start at line 2. */
export function tableOf(lines: readonly (readonly Value[])[], format: "csv" | "xlsx" = "csv"): Table {
  const [header = [], ...body] = lines;
  const rows = body.map(
    (values, index): Row => ({ row: index + 1, line: index + 2, cells: values.map(cellOf), problems: [] }),
  );
  return tableOfRows(
    header.map((value) => cellOf(value).text),
    rows,
    format,
  );
}

export function tableOfRows(header: readonly string[], rows: readonly Row[], format: "csv" | "xlsx"): Table {
  return {
    format,
    ...(format === "xlsx" ? { sheet: "Payouts" } : {}),
    dialect: "made in a test",
    headerLine: 1,
    header,
    source:
      format === "csv"
        ? { format, path: "", encoding: { label: "utf-8", skipBytes: 0 }, delimiter: "," }
        : { format, path: "", sheetPart: "" },
    windows: async function* () {
      for (let first = 0; first < rows.length; first += 100) yield rows.slice(first, first + 100);
    },
  };
}

/** One payout per element: a good row with the given columns changed. */
export function payoutTable(
  rows: readonly Readonly<Record<string, Value>>[],
  format: "csv" | "xlsx" = "csv",
): Table {
  const complete = rows.map((row, index) => ({ ...goodPayout(index + 1), ...row }));
  const columns = [...new Set(complete.flatMap((row) => Object.keys(row)))];
  const body = complete.map((row) => columns.map((column) => new Map(Object.entries(row)).get(column) ?? ""));
  return tableOf([columns, ...body], format);
}

function goodPayout(number: number): Record<string, Value> {
  return {
    reference: `INV-${number}`,
    accountId: "treasury-btc",
    amount: "0.05",
    destinationAddress: ADDRESS,
  };
}

function cellOf(value: Value): Cell {
  if (typeof value !== "string") return value;
  return value === "" ? EMPTY_CELL : { kind: "text", text: value };
}

export const numberCell = (text: string): Cell => ({ kind: "number", text });
export const dateCell = (text: string): Cell => ({ kind: "date", text });
