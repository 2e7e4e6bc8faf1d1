/** A backup is tried aside: a good one is verified, and each way in which one is of no use is a sentence. */
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { backupJob } from "../../jobs/backup.ts";
import {
  approveStep,
  backupStep,
  exportStep,
  ledgerStep,
  openWorkplace,
  payStep,
  reconcileStep,
  statusOfBatches,
  stderrLog,
  submitFile,
  trackStep,
} from "../../src/index.ts";
import { shifted } from "../../src/model/index.ts";
import { baselineStep } from "../../src/nights/index.ts";
import { backupVerifyStep } from "../../src/setup/backup-verify-step.ts";
import { whyWrong } from "../../src/views/run-result.ts";
import { paydropInTurn } from "../cli/paydrop-in-turn.ts";
import { SAMPLES } from "../cli/program.ts";
import { IS_ON_POSTGRES } from "../postgres.ts";
import { ADDRESS } from "../site/service.ts";
import { openPlace, openSandboxFor, type Place } from "../site/workplace.ts";

const DAY_MS = 86_400_000;
const HEAD = /^[0-9a-f]{64}$/;

let site: Place;
/** A good backup, with its hash beside it. */
let good: string;

/** A database with payments, a night and booked entries, and its backup. */
beforeAll(async () => {
  site = openPlace((await openSandboxFor()).environment);
  const { workplace, folder } = site;
  await baselineStep(workplace, "ann");
  const { digest = "" } = await submitFile(workplace, join(SAMPLES, "payouts.xlsx"), "alice");
  await approveStep(workplace, digest, "bob", { acceptReading: 5 });
  await payStep(workplace);
  const book = async () => {
    await trackStep(workplace);
    await reconcileStep(workplace);
    expect((await ledgerStep(workplace)).posted).toBeGreaterThan(0);
  };
  await vi.waitFor(book, { timeout: 30_000 });
  await exportStep(workplace);
  mkdirSync(join(folder, "backups"));
  good = join(folder, "backups", "good.sqlite");
  await backupStep(workplace.config, good, workplace.store);
});

/** The good backup under another name, after `change`; without its hash if `isUnsealed`. */
function changed(name: string, change: (path: string) => void, isUnsealed = false): string {
  const path = join(site.folder, "changed", name);
  mkdirSync(join(site.folder, "changed"), { recursive: true });
  copyFileSync(good, path);
  if (!isUnsealed) copyFileSync(`${good}.sha256`, `${path}.sha256`);
  change(path);
  return path;
}

function flip(path: string, at: number): void {
  const bytes = readFileSync(path);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  writeFileSync(path, bytes);
}

function execute(text: string): (path: string) => void {
  return (path) => {
    const database = new Database(path);
    database.exec(text);
    database.close();
  };
}

const verify = (path: string, days = 0) => {
  const { config, context, store } = site.workplace;
  const clock = { ...context.clock, now: () => shifted(context.clock.now(), days * DAY_MS) };
  return backupVerifyStep({ config, context: { clock }, live: store }, path);
};

test("verifies a good backup by its record, last night and sums, and does not change it", async () => {
  const before = readFileSync(good);
  const report = await verify(good);
  expect(report).toMatchObject({
    ...{ isSealed: true, isCompared: true, problems: [] },
    record: { head: expect.stringMatching(HEAD) },
    night: { number: expect.any(Number) },
  });
  expect(report.journalEntries).toBeGreaterThan(0);
  expect(readFileSync(good).equals(before)).toBe(true);
  expect(readdirSync(join(site.folder, "backups"))).toEqual(["good.sqlite", "good.sqlite.sha256"]);
  expect(readdirSync(tmpdir()).filter((name) => name.startsWith("paydrop-backup-"))).toEqual([]);
});

describe("reports why a backup is useless:", () => {
  const cases: readonly [string, () => string | Promise<string>, string, string][] = [
    [
      "with a flipped byte",
      () => changed("flipped", (path) => flip(path, 50_000)),
      "BACKUP_DAMAGED",
      "its bytes are not those",
    ],
    [
      "whose record was changed, without its hash",
      () => changed("record", execute("update audit set person = 'mallory' where seq = 1"), true),
      "BACKUP_DAMAGED",
      "the audit trail does not verify",
    ],
    [
      "cut short",
      () => changed("short", (path) => truncateSync(path, 100_000)),
      "BACKUP_DAMAGED",
      "its bytes are not those",
    ],
    [
      "cut short, without its hash",
      () => changed("short-2", (path) => truncateSync(path, 100_000), true),
      "BACKUP_DAMAGED",
      "the backup",
    ],
    [
      "empty",
      () => changed("empty", (path) => truncateSync(path, 0), true),
      "BACKUP_DAMAGED",
      "there is no database in it",
    ],
    [
      "that is something else",
      () => changed("text", (path) => writeFileSync(path, "-- PostgreSQL database dump".repeat(50)), true),
      "BACKUP_DAMAGED",
      "cannot be read as a database",
    ],
    [
      "of another roster",
      async () => {
        const other = openPlace({ PAYDROP_PEOPLE_TRIAL_KEYS: mkdtempSync(join(tmpdir(), "paydrop-keys-")) });
        await submitFile(other.workplace, join(SAMPLES, "payouts.xlsx"), "alice");
        const path = join(other.folder, "other.sqlite");
        await backupStep(other.workplace.config, path, other.workplace.store);
        return path;
      },
      "BACKUP_OF_ANOTHER",
      "a trial with other keys",
    ],
    [
      "whose last night does not add up",
      () =>
        changed(
          "night",
          execute(`update night set document = replace(document, '"expected":"', '"expected":"7')`),
          true,
        ),
      "BACKUP_NOT_TYING",
      "does not add up",
    ],
    [
      "whose sums are not those of its entries",
      () => changed("sums", execute("update ledger_sum set debit = '7'"), true),
      "BACKUP_NOT_TYING",
      "running sums",
    ],
    [
      "of a newer version",
      () => changed("newer", execute("pragma user_version = 999"), true),
      "BACKUP_DAMAGED",
      "version 999",
    ],
    [
      "that is old",
      () => changed("old", (path) => utimesSync(path, 0, Date.parse("2026-01-05T12:00:00Z") / 1000)),
      "BACKUP_STALE",
      "is from 2026-01-05",
    ],
  ];
  test.each(cases)("%s", async (_, make, code, words) => {
    const path = await make();
    const { problems } = await verify(path);
    expect(problems.map((each) => each.code)).toContain(code);
    expect(problems.map(({ message }) => message).join()).toContain(words);
    expect(problems.map(({ message }) => message).join()).toContain(path);
  });
});

