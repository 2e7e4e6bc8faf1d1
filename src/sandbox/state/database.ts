/**
 * The sandbox's durable state: one SQLite file, or memory. Amounts are decimal text, instants are milliseconds since 1970,
 * nonces are 64-bit integers. The files beside this one hold a table each; nothing else speaks SQL.
 */
import Database from "better-sqlite3";
import { fault } from "../../faults/index.ts";

export type SandboxDatabase = Database.Database;

/** Opens the database, making its tables where it is new. Throws USAGE for a file that is not one of ours. */
export function openDatabase(path: string): SandboxDatabase {
  try {
    const database = new Database(path);
    database.pragma("journal_mode = WAL");
    // What a sandbox holds is for trial: it survives the end of its process, and need not survive a power cut.
    database.pragma("synchronous = OFF");
    database.pragma("cache_size = -65536"); // 64 MiB: the indexes of a hundred thousand payouts
    if (database.pragma("user_version", { simple: true }) === 0) {
      database.exec(TABLES);
      database.pragma(`user_version = ${SCHEMA_VERSION}`);
    }
    if (database.pragma("user_version", { simple: true }) !== SCHEMA_VERSION) {
      database.close();
      throw new Error("it was made by another version of the sandbox");
    }
    return database;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw fault(
      "USAGE",
      {
        what: `the sandbox's database ${path} cannot be used: ${reason}`,
        how: "Name another file, or remove this one.",
      },
      {},
      { cause },
    );
  }
}

const SCHEMA_VERSION = 2;

const TABLES = `
  CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

  CREATE TABLE custody_account (
    account_id TEXT PRIMARY KEY,
    currency TEXT NOT NULL,
    kind TEXT NOT NULL,
    enabled INTEGER NOT NULL,
    owned_by_client INTEGER NOT NULL,
    cosigners TEXT NOT NULL,
    confirmed TEXT NOT NULL,
    unconfirmed_received TEXT NOT NULL,
    self_unconfirmed_received TEXT NOT NULL,
    sent_unconfirmed TEXT NOT NULL,
    locked TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE movement (
    seq INTEGER PRIMARY KEY,
    account_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    amount TEXT NOT NULL,
    subject TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    confirmed_at INTEGER
  ) STRICT;
  CREATE INDEX movement_by_subject ON movement (subject);

  CREATE TABLE nonce (client_key TEXT, nonce INTEGER, PRIMARY KEY (client_key, nonce)) STRICT, WITHOUT ROWID;
  CREATE TABLE used_code (username TEXT, step INTEGER, PRIMARY KEY (username, step)) STRICT, WITHOUT ROWID;

  CREATE TABLE payout (
    seq INTEGER PRIMARY KEY,
    payout_id TEXT NOT NULL UNIQUE,
    account_id TEXT NOT NULL,
    reference TEXT NOT NULL,
    payout_state TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    visible_at INTEGER NOT NULL,
    client_id TEXT NOT NULL,
    nonce TEXT,
    sent_body TEXT,
    answer TEXT NOT NULL,
    amount TEXT NOT NULL,
    fee TEXT NOT NULL,
    tx_hash TEXT,
    sent_at INTEGER,
    confirmed_at INTEGER,
    authorization TEXT NOT NULL
  ) STRICT;
  CREATE INDEX payout_by_reference ON payout (reference);
  CREATE INDEX payout_by_created ON payout (created_at, seq, visible_at);
  CREATE INDEX payout_by_state ON payout (payout_state);

  CREATE TABLE deposit (
    seq INTEGER PRIMARY KEY,
    deposit_id TEXT NOT NULL UNIQUE,
    account_id TEXT NOT NULL,
    reference TEXT NOT NULL,
    deposit_state TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    receiver_address TEXT NOT NULL,
    terms TEXT NOT NULL
  ) STRICT;
  CREATE INDEX deposit_by_receiver ON deposit (receiver_address);
  CREATE INDEX deposit_by_reference ON deposit (reference);
  CREATE INDEX deposit_by_created ON deposit (created_at, seq);
  CREATE INDEX deposit_by_state ON deposit (deposit_state);

  CREATE TABLE deposit_part (
    part_id TEXT PRIMARY KEY,
    deposit_id TEXT NOT NULL,
    amount TEXT NOT NULL,
    confirm_after_ms INTEGER NOT NULL,
    confirmations INTEGER NOT NULL,
    tx_hash TEXT NOT NULL,
    received_at INTEGER,
    confirmed_at INTEGER
  ) STRICT;
  CREATE INDEX part_by_deposit ON deposit_part (deposit_id, received_at);

  CREATE TABLE agenda (
    due_at INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    PRIMARY KEY (due_at, seq)
  ) STRICT, WITHOUT ROWID;
`;
