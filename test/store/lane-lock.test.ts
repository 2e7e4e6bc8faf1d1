/**
 * One sender per key: the operating system holds the lock, so that the lane is free exactly when its holder is gone.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, rmSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { backupStep } from "../../src/index.ts";
import { takeLaneLock } from "../../src/store/engines/lane-lock.ts";
import { first, run, sql } from "../../src/store/sql.ts";
import { fencedStore } from "../../src/store/store.ts";
import { firstWordsOf } from "../first-words.ts";
import { openStore, tamper, temporaryFolder } from "./stored-batch.ts";

const MODULE = fileURLToPath(new URL("../../src/store/engines/lane-lock.ts", import.meta.url));
const TAKEN = expect.objectContaining({ problem: expect.objectContaining({ code: "LANE_TAKEN" }) });

const forget = () => run(sql`delete from notice_told`);

function databasePath(): string {
  const path = join(temporaryFolder(), "paydrop.sqlite");
  openStore(path);
  return path;
}

/** A separate process that holds the lane until it is killed, although nothing in it refers to the lock. */
async function holderOf(path: string) {
  const script = `
    const { takeLaneLock } = await import(${JSON.stringify(MODULE)});
    takeLaneLock(${JSON.stringify(path)}, "key-1");
    for (let collections = 0; collections < 5; collections += 1) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      globalThis.gc();
    }
    process.stdout.write("held");
    setInterval(() => undefined, 1000);`;
  const holder = spawn(process.execPath, ["--expose-gc", "--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => {
    holder.kill("SIGKILL");
  });
  await firstWordsOf(holder);
  return holder;
}

test("a second holder of a key is refused, and served when the first lets go; another key is another lane", () => {
  const path = databasePath();
  const first = takeLaneLock(path, "key-1");
  expect(() => takeLaneLock(path, "key-1")).toThrow(TAKEN);
  takeLaneLock(path, "key-2").release();
  first.release();
  takeLaneLock(path, "key-1").release();
});

test("a lane whose lock file was removed is refused while its holder has it, and free once that gives it back", async () => {
  const path = join(temporaryFolder(), "paydrop.sqlite");
  const [one, other] = [openStore(path), openStore(path)];
  const held = await one.takeLane("key-1", 0);
  rmSync(`${path}.lane-key-1`);
  await expect(other.takeLane("key-1", 0)).rejects.toEqual(TAKEN);
  await expect(other.takeLane("key-1", 0)).rejects.toThrow(`(process ${process.pid})`);
  await fencedStore(one, held).write(forget);
  await held.release();
  await (await other.takeLane("key-1", 0)).release();
});

test("a holder that the database does not name any more writes nothing, and leaves the lane to its successor", async () => {
  const path = join(temporaryFolder(), "paydrop.sqlite");
  const store = openStore(path);
  const held = await store.takeLane("key-1", 0);
  // As changed by a process that cannot see this one: another container with the same disk.
  await tamper(store, "update lane_holder set process = 'elsewhere 1 1'");
  await expect(fencedStore(store, held).write(forget)).rejects.toMatchObject({
    problem: { code: "LANE_LOST" },
  });
  await held.release();
  expect(await store.read(() => first(sql`select process from lane_holder`))).toEqual({
    process: "elsewhere 1 1",
  });
});

test("nobody but the owner and the group may open what is locked, and lock it too", async () => {
  const folder = temporaryFolder();
  const path = join(folder, "paydrop.sqlite");
  const store = openStore(path);
  await store.write(forget);
  const lane = takeLaneLock(path, "key-1");
  const backup = join(folder, "backup.sqlite");
  await backupStep({ databaseEngine: "sqlite", databasePath: path }, backup);
  const names = readdirSync(folder).toSorted();
  expect(names).toEqual(expect.arrayContaining(["backup.sqlite", "paydrop.sqlite", "paydrop.sqlite-wal"]));
  expect(names).toContain("paydrop.sqlite.lane-key-1");
  expect(names.filter((name) => (statSync(join(folder, name)).mode & 0o007) !== 0)).toEqual([]);
  lane.release();
});

test("another process is refused until the holder is killed, however hard", async () => {
  const path = databasePath();
  const holder = await holderOf(path);
  expect(() => takeLaneLock(path, "key-1")).toThrow(TAKEN);
  holder.kill("SIGKILL");
  await once(holder, "exit");
  takeLaneLock(path, "key-1").release();
});

test("a stopped process keeps its lane", async () => {
  const path = databasePath();
  const holder = await holderOf(path);
  holder.kill("SIGSTOP");
  expect(() => takeLaneLock(path, "key-1")).toThrow(TAKEN);
});

test("another name of the same database is the same lane", () => {
  const path = databasePath();
  const elsewhere = temporaryFolder();
  symlinkSync(path, join(elsewhere, "by-file.sqlite"));
  symlinkSync(join(path, ".."), join(elsewhere, "by-folder"));
  const held = takeLaneLock(path, "key-1");
  expect(() => takeLaneLock(join(elsewhere, "by-file.sqlite"), "key-1")).toThrow(TAKEN);
  expect(() => takeLaneLock(join(elsewhere, "by-folder", "paydrop.sqlite"), "key-1")).toThrow(TAKEN);
  held.release();
});

test("a place where no lock file can be is a fault of the catalogue, in words", () => {
  const path = databasePath();
  mkdirSync(`${path}.lane-key-1`);
  for (const impossible of [path, join(temporaryFolder(), "missing.sqlite")])
    expect(() => takeLaneLock(impossible, "key-1")).toThrow(
      expect.objectContaining({
        problem: expect.objectContaining({
          code: "DATABASE_UNUSABLE",
          message: expect.not.stringContaining("Error"),
        }),
      }),
    );
});
