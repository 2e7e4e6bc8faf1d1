/**
 * The changes of the sandbox's rows in order, in a SQLite file or in memory. Opening it replays them into the
 * present rows; then changes are appended, and the whole is rewritten once it is much longer than the rows need.
 * Only one process may have it open.
 */
import Database from "better-sqlite3";
import { fault } from "../../faults/index.ts";

/** A new or changed row of a table as a JSON value, with its number; null if it was removed. */
export type RowChange = readonly [table: string, seq: number, row: WrittenRow | null];

/** A row in its JSON form: amounts are decimal text, instants are milliseconds since 1970, nonces are text. */
export type WrittenRow = object;

/** Opens a journal and reads it. Throws USAGE for a file that is not a sandbox's, or is in use. */
export function openJournal(path: string) {
  const database = openDatabase(path);
  const insert = database.prepare("INSERT INTO journal (changes) VALUES (?)");
  const clear = database.prepare("DELETE FROM journal");
  const tables = tablesOf(database);
  let changeCount = 0;

  const add = (changes: Iterable<RowChange>) => {
    for (const some of inParts(changes)) {
      insert.run(JSON.stringify(some));
      changeCount += some.length;
    }
  };
  const addTogether = database.transaction(add);
  const rewriteTogether = database.transaction((rows: Iterable<RowChange>) => {
    clear.run();
    changeCount = 0;
    add(rows);
  });
  return {
    /** The rows of a table at opening, by their numbers; `Written` is their type. Can be taken only once. */
    takeRows: <Written extends WrittenRow>(table: string) => {
      const rows = tables.get(table) ?? new Map();
      tables.delete(table);
      return rows as ReadonlyMap<number, Written>;
    },
    /** Appends all changes, or none if it throws. A single statement commits by itself. */
    append: (changes: readonly RowChange[]): void =>
      changes.length <= CHANGES_PER_PART ? add(changes) : addTogether(changes),
    /** Whether most of it is out of date, so that it should be rewritten. */
    isLongFor: (rowCount: number): boolean => changeCount > SHORT_ENOUGH + LENGTH_FACTOR * rowCount,
    rewrite: (rows: Iterable<RowChange>): void => rewriteTogether(rows),
    close: (): void => {
      database.close();
    },
  };
}

const SHORT_ENOUGH = 10_000;
const LENGTH_FACTOR = 4;
/** A text has a maximum length, which all rows together could exceed. */
const CHANGES_PER_PART = 1000;

function* inParts(changes: Iterable<RowChange>): Generator<RowChange[]> {
  let part: RowChange[] = [];
  for (const change of changes) {
    part.push(change);
    if (part.length < CHANGES_PER_PART) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}

function tablesOf(database: Database.Database): Map<string, Map<number, WrittenRow>> {
  const tables = new Map<string, Map<number, WrittenRow>>();
  const read = database.prepare<[], string>("SELECT changes FROM journal ORDER BY seq").pluck();
  for (const text of read.iterate()) {
    const changes: readonly RowChange[] = JSON.parse(text);
    for (const [table, seq, row] of changes) {
      const rows = tables.get(table) ?? new Map<number, WrittenRow>();
      tables.set(table, rows);
      if (row === null) rows.delete(seq);
      else rows.set(seq, row);
    }
  }
  return tables;
}

const SCHEMA_VERSION = 3;

function openDatabase(path: string): Database.Database {
  try {
    const database = new Database(path, { timeout: 0 });
    // Rows are read only once, so another process's changes would never be seen.
    database.pragma("locking_mode = EXCLUSIVE");
    database.pragma("journal_mode = WAL");
    // Trial data must survive the end of its process, but not a power cut.
    database.pragma("synchronous = OFF");
    if (database.pragma("user_version", { simple: true }) === 0) {
      database.exec(
        "CREATE TABLE IF NOT EXISTS journal (seq INTEGER PRIMARY KEY, changes TEXT NOT NULL) STRICT",
      );
      database.pragma(`user_version = ${SCHEMA_VERSION}`);
    }
    if (database.pragma("user_version", { simple: true }) !== SCHEMA_VERSION) {
      database.close();
      throw new Error("it was made by another version of the sandbox");
    }
    return database;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const what = `the sandbox's database ${path} cannot be used: ${reason}`;
    throw fault("USAGE", { what, how: "Name another file, or remove this one." }, {}, { cause });
  }
}
