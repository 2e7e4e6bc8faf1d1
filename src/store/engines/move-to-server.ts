/**
 * Moves a SQLite database to an empty PostgreSQL database: copies every row, reads it back, and compares. The copy
 * is one transaction. The old file is marked right before its commit, so that both can never send at the same time.
 */
import { hash } from "node:crypto";
import Database from "better-sqlite3";
import { fault } from "../../faults/index.ts";
import type { Instant } from "../../model/index.ts";
import { Decimal } from "../../money/index.ts";
import { type Anchor, anchorPoint } from "../anchor.ts";
import { appendAudit } from "../audit.ts";
import { type Moved, markMoved } from "../moved.ts";
import { finds, insertRows, run, type SqlRow, type SqlValue, sql, type Transaction } from "../sql.ts";
import type { Store } from "../store.ts";
import { columnNames, listedColumns, readOfServer, tableNames } from "./portable-copy.ts";
import { explained, runOn } from "./sqlite-database.ts";
import { isBusy } from "./sqlite-migration.ts";

export interface MovedDatabase {
  readonly place: string;
  readonly tables: number;
  readonly rows: number;
  /** Count and sum of all payments, in any standing, by currency. */
  readonly payments: readonly {
    readonly currency: string;
    readonly count: number;
    readonly amount: string;
  }[];
  readonly record: { readonly entries: number; readonly head: string };
}

interface Source {
  readonly path: string;
  readonly anchor: Anchor;
}

interface Target {
  readonly store: Pick<Store, "write">;
  readonly place: string;
}

/** Tables that are true only at the old place: lane holders, leases, the identity of the server. */
const OF_ITS_PLACE = ["lane_holder", "lease", "server"];

/**
 * Throws MOVE_REFUSED if any table of the target has a row. Creates nothing, because the target may not exist yet.
 */
export async function refuseFilledTarget(
  { path }: Pick<Source, "path">,
  { store, place }: { readonly store: Pick<Store, "read">; readonly place: string },
): Promise<void> {
  const tables = inFile(path, tablesOf);
  await store.read(() => refuseFilled(path, place, tables));
}

/**
 * Moves a file of this version whose record verifies. Throws MOVE_REFUSED while another process has the file open,
 * and if the target is not empty; MOVE_NOT_EQUAL if the copy reads back differently. In these cases both databases
 * stay as they were.
 */
export async function moveToServer(source: Source, target: Target, at: Instant): Promise<MovedDatabase> {
  const database = openAlone(source.path);
  try {
    const tables = tablesOf(database);
    return await target.store.write(() => moving(database, source, target.place, tables, at));
  } catch (error) {
    throw explained(error, source.path);
  } finally {
    database.close();
  }
}

interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  /** The columns that the database numbers itself. */
  readonly numbered: readonly string[];
  /** The tables that its foreign keys refer to. */
  readonly refersTo: readonly string[];
}

function* moving(
  database: Database.Database,
  { path, anchor }: Source,
  place: string,
  tables: readonly Table[],
  at: Instant,
): Transaction<MovedDatabase> {
  yield* refuseFilled(path, place, tables);
  const sums = new Map<string, { count: number; amount: Decimal }>();
  let rows = 0;
  for (const table of tables) {
    const here = new Contents(table);
    for (const window of windowsOf(database, table)) {
      here.add(window);
      if (table.name === "instruction") addPayments(sums, window);
      yield* insertRows(`insert into "${table.name}" (${listed(table)})`, window.map(valuesOf(table)));
    }
    const there = yield* readBack(table);
    if (here.count !== there.count || here.digest !== there.digest)
      throw fault("MOVE_NOT_EQUAL", { path, table: table.name, here: here.count, there: there.count });
    yield* continueNumbers(table);
    rows += here.count;
  }
  yield* restartTiming();
  const [head] = database.prepare("select seq, hash from audit order by seq desc limit 1").all() as {
    readonly seq: number;
    readonly hash: string;
  }[];
  yield* appendAudit({
    at,
    person: "paydrop",
    action: "move database",
    subject: "database",
    detail: { from: path, to: place, rows, head: head?.hash ?? "" },
  });
  markSource(database, anchor, { place, at });
  return {
    place,
    tables: tables.length,
    rows,
    payments: [...sums].map(([currency, { count, amount }]) => ({
      currency,
      count,
      amount: amount.normalized().toString(),
    })),
    record: { entries: head?.seq ?? 0, head: head?.hash ?? "" },
  };
}

function* refuseFilled(path: string, place: string, tables: readonly Table[]): Transaction<void> {
  for (const { name } of tables) {
    if (!(yield* finds({ text: `select 1 from "${name}" limit 1`, values: [] }))) continue;
    throw fault("MOVE_REFUSED", { path, reason: "filled", place, table: name });
  }
}

