/** Shared by tests of durable state: a database in its own folder with a batch of instructions. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import {
  batchId,
  controlTotals,
  custodyAccountId,
  type DraftInstruction,
  type Instruction,
  type InstructionFields,
  type InstructionId,
  type Intent,
  instructionId,
  type Outcome,
} from "../../src/model/index.ts";
import { amountOf } from "../../src/money/index.ts";
import { insertBatch } from "../../src/store/batches.ts";
import { openPostgresStore } from "../../src/store/engines/postgres-store.ts";
import { openSqliteStore, type StoreOptions } from "../../src/store/engines/sqlite-store.ts";
import { insertInstructions, listByBatch, moveBatch, moveInstruction } from "../../src/store/instructions.ts";
import { run, type Transaction } from "../../src/store/sql.ts";
import type { Store } from "../../src/store/store.ts";
import { insertIntents, recordOutcome } from "../../src/store/submissions.ts";
import { type Upgrade, upgrades } from "../../src/store/upgrades.ts";
import { makeDatabase } from "../new-database.ts";
import { IS_ON_POSTGRES, newDatabaseNow } from "../postgres.ts";
import { batchDigest } from "../read-all.ts";

export const NOW = "2026-11-20T09:30:00.000Z";
export const TREASURY = custodyAccountId("6f1cbb7e-0000-4000-8000-000000000001");
/** BIP 173's own example. */
export const ADDRESS = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";

/** Stores one intent; returns its id. */
export function* insertIntent(intent: Intent): Transaction<number> {
  const [id = 0] = (yield* insertIntents([intent])).values();
  return id;
}

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "paydrop-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes in the same turn and without flushes, for a clock that moves in every turn. */
export const WITHOUT_WAITING: StoreOptions = {
  scheduleCommit: queueMicrotask,
  flush: { flush: async () => undefined, close: async () => undefined },
};

export function openStore(
  path = join(temporaryFolder(), "paydrop.sqlite"),
  options: StoreOptions = {},
): Store {
  if (!IS_ON_POSTGRES) makeDatabase(path);
  const store = IS_ON_POSTGRES ? openPostgresStore(databaseOf(path)) : openSqliteStore(path, options);
  onTestFinished(() => store.close());
  return store;
}

/** Makes this Paydrop one that knows a further upgrade, and databases made before older ones. */
export function addUpgrade(upgrade: Upgrade): void {
  const known = upgrades as Upgrade[];
  known.push(upgrade);
  onTestFinished(() => void known.pop());
}

const databases = new Map<string, string>();

/** Equal names open the same database. */
function databaseOf(path: string): string {
  const url = databases.get(path) ?? newDatabaseNow();
  databases.set(path, url);
  return url;
}

/** Changes that nobody makes through the program. */
export function tamper(store: Store, text: string): Promise<number> {
  return store.write(() => run({ text, values: [] }));
}

/**
 * `count` rows of 0.001, 0.002, ... BTC with references PAY-1, PAY-2, ...; `changes` may replace any field of a row.
 */
export function drafts(
  count: number,
  changes: (row: number) => Partial<InstructionFields> = () => ({}),
): DraftInstruction[] {
  return Array.from({ length: count }, (_, index) => {
    const row = index + 1;
    const fields: InstructionFields = {
      username: "treasury-bot",
      custodyAccountId: TREASURY,
      reference: `PAY-${row}`,
      callbackUrl: "https://pay.example.com/hook",
      amount: amountOf(`0.00${row}`, "BTC"),
      destinationAddress: ADDRESS,
      ...changes(row),
    };
    return { row, fields };
  });
}

let batches = 0;

/** Stores a batch and releases it, as an approval would; returns its instructions. */
export function storeApproved(
  store: Store,
  rows: readonly DraftInstruction[],
  at = NOW,
): Promise<Instruction[]> {
  batches += 1;
  const id = batchId(`B-${String(batches).padStart(6, "0")}`);
  return store.write(function* (): Transaction<Instruction[]> {
    yield* insertBatch({
      id,
      fileSha256: `${batches}`.padStart(64, "0"),
      fileName: "payroll.csv",
      archivedAs: "/archive/payroll.csv",
      submittedBy: "ann",
      submittedAt: at,
      digest: `${batchDigest(rows)}-${batches}`,
      rowCount: rows.length,
      controlTotals: controlTotals(rows.map(({ fields }) => fields.amount)),
    });
    const withIds = rows.map((draft) => ({
      ...draft,
      id: instructionId(crypto.randomUUID()),
      line: draft.row + 1,
    }));
    yield* insertInstructions(id, withIds, at);
    yield* moveBatch(id, "received", "approved", at);
    return yield* listByBatch(id);
  });
}

/** The first instruction of a batch of one. */
export async function storeOneApproved(
  store: Store,
  changes: Partial<InstructionFields> = {},
): Promise<Instruction> {
  const [only] = await storeApproved(
    store,
    drafts(1, () => changes),
  );
  if (only === undefined) throw new Error("a batch of one has one instruction");
  return only;
}

/** The same, sent once under the key "key-1", with its outcome; also returns the submission's number. */
export async function storeOneEnded(
  store: Store,
  outcome: Outcome,
  monotonicMs: number,
  reference = "PAY-1",
): Promise<{ id: InstructionId; number: number }> {
  const { id } = await storeOneApproved(store, { reference });
  const number = await store.write(function* (): Transaction<number> {
    const submission = yield* insertIntent({
      instructionId: id,
      attempt: 1,
      keyId: "key-1",
      nonce: 1n,
      operation: "createPayoutV2",
      baseUrl: "https://example.com",
      bodyHash: "0",
      intendedAt: NOW,
    });
    yield* recordOutcome(submission, outcome, { at: NOW, monotonicMs });
    yield* moveInstruction(id, { to: "sending", at: NOW });
    const { kind, ...found } = outcome;
    const to = kind === "not sent" ? "approved" : kind;
    yield* moveInstruction(id, { to, at: NOW, ...("payoutId" in found && { payoutId: found.payoutId }) });
    return submission;
  });
  return { id, number };
}