test("judges a copied old backup stale by what it lacks", async () => {
  const path = changed("lacks", () => undefined);
  await submitFile(
    site.workplace,
    write(site.folder, "later.csv", `reference,amount,destinationAddress\nLATER-1,0.01,${ADDRESS}\n`),
    "alice",
  );
  expect((await verify(path)).problems).toEqual([]);
  const inAMonth = new Date(Date.now() + 30 * DAY_MS);
  utimesSync(path, inAMonth, inAMonth);
  expect((await verify(path, 30)).problems).toMatchObject([{ code: "BACKUP_STALE" }]);
});

function write(folder: string, name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

test("the job tests the newest file of the folder; its failure has a code", async () => {
  const { workplace, folder } = site;
  const backup = { folder: join(folder, "kept"), staleAfterDays: 8 };
  cpSync(join(folder, "backups"), backup.folder, { recursive: true, preserveTimestamps: true });
  const configured = { ...workplace, config: { ...workplace.config, backup } };
  expect(backupJob.isOn?.(workplace.config)).toBe(false);
  const run = () => backupJob.run(configured, AbortSignal.timeout(60_000));
  expect(await run()).toMatchObject({ count: 0, message: expect.stringContaining("good.sqlite is whole") });
  const newest = join(backup.folder, "newest.sqlite");
  copyFileSync(good, newest);
  appendFileSync(newest, "more");
  copyFileSync(`${good}.sha256`, `${newest}.sha256`);
  utimesSync(newest, Date.now() / 1000 + 60, Date.now() / 1000 + 60);
  const outcome = await run();
  expect(outcome).toMatchObject({ count: 1, message: expect.stringContaining(newest) });
  // By which status, Today, the metric and the notice about jobs name it.
  expect(whyWrong({ outcome: { ...outcome, outcome: "done" } })).toBe("BACKUP_DAMAGED");
  for (const name of readdirSync(backup.folder)) rmSync(join(backup.folder, name));
  await expect(run()).rejects.toMatchObject({ problem: { code: "BACKUP_MISSING" } });
});

test.runIf(IS_ON_POSTGRES)("the file of a server's database is read, and never sends", async () => {
  const { folder, environment } = site;
  const path = changed("from-server", () => undefined);
  const { DATABASE_URL: _, ...others } = environment;
  const opened = openWorkplace(
    join(folder, "paydrop.yaml"),
    { ...others, PAYDROP_DATABASE: `sqlite:${path}` },
    stderrLog("silent"),
  );
  expect(await statusOfBatches(opened)).toMatchObject([{ batch: { id: "B-000001" } }]);
  const { digest = "" } = await submitFile(
    opened,
    write(folder, "more.csv", `reference,amount,destinationAddress\nMORE-1,0.01,${ADDRESS}\n`),
    "alice",
  );
  await approveStep(opened, digest, "bob");
  await expect(payStep(opened)).rejects.toMatchObject({ problem: { code: "DATABASE_FROM_SERVER" } });
  await opened.close();
});

test.each([
  ["a night", `update night set document = replace(document, '"expected":"', '"expected":"7')`],
  ["a sum", "update ledger_sum set debit = '7'"],
])("the command does not say that the figures add up if %s does not", async (name, update) => {
  const path = changed(`${name}-printed`, execute(update), true);
  const { exitCode, stdout } = await paydropInTurn(site.folder, ["backup", "verify", path], site.environment);
  expect(exitCode).toBe(4);
  expect(stdout).toContain("BACKUP_NOT_TYING");
  expect(stdout).not.toMatch(/^(?:Night|The sums)/m);
});

test("the command works even if the database in use is gone", async () => {
  const { folder } = openPlace();
  copyFileSync(
    changed("by-hand", () => undefined),
    join(folder, "copy.sqlite"),
  );
  const { exitCode, stdout } = await paydropInTurn(folder, ["backup", "verify", "copy.sqlite", "--json"]);
  expect(JSON.parse(stdout)).toMatchObject({ isSealed: false, isCompared: false, problems: [] });
  expect(exitCode).toBe(0);
  expect(existsSync(join(folder, "copy.sqlite-wal"))).toBe(false);
});