/** Opens the file for this process only, until `close`. Throws MOVE_REFUSED if another process has it open. */
function openAlone(path: string): Database.Database {
  const database = new Database(path, { fileMustExist: true, timeout: 1_000 });
  try {
    // Set before the first access, which then fails if another process has the file open at all.
    database.pragma("locking_mode = EXCLUSIVE");
    database.exec("begin exclusive; commit");
    return database;
  } catch (cause) {
    database.close();
    if (!isBusy(cause)) throw explained(cause, path);
    throw fault("MOVE_REFUSED", { path, reason: "open" }, {}, { cause });
  }
}

function inFile<Result>(path: string, work: (database: Database.Database) => Result): Result {
  const database = new Database(path, { fileMustExist: true });
  try {
    return work(database);
  } catch (error) {
    throw explained(error, path);
  } finally {
    database.close();
  }
}

/** The tables to copy, each after the tables that its rows refer to. */
function tablesOf(database: Database.Database): readonly Table[] {
  const texts = (text: string) => database.prepare(text).pluck().all() as string[];
  const found = tableNames(database)
    .filter((name) => !OF_ITS_PLACE.includes(name))
    .map((name) => ({
      name,
      columns: columnNames(database, name),
      numbered: texts(
        `select name from pragma_table_info('${name}') where pk = 1 and lower(type) = 'integer'`,
      ),
      refersTo: texts(`select distinct "table" from pragma_foreign_key_list('${name}')`),
    }));
  const ordered: Table[] = [];
  const add = (table: Table): void => {
    if (ordered.includes(table)) return;
    for (const other of found) if (other !== table && table.refersTo.includes(other.name)) add(other);
    ordered.push(table);
  };
  for (const table of found) add(table);
  return ordered;
}

const ROWS_TOGETHER = 1_000;

function* windowsOf(database: Database.Database, table: Table): Generator<SqlRow[]> {
  let window: SqlRow[] = [];
  for (const row of database.prepare(`select ${listed(table)} from "${table.name}"`).iterate()) {
    window.push(row as SqlRow);
    if (window.length < ROWS_TOGETHER) continue;
    yield window;
    window = [];
  }
  if (window.length > 0) yield window;
}

function listed({ columns }: Table): string {
  return listedColumns(columns);
}

function valuesOf({ columns }: Table): (row: SqlRow) => SqlValue[] {
  return (row) => columns.map((column) => row[column] ?? null);
}

/** The row count of a table and the sum of its rows' hashes, which does not depend on the order of reading. */
class Contents {
  count = 0;
  private sum = 0n;
  private readonly values: (row: SqlRow) => SqlValue[];

  constructor(table: Table) {
    this.values = valuesOf(table);
  }

  add(rows: readonly SqlRow[]): void {
    this.count += rows.length;
    for (const row of rows) this.sum += BigInt(`0x${hash("sha256", JSON.stringify(this.values(row)))}`);
  }

  get digest(): string {
    return BigInt.asUintN(256, this.sum).toString(16);
  }
}

function* readBack(table: Table): Transaction<Contents> {
  const contents = new Contents(table);
  yield* readOfServer(table.name, listed(table), (rows) => contents.add(rows));
  return contents;
}

/** Sets the server's counters behind the copied numbers, because the server did not assign those itself. */
function* continueNumbers({ name, numbered }: Table): Transaction<void> {
  for (const column of numbered)
    yield* run({
      text: `select setval(cast(pg_get_serial_sequence(?, ?) as regclass), max("${column}"))
        from "${name}" having count(*) > 0`,
      values: [`paydrop."${name}"`, column],
    });
}

/**
 * The copied monotonic instants belong to the old machine's clock. A lease with a clock that no machine has makes
 * the first holder of each lane start its measurements again (lane-clocks.ts), which can only lengthen a wait.
 */
function* restartTiming(): Transaction<void> {
  yield* run(sql`insert into lease (key_id, epoch, holder, clock, until_ms, free_ms)
    select distinct key_id, 1, 'the file that was moved', 'the file that was moved', 0, 0 from submission`);
}

function addPayments(sums: Map<string, { count: number; amount: Decimal }>, rows: readonly SqlRow[]): void {
  for (const { currency, amount } of rows) {
    const sum = sums.get(String(currency)) ?? { count: 0, amount: Decimal.zero };
    sum.count += 1;
    sum.amount = sum.amount.plus(Decimal.of(String(amount)));
    sums.set(String(currency), sum);
  }
}

/**
 * The last step before the commit. If the commit then fails, neither database sends, and running the same command
 * again completes the move.
 */
function markSource(database: Database.Database, anchor: Anchor, moved: Moved): void {
  database.pragma("synchronous = FULL");
  database.transaction(() => runOn(database, markMoved(moved)))();
  anchor.write({ ...runOn(database, anchorPoint()), moved });
  anchor.close();
}
