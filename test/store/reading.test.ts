/** The store of commands that only look: it reads the database and leaves no trace. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openSqliteStore, openSqliteStoreForReading } from "../../src/store/engines/sqlite-store.ts";
import { listInstructions } from "../read-all.ts";
import { addUpgrade, drafts, openStore, storeApproved, temporaryFolder } from "./stored-batch.ts";

test("is empty where no database is, and makes neither it nor its folder", async () => {
  const folder = temporaryFolder();
  const store = openSqliteStoreForReading(join(folder, "state", "paydrop.sqlite"));
  expect(await store.read(() => listInstructions())).toEqual([]);
  await store.close();
  expect(readdirSync(folder)).toEqual([]);
});

test("takes a file without a byte, which an interrupted start leaves, for no database", async () => {
  const path = join(temporaryFolder(), "paydrop.sqlite");
  writeFileSync(path, "");
  const store = openSqliteStoreForReading(path);
  expect(await store.read(() => listInstructions())).toEqual([]);
  await store.close();
  expect(readFileSync(path)).toHaveLength(0);
});

test("sees what another process commits, refuses to write, and leaves the file as it was", async () => {
  const folder = temporaryFolder();
  const path = join(folder, "paydrop.sqlite");
  const writer = openStore(path);
  const reader = openSqliteStoreForReading(path);
  await storeApproved(writer, drafts(3));
  expect(await reader.read(() => listInstructions())).toHaveLength(3);
  await expect(storeApproved(reader, drafts(1))).rejects.toMatchObject({
    problem: { code: "DATABASE_UNUSABLE" },
  });
  await reader.close();
  expect(await writer.read(() => listInstructions())).toHaveLength(3);
});

test("leaves a database that nobody else has open as it was, to the byte", async () => {
  const folder = temporaryFolder();
  const path = join(folder, "paydrop.sqlite");
  const writer = openSqliteStore(path);
  await storeApproved(writer, drafts(3));
  await writer.close();
  const before = readFileSync(path);
  const reader = openSqliteStoreForReading(path);
  expect(await reader.read(() => listInstructions())).toHaveLength(3);
  await reader.close();
  expect(readdirSync(folder)).toEqual(["paydrop.sqlite"]);
  expect(readFileSync(path).equals(before)).toBe(true);
});

test("refuses a database of an older version instead of bringing it up to date", async () => {
  const path = join(temporaryFolder(), "paydrop.sqlite");
  await openSqliteStore(path).close();
  addUpgrade({ layout: "" });
  const before = readFileSync(path);
  expect(() => openSqliteStoreForReading(path)).toThrow("DATABASE_OUTDATED");
  expect(readFileSync(path).equals(before)).toBe(true);
  expect(existsSync(`${path}-wal`)).toBe(false);
});
