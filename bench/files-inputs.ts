/** What `bench:files` reads: payouts of 20 filled columns with an even mix of Bitcoin's address types, as CSV and XLSX, and a history. */
import { createHash, randomUUID } from "node:crypto";
import { createWriteStream, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { sha256 } from "@noble/hashes/sha2.js";
import { bech32, createBase58check } from "@scure/base";
import { openWorkplace, stderrLog, type Workplace } from "../src/index.ts";
import { batchId, custodyAccountId, instructionId } from "../src/model/index.ts";
import { amountOf } from "../src/money/index.ts";
import { insertBatch } from "../src/store/batches.ts";
import { insertInstructions } from "../src/store/instructions.ts";

const CUSTODY_ACCOUNT = "6f1cbb7e-0000-4000-8000-000000000001";

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
      baseUrl: "http://127.0.0.1:1",
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

/** Other references than those of the files, but in between: each look-up ends on another page of the index. */
export async function writeHistory(folder: string, references: number): Promise<void> {
  const workplace = openBenchWorkplace(folder);
  const id = batchId("B-000001");
  const at = "2026-01-02T03:04:05.000Z";
  await workplace.store.write(function* () {
    const names = {
      fileSha256: "0".repeat(64),
      fileName: "earlier.csv",
      archivedAs: "earlier.csv",
      submittedBy: "ann",
    };
    const sums = { digest: "0".repeat(64), rowCount: references, controlTotals: [] };
    yield* insertBatch({ id, ...names, submittedAt: at, ...sums });
    for (let row = 1; row <= references; row += 1) {
      const fields = {
        username: "treasury-bot",
        custodyAccountId: custodyAccountId(CUSTODY_ACCOUNT),
        reference: referenceOf(2 * row),
        callbackUrl: "https://pay.example.com/hook",
        amount: amountOf("0.01", "BTC"),
        destinationAddress: addressOf(row),
      };
      yield* insertInstructions(id, [{ id: instructionId(randomUUID()), row, line: row + 1, fields }], at);
    }
  });
  await workplace.close();
}

/** One row of the files, in the order of their header. */
function payout(number: number): string[] {
  return [
    referenceOf(2 * number + 1),
    `0.${String(number % 100_000).padStart(5, "0")}1`,
    "BTC",
    addressOf(number),
    "treasury-btc",
    "treasury-bot",
    `Supplier ${number % 5000}`,
    "https://pay.example.com/hook",
    "CUSTOM",
    String(1 + (number % 40)),
    number % 2 === 0 ? "true" : "false",
    "yes",
    "no",
    "true",
    `ORDER-${number % 20}`,
    `${5000 + (number % 50)}`,
    `PRJ-${number % 30}`,
    `DIST-${number % 10}`,
    `2099-12-${String(1 + (number % 28)).padStart(2, "0")}`,
    `Approver ${number % 100}`,
  ];
}

/** Different for each number below 2^32, and in no order: Fibonacci hashing. */
function referenceOf(number: number): string {
  return `PAY-2026-${(Math.imul(number, 0x9e3779b1) >>> 0).toString(16).padStart(8, "0")}`;
}

const base58check = createBase58check(sha256);

/** P2PKH, P2SH, P2WPKH and P2WSH in turn. */
function addressOf(number: number): string {
  const hash = createHash("sha256").update(String(number)).digest();
  switch (number % 4) {
    case 0:
      return base58check.encode(Uint8Array.of(0x00, ...hash.subarray(0, 20)));
    case 1:
      return base58check.encode(Uint8Array.of(0x05, ...hash.subarray(0, 20)));
    case 2:
      return bech32.encode("bc", [0, ...bech32.toWords(hash.subarray(0, 20))]);
    default:
      return bech32.encode("bc", [0, ...bech32.toWords(hash)]);
  }
}
