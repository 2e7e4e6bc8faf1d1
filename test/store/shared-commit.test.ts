/** Transactions requested in one turn share a commit, and each still happens whole or not at all. */
import Database from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { all, run, sql, type Transaction } from "../../src/store/sql.ts";
import type { Store } from "../../src/store/store.ts";
import { testWithFile } from "../postgres.ts";
import { openStore, temporaryFolder, WITHOUT_WAITING } from "./stored-batch.ts";

function* insertLane(keyId: string): Transaction<string> {
  yield* run(sql`insert into lane (key_id, last_nonce) values (${keyId}, ${"1"})`);
  return keyId;
}

function* insertAndFail(keyId: string): Transaction<void> {
  yield* insertLane(keyId);
  throw new Error(`${keyId} fails`);
}

function lanes(store: Store): Promise<string[]> {
  return store.read(function* (): Transaction<string[]> {
    return (yield* all<{ key_id: string }>(sql`select key_id from lane order by key_id`)).map(
      (row) => row.key_id,
    );
  });
}

describe("transactions of one turn", () => {
  test("are all carried out in order, each with its own result", async () => {
    const store = openStore();
    const keys = ["a", "b", "c"];
    expect(await Promise.all(keys.map((key) => store.write(() => insertLane(key))))).toEqual(keys);
    expect(await lanes(store)).toEqual(keys);
  });

  testWithFile("are told only when another process can see them", async () => {
    const path = `${temporaryFolder()}/paydrop.sqlite`;
    const store = openStore(path);
    const other = new Database(path, { readonly: true });
    const count = other.prepare("select count(*) as count from lane");
    const seen = await Promise.all(
      ["a", "b"].map((key) => store.write(() => insertLane(key)).then(() => count.get())),
    );
    expect(seen).toEqual([{ count: 2 }, { count: 2 }]);
    other.close();
  });

  test("do not affect each other: a failing one leaves nothing, the others everything", async () => {
    const store = openStore();
    const results = await Promise.allSettled([
      store.write(() => insertLane("a")),
      store.write(() => insertAndFail("b")),
      store.write(() => insertLane("a")), // the database itself refuses it
      store.write(() => insertLane("c")),
    ]);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected", "fulfilled"]);
    expect(await lanes(store)).toEqual(["a", "c"]);
  });

  testWithFile("that cannot be committed are all rejected, and nothing of them is there", async () => {
    const path = `${temporaryFolder()}/paydrop.sqlite`;
    const store = openStore(path, WITHOUT_WAITING);
    const other = new Database(path, { timeout: 0 });
    other.pragma("foreign_keys = OFF");
    const failing = function* (): Transaction<void> {
      yield* insertLane("a");
      // A deferred foreign key fails only at the commit.
      yield* run(sql`pragma defer_foreign_keys = on`);
      yield* run(
        sql`insert into approval (batch_id, person, digest, decided_at, approved) values ('none', 'p', 'd', 'now', '{}')`,
      );
    };
    const results = await Promise.allSettled([store.write(failing), store.write(() => insertLane("b"))]);
    expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(await lanes(store)).toEqual([]);
    expect(await store.write(() => insertLane("c"))).toBe("c");
    other.close();
  });

  test("asked for before the store is closed are done", async () => {
    const path = `${temporaryFolder()}/paydrop.sqlite`;
    const store = openStore(path);
    const writing = store.write(() => insertLane("a"));
    await store.close();
    expect(await writing).toBe("a");
    expect(await lanes(openStore(path))).toEqual(["a"]);
  });
});
