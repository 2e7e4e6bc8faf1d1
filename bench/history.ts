/**
 * A year of use as benchmarks need it: accepted payments with payees, one destination with a tenth of them among
 * them, and with each its submission and its completed payout. Only for SQLite, and only for a database without
 * payments.
 */
import { createHash } from "node:crypto";
import { sha256 } from "@noble/hashes/sha2.js";
import { bech32, createBase58check } from "@scure/base";
import Database from "better-sqlite3";
import {
  batchId,
  type CustodyAccountId,
  canonicalFields,
  comparedName,
  foldedReference,
} from "../src/model/index.ts";
import { present } from "../src/model/present.ts";
import { Decimal } from "../src/money/index.ts";
import { appendAudit } from "../src/store/audit.ts";
import { insertBatch } from "../src/store/batches.ts";
import { openSqliteStore } from "../src/store/engines/sqlite-store.ts";
import type { Transaction } from "../src/store/sql.ts";

export interface HistoryOptions {
  /** How many payments; none for 0. */
  readonly payments: number;
  readonly custodyAccount: CustodyAccountId;
  /** The client key that they were sent with. */
  readonly key: string;
  readonly callbackUrl: string;
  /** The address of the service that they were sent to. */
  readonly baseUrl: string;
  /** The destination of a tenth of them. */
  readonly heavyAddress?: string;
  /** No payment is later; two days ago if absent, since the sums of today are kept and compared. */
  readonly until?: Date;
  /** False where the service has yet to show their payouts; true if absent. */
  readonly seen?: boolean;
  readonly generalLedgerName?: string;
}

/**
 * What `paydrop` takes for recent is paid otherwise in the history than in the files: nothing repeats, monthly
 * amounts recur.
 */
const RECENT_DAYS = 20;
const DAY_MS = 86_400_000;
const YEAR_MS = 365 * DAY_MS;
const ROWS_OF_BATCH = 1_000;
const PAYMENTS_PER_DESTINATION = 9;
const HEAVY_EVERY = 10;
const CACHE_KIB = 1_000_000;

/** Fills a new database; a million payments take about a minute. */
export async function writeHistory(database: string, options: HistoryOptions): Promise<void> {
  await writeBatches(database, options);
  const direct = new Database(database);
  try {
    // Without a log and flushes: what a crash leaves half written is made again.
    direct.pragma("journal_mode = MEMORY");
    direct.pragma("synchronous = OFF");
    direct.pragma(`cache_size = -${CACHE_KIB}`);
    direct.pragma("temp_store = MEMORY");
    direct.transaction(() => insertWithoutIndexes(direct, () => insertPayments(direct, options))).immediate();
    direct.pragma("journal_mode = WAL");
  } finally {
    direct.close();
  }
}

