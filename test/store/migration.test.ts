/** An upgrade: an older SQLite database is migrated whole, alone, and only if its layout is what its version says. */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, onTestFinished, test } from "vitest";
import { migrateOlder } from "../../src/store/engines/sqlite-migration.ts";
import { openSqliteStore } from "../../src/store/engines/sqlite-store.ts";
import { migrations } from "../../src/store/migrations.ts";
import { temporaryFolder } from "./stored-batch.ts";

/** Databases were made with these migrations: a change needs a new one at the end, with its digest here. */
const DIGESTS = [
  "eeb916ca33bbeb04",
  "d19c441704130b46",
  "d0ac8d5e589c99d9",
  "4ca5471ef59581e3",
  "e61a1596873bd7be",
  "fd7b99095e586cce",
  "d3b89d8b4edb044f",
  "a93336ab90f85dda",
  "f71a81b71caf1961",
  "5f639678dc0cc832",
  "bba50c93f1ffaf34",
  "1d0038f1991b12f1",
  "cba561339d0c9412",
  "78fa6eeacf60b531",
  "257bee36d397104d",
  "bddb4dc1275d71d8",
  "a79c64f12e9fd355",
  "dc736759ef3e52a8",
  "0c0c67719ace228c",
  "213a71f6c9f16f18",
  "d8f24f33ae5b8f5e",
  "7a53fa8c5ed09137",
  "347a931bd29567cc",
  "ab011f8255df3a87",
  "4b284707d2c775b3",
  "50cd70525de847af",
];

test("no released migration is changed or moved", () => {
  const digests = migrations.map(({ layout, contents = "" }) =>
    createHash("sha256").update(`${layout}\n${contents}`).digest("hex").slice(0, 16),
  );
  expect(digests).toEqual(DIGESTS);
});

describe("while another process has an older database open", () => {
  test("it is left alone, and migrated once the other process has closed it", async () => {
    const path = ofVersion(9);
    const other = new Database(path);
    onTestFinished(() => void other.close());
    other.pragma("journal_mode = WAL");
    other.exec("insert into lane values ('key', '1')");
    expect(() => migrateOlder(path, 0)).toThrow("DATABASE_IN_USE");
    expect(other.pragma("user_version", { simple: true })).toBe(9);
    other.exec("insert into lane values ('other key', '2')");
    other.close();
    const store = openSqliteStore(path);
    await store.close();
    expect(inside(path, "select last_nonce from lane")).toEqual(["1", "2"]);
    expect(inside(path, "pragma user_version")).toEqual([migrations.length]);
  });

  test("a database of which only the log is left keeps what is in the log", async () => {
    const path = ofVersion(9);
    const killed = new Database(path);
    killed.pragma("journal_mode = WAL");
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
  [
    "lacks a column of its version",
    "alter table submission drop column ended_monotonic_ms",
    "submission.ended_monotonic_ms",
  ],
  ["lacks a table of its version", "drop table again", "again.earlier_id"],
  ["has a table of a later version", "create table lease (a text) strict", "table lease already exists"],
])("a database that %s is not touched", (_, damage, reason) => {
  const path = ofVersion(6);
  const older = new Database(path);
  older.exec(damage);
  older.close();
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

/** A database as that version made it. */
function ofVersion(version: number): string {
  const path = join(temporaryFolder(), "paydrop.sqlite");
  const database = new Database(path);
  for (const { layout } of migrations.slice(0, version)) database.exec(layout);
  database.pragma(`user_version = ${version}`);
  database.close();
  return path;
}

function inside(path: string, query: string): unknown[] {
  const database = new Database(path, { readonly: true });
  const found = database.prepare(query).pluck().all();
  database.close();
  return found;
}
