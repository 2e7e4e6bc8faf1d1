/**
 * What `bench:files` reads: payouts of 20 filled columns with an even mix of Bitcoin's address types, as CSV and
 * XLSX, and a history.
 */
import { createWriteStream, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { openWorkplace, stderrLog, type Workplace } from "../src/index.ts";
import { custodyAccountId } from "../src/model/index.ts";
import { addressOf, amountAt, HEAVY_ADDRESS, payeeOf, referenceOf, writeHistory } from "./history.ts";

const CUSTODY_ACCOUNT = "6f1cbb7e-0000-4000-8000-000000000001";

const BASE_URL = "http://127.0.0.1:1";

const HEADER = [
  "reference",
  "amount",
  "currency",
  "destinationAddress",
  "accountId",
  "username",
  "customerId",
  "callbackUrl",
  "feePolicy",
  "customFeeRate",
  "subtractFee",
  "verifyBalance",
  "useCoinConsolidation",
  "batchingAllowed",
  "orderCodeName",
  "generalLedgerName",
  "generalLedgerProject",
  "generalLedgerDistribution",
  "payOn",
  "Cost approver",
];

export function openBenchWorkplace(folder: string): Workplace {
  return openWorkplace(join(folder, "paydrop.yaml"), {}, stderrLog("silent"));
}

export function writeConfiguration(folder: string): void {
  const configuration = {
    service: {
      baseUrl: BASE_URL,
      username: "treasury-bot",
      callbackUrl: "https://pay.example.com/hook",
    },
    custodyAccounts: [{ name: "treasury-btc", id: CUSTODY_ACCOUNT, currency: "BTC" }],
    limits: { perRow: { BTC: "1" }, perFile: { BTC: "1000000" }, perDay: { BTC: "1000000" } },
    approval: { rules: [{ people: 1 }] },
    people: { trialKeys: "trial-keys" },
    ledger: { functionalCurrency: "EUR", timeZone: "Europe/Madrid", chart: "chart-of-accounts.csv" },
  };
  // JSON is YAML.
  writeFileSync(join(folder, "paydrop.yaml"), JSON.stringify(configuration));
  writeFileSync(join(folder, "chart-of-accounts.csv"), chart());
}

export async function writeCsv(path: string, rows: number): Promise<void> {
  const lines = function* () {
    yield `${HEADER.join(",")}\r\n`;
    for (let number = 1; number <= rows; number += 1) yield `${payout(number).join(",")}\r\n`;
  };
  await pipeline(Readable.from(lines()), createWriteStream(path));
}

/** As spreadsheet programs write it: shared texts, amounts as number cells. */
export async function writeXlsx(path: string, rows: number): Promise<void> {
  // Loaded here: the process in which a check is measured must not carry it.
  const { default: ExcelJS } = await import("exceljs");
  const book = new ExcelJS.stream.xlsx.WorkbookWriter({ filename: path, useSharedStrings: true });
  const sheet = book.addWorksheet("Payouts");
  sheet.addRow(HEADER).commit();
  for (let number = 1; number <= rows; number += 1) {
    const cells: (string | number)[] = payout(number);
    cells[1] = Number.parseFloat(String(cells[1]));
    sheet.addRow(cells).commit();
  }
  await book.commit();
}

/** A year of accepted payments, to the destinations of the files and under their payees' names among others. */
export function writeFilesHistory(folder: string, payments: number): Promise<void> {
  return writeHistory(join(folder, "paydrop.sqlite"), {
    ...{ payments, custodyAccount: custodyAccountId(CUSTODY_ACCOUNT), key: "bench-key" },
    ...{ callbackUrl: "https://pay.example.com/hook", baseUrl: BASE_URL },
  });
}

/**
 * Of ten rows one goes to the destination that is paid most. Of a hundred one is a new payee's, and of a thousand
 * one goes to an address that its payee did not have.
 */
function partiesOf(number: number): { readonly destination: string; readonly payee: string } {
  if (number % 100 === 1) return { destination: addressOf(NEW + number), payee: payeeOf(NEW + number) };
  if (number % 1000 === 2) return { destination: addressOf(NEW + number), payee: payeeOf(number) };
  return { destination: number % 10 === 0 ? HEAVY_ADDRESS : addressOf(number), payee: payeeOf(number) };
}

const NEW = 10_000_000;

/** One account in fifty is missing in the chart. */
const ACCOUNTS = Array.from({ length: 50 }, (_, index) => 5000 + index);

/** The chart of accounts beside the configuration. */
function chart(): string {
  const ofSample = readFileSync("samples/chart-of-accounts.csv", "utf8");
  const known = ACCOUNTS.slice(1).map((code) => `gl,Costs ${code},,,,${code},expenses:costs ${code}`);
  return `${ofSample.trimEnd()}\n${known.join("\n")}\n`;
}

/** One row of the files, in the order of their header. */
function payout(number: number): string[] {
  const { destination, payee } = partiesOf(number);
  return [
    referenceOf(2 * number + 1),
    amountAt(number),
    "BTC",
    destination,
    "treasury-btc",
    "treasury-bot",
    payee,
    "https://pay.example.com/hook",
    "CUSTOM",
    String(1 + (number % 40)),
    number % 2 === 0 ? "true" : "false",
    "yes",
    "no",
    "true",
    `ORDER-${number % 20}`,
    `${ACCOUNTS[number % 50]}`,
    `PRJ-${number % 30}`,
    `DIST-${number % 10}`,
    `2099-12-${String(1 + (number % 28)).padStart(2, "0")}`,
    `Approver ${number % 100}`,
  ];
}
