/** The store on a real file: whole transactions, and clear errors for a file that cannot be a database. */
import { chmodSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { Anchor } from "../../src/store/anchor.ts";
import { openSqliteStore } from "../../src/store/engines/sqlite-store.ts";
import { findByReference } from "../../src/store/instructions.ts";
import { all, run, sql, type Transaction } from "../../src/store/sql.ts";
import { testWithFile } from "../postgres.ts";
import { listInstructions } from "../read-all.ts";
import { drafts, openStore, storeApproved, storeOneApproved, temporaryFolder } from "./stored-batch.ts";

describe("a transaction", () => {
  test("that the database refuses leaves nothing of itself", async () => {
    const store = openStore();
    await storeOneApproved(store);
    const twice = storeApproved(
      store,
      drafts(3, (row) => (row === 3 ? { reference: "PAY-1" } : { reference: `NEW-${row}` })),
    );
    await expect(twice).rejects.toMatchObject({ problem: { code: "DATABASE_UNUSABLE" } });
    expect(await store.read(() => listInstructions())).toHaveLength(1);
  });

  test("is there after the file is opened again", async () => {
    const path = join(temporaryFolder(), "state", "paydrop.sqlite");
    const first = openStore(path);
    await storeApproved(first, drafts(3));
    expect(await openStore(path).read(() => listInstructions())).toHaveLength(3);
  });

  testWithFile(
    "that was long leaves its room in the log to the disk, while the database stays open",
    async () => {
      const path = join(temporaryFolder(), "paydrop.sqlite");
      const store = openStore(path);
      const grow = (bytes: number) =>
        store.write(() => run(sql`insert into stop_order (reason) values (${"x".repeat(bytes)})`));
      await grow(72_000_000);
      expect(statSync(`${path}-wal`).size).toBeGreaterThan(72_000_000);
      await grow(1);
      expect(statSync(`${path}-wal`).size).toBeLessThan(68_000_000);
      expect(await store.read(() => all(sql`select length(reason) from stop_order`))).toHaveLength(2);
    },
  );

  test("reads one snapshot while another connection writes", async () => {
    const path = join(temporaryFolder(), "paydrop.sqlite");
    const [reader, writer] = [openStore(path), openStore(path)];
    const { id } = await storeOneApproved(writer);
    const other = new Database(path);
    const seen = await reader.read(function* (): Transaction<(string | undefined)[]> {
      const before = yield* findByReference("PAY-1");
      other.prepare("update instruction set standing = 'held' where id = ?").run(id);
      const after = yield* findByReference("PAY-1");
      return [before?.standing, after?.standing];
    });
    other.close();
    expect(seen).toEqual(["approved", "approved"]);
    expect(await reader.read(() => findByReference("PAY-1"))).toMatchObject({ standing: "held" });
  });

  test("never takes a value for SQL", async () => {
    const store = openStore();
    const { reference } = (await storeOneApproved(store, { reference: "x'); drop table instruction; --" }))
      .fields;
    expect(await store.read(() => findByReference(reference))).toBeDefined();
  });
});

describe("a file that cannot be the database is named, with the reason", () => {
  const unusable = (path: string) =>
    expect(() => openSqliteStore(path)).toThrow(
      expect.objectContaining({ problem: expect.objectContaining({ code: "DATABASE_UNUSABLE" }) }),
    );

  test("a folder", () => {
    unusable(temporaryFolder());
  });

  test("a file of something else, which is left as it was", () => {
    const path = join(temporaryFolder(), "notes.txt");
    writeFileSync(path, "not a database, but longer than its header would be ".repeat(20));
    unusable(path);
  });

  test("a path below a file", () => {
    const path = join(temporaryFolder(), "file");
    writeFileSync(path, "");
    unusable(join(path, "paydrop.sqlite"));
  });

  test.skipIf(process.getuid?.() === 0)("a file that may only be read", async () => {
    const path = join(temporaryFolder(), "paydrop.sqlite");
    await openSqliteStore(path).close();
    chmodSync(path, 0o444);
    unusable(path);
  });

  test.skipIf(process.getuid?.() === 0)("a folder that may only be read", () => {
    const folder = join(temporaryFolder(), "closed");
    mkdirSync(folder, { mode: 0o555 });
    unusable(join(folder, "paydrop.sqlite"));
  });

  test("a database that is damaged in the middle", async () => {
    const path = join(temporaryFolder(), "paydrop.sqlite");
    const store = openSqliteStore(path);
    await storeApproved(store, drafts(200));
    await store.close();
    const bytes = new Database(path).serialize();
    bytes.fill(0x5a, 4096 * 3, bytes.length - 4096);
    writeFileSync(path, bytes);
    unusable(path);
  });
});

test("a database of a newer version is refused and left as it was", async () => {
  const path = join(temporaryFolder(), "paydrop.sqlite");
  const newer = new Database(path);
  newer.pragma("user_version = 99");
  newer.close();
  expect(() => openSqliteStore(path)).toThrow(/version 99/);
  const unchanged = new Database(path);
  expect(unchanged.pragma("user_version", { simple: true })).toBe(99);
  expect(unchanged.pragma("journal_mode", { simple: true })).toBe("delete");
  unchanged.close();
});

test("a writer that waits too long for another process is told so", async () => {
  const path = join(temporaryFolder(), "paydrop.sqlite");
  const store = openStore(path);
  await store.read(() => run(sql`pragma busy_timeout = 1`));
  const other = new Database(path);
  other.exec("begin immediate");
  await expect(storeOneApproved(store)).rejects.toMatchObject({ problem: { code: "DATABASE_BUSY" } });
  other.close();
  await storeOneApproved(store);
});

test("an anchor that cannot be written stops what comes after it, and not what is on the disk already", async () => {
  const folder = temporaryFolder();
  const anchor = new Anchor(join(folder, "gone", "paydrop.anchor"));
  const store = openStore(join(folder, "paydrop.sqlite"), { anchor });
  await storeOneApproved(store);
  expect(await store.read(() => findByReference("PAY-1"))).toMatchObject({ standing: "approved" });
  await expect(storeApproved(store, drafts(1))).rejects.toMatchObject({
    problem: { code: "DATABASE_UNUSABLE", message: expect.stringContaining("paydrop.anchor") },
  });
});

test("a statement with a limit is not planned again each time it runs", async () => {
  const store = openStore();
  await store.write(() => run(sql`insert into lane (key_id, last_nonce) values ('key-1', '7')`));
  const read = (count: number) =>
    store.read(() =>
      all<{ key_id: string }>(sql`select key_id from lane order by last_nonce limit ${count}`),
    );
  await read(1);
  // better-sqlite3 compiles a function that makes a statement's rows, and compiles it again after each new plan.
  const compiled = vi.spyOn(globalThis, "Function");
  onTestFinished(() => compiled.mockRestore());

  expect(await read(1)).toEqual([{ key_id: "key-1" }]);
  expect(await read(0)).toEqual([]);
  expect(await read(5)).toEqual([{ key_id: "key-1" }]);

  expect(compiled).not.toHaveBeenCalled();
});
