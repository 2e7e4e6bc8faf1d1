/**
 * An upgrade brings an older database to this version whole or not at all. A SQLite file is upgraded only while no
 * other process has it open, and only if its layout is that of its version.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import Database from "better-sqlite3";
import { describe, expect, onTestFinished, test } from "vitest";
import { migrateOlder } from "../../src/store/engines/sqlite-migration.ts";
import { openSqliteStore } from "../../src/store/engines/sqlite-store.ts";
import { presentVersion } from "../../src/store/upgrades.ts";
import { addUpgrade, temporaryFolder } from "./stored-batch.ts";

const NEXT = {
  layout: "create table nickname (key_id text primary key, name text not null) strict;",
  contents: "insert into nickname select key_id, 'lane ' || last_nonce from lane;",
};

test("an older database gets the new layout with what the old one contains, and a new one has both", async () => {
  const path = await present();
  const older = new Database(path);
  older.exec("insert into lane values ('key', '1')");
  older.close();
  addUpgrade(NEXT);
  await openSqliteStore(path).close();
  expect(inside(path, "select name from nickname")).toEqual(["lane 1"]);
  expect(inside(path, "pragma user_version")).toEqual([presentVersion()]);
  const fresh = join(temporaryFolder(), "paydrop.sqlite");
  await openSqliteStore(fresh).close();
  expect(inside(fresh, "select count(*) from nickname, lane")).toEqual([0]);
});

describe("while another process has an older database open", () => {
  test("it is left alone, and migrated once the other process has closed it", async () => {
    const path = await present();
    addUpgrade(NEXT);
    const other = new Database(path);
    onTestFinished(() => void other.close());
    other.exec("insert into lane values ('key', '1')");
    expect(() => migrateOlder(path, 0)).toThrow("DATABASE_IN_USE");
    expect(other.pragma("user_version", { simple: true })).toBe(presentVersion() - 1);
    other.exec("insert into lane values ('other key', '2')");
    other.close();
    await openSqliteStore(path).close();
    expect(inside(path, "select last_nonce from lane")).toEqual(["1", "2"]);
    expect(inside(path, "pragma user_version")).toEqual([presentVersion()]);
  });

  test("a database of which only the log is left keeps what is in the log", async () => {
    const path = await present();
    addUpgrade(NEXT);
    const killed = new Database(path);
    killed.exec("insert into lane values ('key', '1')");
    // A killed process leaves exactly these two files.
    const left = [readFileSync(path), readFileSync(`${path}-wal`)];
    killed.close();
    const copy = join(temporaryFolder(), "paydrop.sqlite");
    for (const [index, ending] of ["", "-wal"].entries())
      writeFileSync(`${copy}${ending}`, left[index] ?? "");
    await openSqliteStore(copy).close();
    expect(inside(copy, "select last_nonce from lane")).toEqual(["1"]);
  });
});

test.each([
  ["lacks a column of its version", "alter table submission drop column echo", "submission.echo"],
  ["lacks a table of its version", "drop table again", "again.earlier_id"],
  [
    "has a table of a later version",
    "create table nickname (a text) strict",
    "table nickname already exists",
  ],
])("a database that %s is not touched", async (_, damage, reason) => {
  const path = await present();
  const older = new Database(path);
  older.exec(damage);
  older.close();
  addUpgrade(NEXT);
  const before = readFileSync(path);
  expect(() => openSqliteStore(path)).toThrow(
    expect.objectContaining({
      problem: expect.objectContaining({
        code: "DATABASE_LAYOUT_UNKNOWN",
        message: expect.stringContaining(reason),
      }),
    }),
  );
  expect(readFileSync(path).equals(before)).toBe(true);
});

test("an upgraded database has the layout of a new one", async () => {
  const [older, fresh] = [firstRelease(), join(temporaryFolder(), "paydrop.sqlite")];
  for (const path of [older, fresh]) await openSqliteStore(path).close();
  expect(layoutIn(older)).toEqual(layoutIn(fresh));
  expect(inside(older, "pragma user_version")).toEqual(inside(fresh, "pragma user_version"));
});

test("a database from before the first release is left as it is", async () => {
  const path = firstRelease();
  const older = new Database(path);
  older.pragma("user_version = 2");
  older.close();
  const before = readFileSync(path);
  expect(() => openSqliteStore(path)).toThrow("older than version 0.1.0");
  expect(readFileSync(path).equals(before)).toBe(true);
});

describe("an older database with a roster", () => {
  /** A database from before databases knew their owner. */
  async function withRoots(...roots: readonly string[]): Promise<unknown[]> {
    const path = firstRelease();
    const older = new Database(path);
    older.exec("delete from statement");
    const insert =
      older.prepare(`insert into statement (hash, root, number, decision, subject, person, at, body, signature)
      values (?, ?, ?, 'add', 'dave', 'dave', '', '', '')`);
    for (const [index, root] of roots.entries()) insert.run(`h${index}`, root, index + 1);
    older.close();
    await openSqliteStore(path).close();
    return inside(path, "select root || ' ' || is_trial from roster_root");
  }

  test.each([
    ["of one root belongs to that root", ["a", "a"], ["a 0"]],
    ["of several roots waits for a decision that says whose it is", ["a", "b"], [" 0"]],
    ["without changes belongs to nobody yet", [], []],
  ])("%s, and to no trial", async (_which, roots, owners) => {
    expect(await withRoots(...roots)).toEqual(owners);
  });
});

/** A database of version 0.1.0. */
function firstRelease(): string {
  const path = join(temporaryFolder(), "paydrop.sqlite");
  const frozen = join(import.meta.dirname, "../upgrade/0.1.0/sqlite/database.gz");
  writeFileSync(path, gunzipSync(readFileSync(frozen)));
  return path;
}

/** A new database, made by Paydrop before a test adds a migration. */
async function present(): Promise<string> {
  const path = join(temporaryFolder(), "paydrop.sqlite");
  await openSqliteStore(path).close();
  return path;
}

/** The statements of its tables, indexes and views by name, without comments and white space. */
function layoutIn(path: string): Record<string, string> {
  const database = new Database(path, { readonly: true });
  const all = database
    .prepare<[], { name: string; sql: string }>("select name, sql from sqlite_schema where sql is not null")
    .all();
  database.close();
  const plain = (text: string) =>
    text
      .replace(/--.*/g, "")
      .replace(/[\s"]+/g, "")
      .toLowerCase();
  return Object.fromEntries(all.map(({ name, sql }) => [name, plain(sql)]));
}

function inside(path: string, query: string): unknown[] {
  const database = new Database(path, { readonly: true });
  const found = database.prepare(query).pluck().all();
  database.close();
  return found;
}