/** The destination of the payments numbered so in files and history, and the payee that it belongs to. */
export function addressOf(number: number): string {
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

export function payeeOf(number: number): string {
  return `Supplier ${number}`;
}

/** What is paid to it each month, in BTC. */
export function amountAt(number: number): string {
  return `0.${String(number % 100_000).padStart(5, "0")}1`;
}

/** Different for each number below 2^32, and in no order (Fibonacci hashing): each look-up ends on another page. */
export function referenceOf(number: number): string {
  return `PAY-2026-${hashed(number)}`;
}

/** An exchange, to which many payees are paid. */
export const HEAVY_ADDRESS = addressOf(4_000_000_002);

const base58check = createBase58check(sha256);

function hashed(number: number): string {
  return (Math.imul(number, 0x9e3779b1) >>> 0).toString(16).padStart(8, "0");
}

function idOf(kind: "instruction" | "payout", number: number): string {
  return `${hashed(number)}-${kind === "payout" ? "0001" : "0002"}-4000-8000-${String(number).padStart(12, "0")}`;
}

function daysAgo(days: number): Date {
  return new Date(Date.now() - days * DAY_MS);
}

function batchOf(index: number) {
  return batchId(`B-${String(index + 1).padStart(6, "0")}`);
}

function timeOf(index: number, { payments, until = daysAgo(2) }: HistoryOptions): Date {
  const batches = Math.ceil(payments / ROWS_OF_BATCH);
  return new Date(until.getTime() - Math.floor(((batches - index) * YEAR_MS) / (batches + 1)));
}

async function writeBatches(database: string, options: HistoryOptions): Promise<void> {
  const store = openSqliteStore(database);
  await store.write(function* (): Transaction<void> {
    for (let index = 0; index * ROWS_OF_BATCH < options.payments; index += 1) {
      const id = batchOf(index);
      const at = timeOf(index, options).toISOString();
      const digest = createHash("sha256").update(id).digest("hex");
      const names = {
        fileSha256: digest,
        fileName: `${id}.csv`,
        archivedAs: `${id}.csv`,
        submittedBy: "ann",
      };
      const rowCount = Math.min(ROWS_OF_BATCH, options.payments - index * ROWS_OF_BATCH);
      yield* insertBatch({ id, ...names, submittedAt: at, digest, rowCount, controlTotals: [] });
      const submit = { file: names.fileName, digest };
      yield* appendAudit({ at, person: "ann", action: "submit", subject: id, detail: submit });
      const approve = { digest, released: rowCount };
      yield* appendAudit({ at, person: "ben", action: "approve", subject: id, detail: approve });
    }
  });
  await store.close();
}

/** Writing each entry of an index where it belongs takes much longer than making the index afterwards. */
function insertWithoutIndexes(database: Database.Database, insert: () => void): void {
  const tables = "('instruction', 'submission', 'observed')";
  const indexes = database
    .prepare<[], { name: string; sql: string }>(
      `select name, sql from sqlite_master where type = 'index' and sql is not null and tbl_name in ${tables}`,
    )
    .all();
  for (const { name } of indexes) database.exec(`drop index ${name}`);
  insert();
  for (const { sql } of indexes) database.exec(sql);
}

function insertPayments(database: Database.Database, options: HistoryOptions): void {
  const instruction =
    database.prepare(`insert into instruction (id, batch_id, row, line, reference, folded_reference,
    payee, fields, currency, amount, destination, standing, payout_id, payout_end, changed_at)
    values (?, ?, ?, ?, ?, ?, ?, ?, 'BTC', ?, ?, 'accepted', ?, ${options.seen === false ? "null" : "'arrived'"}, ?)`);
  const submission =
    database.prepare(`insert into submission (instruction_id, attempt, key_id, nonce, operation, base_url,
    body_hash, intended_at, outcome, ended_at, ended_monotonic_ms, absent_after_ms, seen_after_ms, http_status, payout_id)
    values (?, 1, ?, ?, 'createPayoutV2', ?, ?, ?, 'accepted', ?, 0, null, 40, 202, ?)`);
  const observed = database.prepare(`insert into observed (kind, id, reference, state, raw, first_seen_at,
    state_seen_at, last_seen_at) values ('payout', ?, ?, 'COMPLETED', ?, ?, ?, ?)`);
  const paymentAt = paymentsOf(options);
  for (let index = 0; index < options.payments; index += 1) {
    const payment = paymentAt(index);
    const { number, id, batch, row, reference, payee, amount, destination, payoutId, at, nonce } = payment;
    const fields = fieldsOf(payment, options);
    const named = [reference, foldedReference(reference), payee, fields];
    instruction.run(id, batch, row, row + 1, ...named, amount, destination, payoutId, at);
    const { key, baseUrl, callbackUrl, custodyAccount: accountId } = options;
    submission.run(id, key, nonce, baseUrl, hashed(number), at, at, payoutId);
    if (options.seen === false) continue;
    const raw = `{"payoutId":"${payoutId}","accountId":"${accountId}","reference":"${reference}","callbackUrl":"${callbackUrl}/${id}","requestedAmount":{"currency":"BTC","amount":${amount}},"destinationAddress":"${destination}","payoutState":"COMPLETED","createdAt":"${at}"}`;
    observed.run(payoutId, reference, raw, at, at, at);
  }
}

export interface HistoricPayment {
  /** Its index. */
  readonly number: number;
  readonly id: string;
  readonly batch: string;
  readonly row: number;
  readonly reference: string;
  readonly customer: string;
  readonly payee: string | null;
  readonly amount: string;
  readonly destination: string;
  readonly payoutId: string;
  readonly at: string;
  readonly nonce: string;
}

/** The payments of a history by index, from 0. With `until` given they are the same whenever they are asked for. */
export function paymentsOf(options: HistoryOptions): (index: number) => HistoricPayment {
  const { payments, heavyAddress = HEAVY_ADDRESS } = options;
  const recent = daysAgo(RECENT_DAYS);
  const destinations = Math.max(1, Math.ceil(payments / PAYMENTS_PER_DESTINATION));
  const addresses = Array.from({ length: destinations }, (_, number) => addressOf(number));
  return (index) => {
    const isHeavy = index % HEAVY_EVERY === 0;
    const number = index % destinations;
    const at = timeOf(Math.floor(index / ROWS_OF_BATCH), options);
    const usual = amountAt(isHeavy ? index / HEAVY_EVERY : number);
    const customer = payeeOf(number);
    return {
      ...{ id: idOf("instruction", index), batch: batchOf(Math.floor(index / ROWS_OF_BATCH)) },
      ...{ row: (index % ROWS_OF_BATCH) + 1, reference: referenceOf(2 * index), customer },
      ...{ payee: comparedName(customer) ?? null, payoutId: idOf("payout", index), at: at.toISOString() },
      amount: at < recent ? usual : `${usual.slice(0, -1)}3`,
      destination: isHeavy ? heavyAddress : (addresses[number] ?? ""),
      number: index,
      nonce: String(1_700_000_000_000_000 + index),
    };
  };
}

function fieldsOf(
  { reference, customer, amount, destination }: HistoricPayment,
  { custodyAccount, callbackUrl, generalLedgerName }: HistoryOptions,
): string {
  return canonicalFields({
    ...{ username: "treasury-bot", custodyAccountId: custodyAccount, reference, customerId: customer },
    ...{ callbackUrl, amount: { currency: "BTC", value: Decimal.of(amount) } },
    destinationAddress: destination,
    ...present({ generalLedgerName }),
  });
}
