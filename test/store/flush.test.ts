/** A write is reported once it is on disk. One that may not be there is reported as failed; no other follows it. */
import { mkdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { Anchor } from "../../src/store/anchor.ts";
import type { Flush } from "../../src/store/engines/flush.ts";
import { openSqliteStore } from "../../src/store/engines/sqlite-store.ts";
import { run, sql, type Transaction } from "../../src/store/sql.ts";
import { openStore, temporaryFolder } from "./stored-batch.ts";

function* insertLane(keyId: string): Transaction<void> {
  yield* run(sql`insert into lane (key_id, last_nonce) values (${keyId}, ${"7"})`);
}

/** A disk whose flushes end when the test says so. */
function slowDisk() {
  const path = join(temporaryFolder(), "paydrop.sqlite");
  const anchor = new Anchor(`${path}.anchor`);
  const ends: { resolve(): void; reject(error: Error): void }[] = [];
  const flush: Flush = {
    flush: () => new Promise<void>((resolve, reject) => ends.push({ resolve, reject })),
    close: async () => undefined,
  };
  const store = openSqliteStore(path, { scheduleCommit: setImmediate, flush, anchor });
  const told: string[] = [];
  const write = (keyId: string) =>
    store
      .write(() => insertLane(keyId))
      .then(
        () => void told.push(keyId),
        (error: Error) => void told.push(`${keyId}: ${error.message}`),
      );
  return { path, anchor, ends, told, write };
}

const turns = async () => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

describe("what was committed", () => {
  test("is reported once it is flushed, and only then does the anchor move", async () => {
    const { ends, told, anchor, write } = slowDisk();
    const written = write("a");
    await turns();
    expect([ends.length, told, anchor.read()]).toEqual([1, [], undefined]);
    ends[0]?.resolve();
    await written;
    expect([told, anchor.read()]).toEqual([["a"], expect.objectContaining({ lastNonces: { a: "7" } })]);
  });

  test("during a flush waits for the next one, which does not begin before that has ended", async () => {
    const { ends, told, write } = slowDisk();
    const first = write("a");
    await turns();
    const second = write("b");
    await turns();
    expect(ends).toHaveLength(1);
    ends[0]?.resolve();
    await first;
    await turns();
    expect([ends.length, told]).toEqual([2, ["a"]]);
    ends[1]?.resolve();
    await second;
    expect(told).toEqual(["a", "b"]);
  });

  test("but not flushed is reported as failed, and nothing is written afterwards", async () => {
    const { ends, told, anchor, write } = slowDisk();
    const writing = [write("a"), write("b")];
    await turns();
    const later = write("c");
    ends[0]?.reject(Object.assign(new Error("EIO: i/o error, fdatasync"), { syscall: "fdatasync" }));
    await Promise.all([...writing, later]);
    await write("d");
    expect(told).toEqual(
      ["a", "b", "c", "d"].map((key) => expect.stringMatching(`^${key}: DATABASE_UNUSABLE.*EIO`)),
    );
    expect([ends.length, anchor.read()]).toEqual([1, undefined]);
  });
});

test("the log is found even if the database's path is a link", async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "elsewhere"));
  await openStore(join(folder, "elsewhere", "paydrop.sqlite")).close();
  symlinkSync(join(folder, "elsewhere", "paydrop.sqlite"), join(folder, "linked.sqlite"));
  const store = openSqliteStore(join(folder, "linked.sqlite"));
  onTestFinished(() => store.close());
  await expect(store.write(() => insertLane("a"))).resolves.toBeUndefined();
});

test("a log that cannot be opened fails the write, and the database still closes", async () => {
  const path = join(temporaryFolder(), "paydrop.sqlite");
  const store = openSqliteStore(path);
  rmSync(`${path}-wal`);
  await expect(store.write(() => insertLane("a"))).rejects.toMatchObject({
    problem: { code: "DATABASE_UNUSABLE" },
  });
  await expect(store.close()).resolves.toBeUndefined();
});

test.each([
  ["deleted", async (path: string) => rmSync(dirname(path), { recursive: true })],
  [
    "deleted, with another one made in its place,",
    async (path: string) => {
      rmSync(dirname(path), { recursive: true });
      await openSqliteStore(path).close();
    },
  ],
  ["replaced by a copy", async (path: string) => renameSync(await copyOf(path), path)],
  [
    "moved away, with a copy in its place,",
    async (path: string) => {
      const copy = await copyOf(path);
      renameSync(path, `${path}.old`);
      renameSync(copy, path);
    },
  ],
  // This process overwrites what another one commits with an index of its own.
  ["robbed of its log's index", async (path: string) => rmSync(`${path}-shm`)],
])("a database that is %s while it is open takes no more writes", async (_, replace) => {
  const path = join(temporaryFolder(), "site", "paydrop.sqlite");
  const store = openSqliteStore(path);
  await store.write(() => insertLane("a"));
  await replace(path);
  const refusal = {
    problem: { code: "DATABASE_UNUSABLE", message: expect.stringMatching(/was deleted or replaced/) },
  };
  await expect(store.write(() => insertLane("b"))).rejects.toMatchObject(refusal);
  await expect(store.write(() => insertLane("c"))).rejects.toMatchObject(refusal);
  await expect(store.close()).resolves.toBeUndefined();
});

async function copyOf(path: string): Promise<string> {
  await copyFile(path, `${path}.copy`);
  return `${path}.copy`;
}
