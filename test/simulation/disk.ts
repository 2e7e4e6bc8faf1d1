/**
 * The disk of the simulation, below the production store: module-doors.ts gives `Connection` to src/store in place of
 * better-sqlite3. A database is a real SQLite database in memory, or a file if the run asks for files. All connections
 * to one path see the same data, and a dead process holds no locks.
 */
import RealDatabase from "better-sqlite3";

type Value = string | number | null;
type Row = Readonly<Record<string, Value>>;

interface StoredFile {
  readonly database: RealDatabase.Database;
  /**
   * What was committed since the last flush is a single SQLite transaction, which the next flush commits and a power
   * cut rolls back.
   */
  hasUnflushed: boolean;
  /** The connection whose transaction is open; for all others the file is locked. */
  owner: Connection | undefined;
  /** Query results since rows last changed, by the statement's text. */
  readonly read: { changes: number; readonly rows: Map<string, readonly Row[]> };
  /** By text; otherwise each life would prepare them anew. */
  readonly statements: Map<string, RealDatabase.Statement>;
}

class Disk {
  /** Use files of the operating system. */
  onFiles = false;
  /** Whether commits can be undone until they are flushed. */
  powerMayFail = false;
  /** Called with every text that is written. */
  onText: (text: string) => void = () => undefined;
  private readonly stored = new Map<string, StoredFile>();
  private readonly connections = new Set<Connection>();

  open(path: string, connection: Connection): StoredFile {
    this.connections.add(connection);
    if (this.onFiles) return storedIn(new RealDatabase(path, { timeout: 0 }));
    let file = this.stored.get(path);
    if (file === undefined) {
      file = storedIn(new RealDatabase(NOTHING));
      this.stored.set(path, file);
    }
    return file;
  }

  leave(connection: Connection): void {
    this.connections.delete(connection);
  }

  /** What a power cut would leave of a database: its flushed content. */
  imageOf(path: string): Buffer {
    const file = this.stored.get(path);
    if (file === undefined) throw new Error(`there is no database ${path}`);
    return file.database.serialize();
  }

  /** The images of all databases in memory, free pages included. */
  *images(): Generator<Buffer> {
    if (this.onFiles) return;
    for (const { database } of this.stored.values()) yield database.serialize();
  }

  /** Replaces a database by an image. */
  restore(path: string, image: Buffer): void {
    this.stored.get(path)?.database.close();
    this.stored.set(path, storedIn(new RealDatabase(image)));
  }

  /** Makes everything committed so far durable. */
  flush(path: string): void {
    const file = this.stored.get(path);
    if (file?.hasUnflushed === true) endUnflushed(file, "COMMIT");
  }

  /** Cuts the power: what was not flushed is lost. */
  cutPower(): void {
    for (const file of this.stored.values()) {
      if (file.hasUnflushed) endUnflushed(file, "ROLLBACK");
      // A rollback does not count as a change.
      file.read.rows.clear();
    }
  }

  /** The process has died: the system closes its files, and what it had not committed never happened. */
  closeAll(): void {
    for (const connection of [...this.connections]) connection.close();
  }

  /** Reads past the production store and past every lock. */
  rows(path: string, sqlText: string, ...values: Value[]): readonly Row[] {
    const file = this.onFiles ? storedIn(new RealDatabase(path)) : this.stored.get(path);
    if (file === undefined) throw new Error(`there is no database ${path}`);
    const rows = prepared(file, sqlText).all(...values) as Row[];
    if (this.onFiles) file.database.close();
    return rows;
  }

  /** As `rows`, cached until rows change. */
  unchangedRows(path: string, sqlText: string): readonly Row[] {
    const file = this.stored.get(path);
    if (this.onFiles || file === undefined) return this.rows(path, sqlText);
    const [counted] = prepared(file, "select total_changes() as changes").all() as { changes: number }[];
    const changes = counted?.changes ?? -1;
    if (changes !== file.read.changes) file.read.rows.clear();
    file.read.changes = changes;
    const rows = file.read.rows.get(sqlText) ?? this.rows(path, sqlText);
    file.read.rows.set(sqlText, rows);
    return rows;
  }

  forgetEverything(): void {
    this.closeAll();
    for (const { database } of this.stored.values()) database.close();
    this.stored.clear();
  }
}

export const disk = new Disk();

