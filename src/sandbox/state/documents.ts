/**
 * The file of a sandbox: one SQLite table with a JSON document a row. It is read once, at the start; afterwards only
 * what changed is written. One process may have it open at a time.
 */
import Database from "better-sqlite3";
import { fault } from "../../faults/index.ts";

export interface StoredDocument {
  /** Position in the order in which the rows were first stored. */
  readonly seq: number;
  readonly kind: string;
  readonly key: string;
  /** JSON; undefined removes the document. */
  readonly body: string | undefined;
}

/** Throws USAGE for a file that is not a sandbox's, or is in use. */
export function openDocuments(path: string) {
  const database = openDatabase(path);
  const put = database.prepare("INSERT OR REPLACE INTO document (seq, kind, key, body) VALUES (?, ?, ?, ?)");
  const remove = database.prepare("DELETE FROM document WHERE seq = ?");
  const writeTogether = database.transaction((documents: readonly StoredDocument[]) => {
    for (const { seq, kind, key, body } of documents) {
      if (body === undefined) remove.run(seq);
      else put.run(seq, kind, key, body);
    }
  });
  return {
    /** All documents, oldest first. */
    all: (): StoredDocument[] =>
      database.prepare<[], StoredDocument>("SELECT seq, kind, key, body FROM document ORDER BY seq").all(),
    /** Writes all of them, or none if it throws. */
    write: (documents: readonly StoredDocument[]): void => writeTogether(documents),
    close: (): void => {
      database.close();
    },
  };
}

const LAYOUT =
  "CREATE TABLE IF NOT EXISTS document (seq INTEGER PRIMARY KEY, kind TEXT, key TEXT, body TEXT) STRICT";
const LAYOUT_VERSION = 4;

function openDatabase(path: string): Database.Database {
  try {
    const database = new Database(path, { timeout: 0 });
    // Documents are read only once, so another process's changes would never be seen.
    database.pragma("locking_mode = EXCLUSIVE");
    database.pragma("journal_mode = WAL");
    // Trial data must survive the end of its process, but not a power cut.
    database.pragma("synchronous = OFF");
    if (database.pragma("user_version", { simple: true }) === 0) {
      database.exec(LAYOUT);
      database.pragma(`user_version = ${LAYOUT_VERSION}`);
    }
    if (database.pragma("user_version", { simple: true }) !== LAYOUT_VERSION) {
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