/** The members of better-sqlite3's Database that src/store uses; anything else fails loudly. */
export default class Connection {
  static readonly SqliteError = RealDatabase.SqliteError;
  /** Makes the store flush nothing through the operating system; a life flushes the simulation's disk. */
  readonly memory = true;
  private readonly file: StoredFile;
  private isOpen = true;

  constructor(path: string) {
    this.file = disk.open(path, this);
  }

  get inTransaction(): boolean {
    return this.file.owner === this && this.file.database.inTransaction;
  }

  pragma(source: string, options?: RealDatabase.PragmaOptions): unknown {
    // SQLite's own flush setting cannot be changed within a transaction, and means nothing in memory.
    if (this.file.hasUnflushed && source.startsWith("synchronous")) return [];
    return this.file.database.pragma(source, options);
  }

  function(name: string, options: RealDatabase.RegistrationOptions, does: () => unknown): void {
    this.file.database.function(name, options, does);
  }

  exec(text: string): void {
    this.begin();
    this.file.database.exec(text);
    this.keepOwner();
  }

  prepare(text: string) {
    if (WITHIN_UNFLUSHED.has(text)) return { reader: false, run: () => this.control(text) };
    if (CONTROL.test(text)) throw new Error(`the simulated disk knows no ${text}`);
    const statement = prepared(this.file, text);
    return {
      reader: statement.reader,
      run: (...values: Value[]) => {
        this.begin();
        tellTexts(values);
        return statement.run(...values);
      },
      all: (...values: Value[]) => {
        this.begin();
        if (!statement.readonly) tellTexts(values);
        return statement.all(...values);
      },
    };
  }

  transaction(action: () => void): { immediate(): void } {
    return { immediate: () => this.file.database.transaction(action).immediate() };
  }

  close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    disk.leave(this);
    if (this.inTransaction) runControl(this.file, "ROLLBACK");
    if (this.file.owner === this) this.file.owner = undefined;
    if (disk.onFiles) this.file.database.close();
  }

  /** Begins or ends a transaction of the process. */
  private control(text: string): void {
    this.begin();
    const { file } = this;
    if (text === BEGIN_WRITE && disk.powerMayFail && !disk.onFiles && !file.hasUnflushed) {
      prepared(file, BEGIN_WRITE).run();
      file.hasUnflushed = true;
    }
    runControl(file, text);
    file.owner = text.startsWith("BEGIN") ? this : undefined;
  }

  private begin(): void {
    if (!this.isOpen) throw new Error("a connection of a dead process was used");
    const { owner } = this.file;
    if (owner !== undefined && owner !== this) {
      throw new RealDatabase.SqliteError("database is locked", "SQLITE_BUSY");
    }
  }

  private keepOwner(): void {
    this.file.owner = this.file.database.inTransaction ? this : undefined;
  }
}

/** An empty image instead of ":memory:", so that reading an image leaves out what is not committed. */
const NOTHING = Buffer.alloc(0);

const BEGIN_WRITE = "BEGIN IMMEDIATE";

/** Translates a process's transaction to savepoints within the transaction of unflushed commits. */
const WITHIN_UNFLUSHED: ReadonlyMap<string, readonly string[]> = new Map([
  ["BEGIN", ["SAVEPOINT process"]],
  [BEGIN_WRITE, ["SAVEPOINT process"]],
  ["COMMIT", ["RELEASE process"]],
  ["ROLLBACK", ["ROLLBACK TO process", "RELEASE process"]],
]);

const CONTROL = /^\s*(begin|commit|end|rollback|savepoint|release)\b/i;

function storedIn(database: RealDatabase.Database): StoredFile {
  const read = { changes: -1, rows: new Map() };
  return { database, hasUnflushed: false, owner: undefined, read, statements: new Map() };
}

function runControl(file: StoredFile, text: string): void {
  const steps = file.hasUnflushed ? WITHIN_UNFLUSHED.get(text) : undefined;
  for (const step of steps ?? [text]) prepared(file, step).run();
}

function endUnflushed(file: StoredFile, how: "COMMIT" | "ROLLBACK"): void {
  if (file.owner !== undefined) throw new Error("a transaction of a process is open between two events");
  prepared(file, how).run();
  file.hasUnflushed = false;
}

function prepared({ database, statements }: StoredFile, text: string): RealDatabase.Statement {
  const known = statements.get(text) ?? database.prepare(text);
  statements.set(text, known);
  return known;
}

function tellTexts(values: readonly Value[]): void {
  for (const value of values) if (typeof value === "string") disk.onText(value);
}
