/** A copy of the database is complete, even while others write, and harmless if it is put in the original's place. */
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect } from "vitest";
import {
  approveStep,
  backupStep,
  exportStep,
  giveStopOrder,
  ledgerStep,
  liftStopOrder,
  openWorkplace,
  payStep,
  recallStep,
  reconcileStep,
  statusOfBatches,
  submitFile,
  type Workplace,
} from "../../src/index.ts";
import { baselineStep } from "../../src/nights/index.ts";
import { openSqliteStore } from "../../src/store/engines/sqlite-store.ts";
import { presentVersion } from "../../src/store/upgrades.ts";
import { paydropInTurn } from "../cli/paydrop-in-turn.ts";
import { endOf, startPaydrop } from "../cli/program.ts";
import { testWithFile } from "../postgres.ts";
import { ADDRESS, openSite } from "../site/service.ts";
import { addUpgrade, tamper, temporaryFolder } from "../store/stored-batch.ts";

/** A file of two payments. */
function payoutsIn(folder: string): string {
  const path = join(folder, "payouts-due.csv");
  const rows = ["D-1,0.001", "D-2,0.002"].map((row) => `${row},${ADDRESS}`);
  writeFileSync(path, ["reference,amount,destinationAddress", ...rows, ""].join("\n"));
  return path;
}

function putBack(copy: string, { config: { databasePath } }: Workplace): void {
  for (const ending of ["", "-wal", "-shm"]) rmSync(`${databasePath}${ending}`, { force: true });
  renameSync(copy, databasePath);
}

testWithFile("holds all that was committed, and sends nothing where it is put back", async () => {
  const { folder, workplace, environment, sandbox } = await openSite();
  const { digest = "" } = await submitFile(workplace, payoutsIn(folder), "alice");
  const path = join(folder, "copy.sqlite");
  // The database stays open, like a daemon's.
  const { head } = await backupStep(workplace.config, path);
  expect(head).toMatch(/^[0-9a-f]{64}$/);
  await approveStep(workplace, digest, "bob");
  expect((await payStep(workplace)).accepted).toBe(2);
  await workplace.close();

  putBack(path, workplace);
  const restored = openWorkplace(join(folder, "paydrop.yaml"), environment);
  const [batch] = await statusOfBatches(restored);
  expect(batch).toMatchObject({ batch: { digest }, approvedBy: [] });
  await expect(approveStep(restored, digest, "bob").then(() => payStep(restored))).rejects.toMatchObject({
    problem: { code: "DATABASE_BEHIND_ANCHOR" },
  });
  await restored.close();
  expect(sandbox.creations()).toHaveLength(2);
});

testWithFile("posts nothing and hands no ledger entry out where it is put back", async () => {
  const { folder, workplace, environment } = await openSite({ stepMs: 1 });
  await baselineStep(workplace, "ann");
  const { digest = "" } = await submitFile(workplace, payoutsIn(folder), "alice");
  await approveStep(workplace, digest, "bob");
  const path = join(folder, "copy.sqlite");
  await backupStep(workplace.config, path);
  await payStep(workplace);
  await expect
    .poll(async () => {
      await reconcileStep(workplace);
      return (await ledgerStep(workplace)).posted;
    })
    .toBeGreaterThan(0);
  await exportStep(workplace);
  const journal = join(folder, "ledger", "000001-journal.csv");
  const issued = readFileSync(journal, "utf8");
  await workplace.close();

  putBack(path, workplace);
  const restored = openWorkplace(join(folder, "paydrop.yaml"), environment);
  await reconcileStep(restored);
  const isBehind = { problem: { code: "DATABASE_BEHIND_ANCHOR" } };
  await expect(ledgerStep(restored)).rejects.toMatchObject(isBehind);
  await expect(exportStep(restored)).rejects.toMatchObject(isBehind);
  await restored.close();

  rmSync(workplace.config.anchorPath);
  const lookedAt = openWorkplace(join(folder, "paydrop.yaml"), environment);
  expect((await ledgerStep(lookedAt)).posted).toBeGreaterThan(0);
  await expect(exportStep(lookedAt)).rejects.toMatchObject({ problem: { code: "EXPORT_FILES_UNKNOWN" } });
  expect(readFileSync(journal, "utf8")).toBe(issued);
  rmSync(journal);
  rmSync(join(folder, "ledger", "000001-journal.hledger"));
  await expect(exportStep(lookedAt)).rejects.toMatchObject({ problem: { code: "EXPORT_FILES_UNKNOWN" } });
  for (const name of readdirSync(join(folder, "ledger"))) rmSync(join(folder, "ledger", name));
  writeFileSync(join(folder, "ledger", "202611-closing.txt"), "a person's own");
  expect(await exportStep(lookedAt)).toMatchObject([{ number: 1 }]);
  await lookedAt.close();
});

testWithFile("overwrites nothing, and is not written of a record that was changed", async () => {
  const { folder, workplace } = await openSite();
  await submitFile(workplace, payoutsIn(folder), "alice");
  const path = join(folder, "copy.sqlite");
  await backupStep(workplace.config, path);
  await expect(backupStep(workplace.config, path)).rejects.toMatchObject({
    problem: { code: "OUTPUT_EXISTS" },
  });
  await expect(backupStep(workplace.config, join(folder, "nowhere", "copy"))).rejects.toMatchObject({
    problem: { code: "OUTPUT_UNWRITABLE" },
  });
  rmSync(path);
  await tamper(workplace.store, "update audit set person = 'mallory' where seq = 1");
  await expect(backupStep(workplace.config, path)).rejects.toMatchObject({
    problem: { code: "AUDIT_CHAIN_BROKEN" },
  });
  expect(existsSync(path)).toBe(false);
  expect(readdirSync(folder).filter((name) => name.startsWith("."))).toEqual([]);
});

testWithFile(
  "that is put back pays nothing that was withdrawn since, where its advice is followed",
  async () => {
    const { folder, workplace, openAgain, sandbox } = await openSite();
    const { digest = "" } = await submitFile(workplace, payoutsIn(folder), "alice");
    await approveStep(workplace, digest, "bob");
    const path = join(folder, "copy.sqlite");
    await backupStep(workplace.config, path);
    const withdrawn = { reference: digest, person: "tess", reason: "another supplier" };
    await recallStep(workplace, withdrawn);
    await workplace.close();
    putBack(path, workplace);

    const restored = openAgain();
    await expect(payStep(restored)).rejects.toMatchObject({
      problem: { fix: expect.stringMatching(/stop.*reconcile.*remove the anchor.*reject.*go/) },
    });
    await giveStopOrder(restored, "tess", "restored");
    await reconcileStep(restored);
    rmSync(workplace.config.anchorPath);
    expect(await payStep(restored)).toMatchObject({ due: 2, accepted: 0 });
    await recallStep(restored, withdrawn);
    await liftStopOrder(restored, "tess", "looked at it");
    expect(await payStep(restored)).toMatchObject({ due: 0 });
    expect(sandbox.creations()).toEqual([]);
  },
);

testWithFile(
  "that is put back takes in what was paid since by one command for a batch, and what differs stays held",
  async () => {
    const { folder, workplace, openAgain, sandbox, environment } = await openSite();
    const path = join(folder, "copy.sqlite");
    await submitFile(workplace, payoutsIn(folder), "alice");
    await backupStep(workplace.config, path);
    const payAll = async (place: Workplace, lastAmount: string) => {
      const rows = ["0.01", "0.02", lastAmount].map((amount, index) => `A-${index + 1},${amount},${ADDRESS}`);
      const file = join(folder, `since-${lastAmount}.csv`);
      writeFileSync(file, ["reference,amount,destinationAddress", ...rows, ""].join("\n"));
      const { digest = "", batchId = "" } = await submitFile(place, file, "alice");
      await approveStep(place, digest, "bob");
      return { report: await payStep(place), batchId };
    };
    await payAll(workplace, "0.03");
    await workplace.close();
    putBack(path, workplace);
    const restored = openAgain();
    await giveStopOrder(restored, "tess", "restored");
    await reconcileStep(restored);
    rmSync(workplace.config.anchorPath);
    await liftStopOrder(restored, "tess", "looked at it");
    const { report, batchId } = await payAll(restored, "0.04");
    expect(report).toMatchObject({ due: 3, held: 3 });
    await restored.close();

    const run = (...args: string[]) => paydropInTurn(folder, args, environment);
    const idOf = (reference: string) =>
      sandbox.creations().find((created) => created.reference === reference)?.payoutId;
    const { stdout: doubts } = await run("doubt");
    for (const reference of ["A-1", "A-2"])
      expect(doubts).toContain(
        `paydrop doubt resolve ${reference} --accept ${idOf(reference)} --reason WHY\n`,
      );
    expect(doubts).toContain("paydrop doubt resolve A-3 --accept PAYOUT_ID --reason WHY\n");
    expect(doubts).toContain(`\`paydrop doubt resolve ${batchId} --accept --reason WHY\` does so for each`);

    const resolve = ["doubt", "resolve", batchId, "--accept", "--by", "tess", "--reason", "restored"];
    const accepted = await run(...resolve);
    expect(accepted.exitCode).toBe(4);
    expect(accepted.stdout).toContain(`A-1 is sent: payout ${idOf("A-1")}\n`);
    expect(accepted.stdout).toContain("A-3 is held\n");
    expect((await run("doubt")).stdout).not.toContain("A-1");
    const { stdout: story } = await run("explain", "A-1");
    expect(story).toContain("restored");
    const again = await run(...resolve, "--json");
    expect(JSON.parse(again.stdout)).toMatchObject({
      payments: [{ fields: { reference: "A-3" }, standing: "held" }],
    });
    expect(
      (await run("doubt", "resolve", "A-3", "--abandon", "--by", "tess", "--reason", "paid")).exitCode,
    ).toBe(0);
    expect(await run(...resolve)).toMatchObject({
      exitCode: 4,
      stderr: expect.stringContaining("nothing of it is in doubt or held"),
    });
    expect(sandbox.creations()).toHaveLength(3);
  },
);

testWithFile("is not read with the log of the file that it takes the place of", async () => {
  const { folder, workplace, environment, arrived } = await openSite();
  const { digest = "" } = await submitFile(workplace, payoutsIn(folder), "alice");
  const path = join(folder, "copy.sqlite");
  await backupStep(workplace.config, path);
  await approveStep(workplace, digest, "bob");
  await payStep(workplace);
  // The files that a killed process leaves. In another folder, because each process looks for a log only once.
  const other = temporaryFolder();
  const there = join(other, "paydrop.sqlite");
  copyFileSync(`${workplace.config.databasePath}-wal`, `${there}-wal`);
  copyFileSync(workplace.config.anchorPath, `${there}.anchor`);
  copyFileSync(path, there);
  const open = () =>
    openWorkplace(join(folder, "paydrop.yaml"), { ...environment, PAYDROP_DATABASE: `sqlite:${there}` });
  expect(open).toThrow(/log of the old file/);
  expect(readFileSync(there)).toEqual(readFileSync(path));
  renameSync(`${there}-wal`, join(folder, "moved-wal"));
  const restored = open();
  expect(await statusOfBatches(restored)).toMatchObject([{ batch: { digest }, approvedBy: [] }]);
  await expect(payStep(restored)).rejects.toMatchObject({ problem: { code: "DATABASE_BEHIND_ANCHOR" } });
  await restored.close();
  expect(arrived("createPayoutV2")).toBe(2);
});

testWithFile("for which its own disk has no room says so, and not that the database has none", async () => {
  const { folder, workplace, environment } = await openSite();
  await submitFile(workplace, payoutsIn(folder), "alice");
  const path = join(temporaryFolder(), "copy.sqlite");
  const variables = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined),
  );
  // The system limits files to 100 KiB.
  const limited = ["sh", "-c", 'ulimit -f 200; exec "$@"', "sh"];
  const ended = await endOf(startPaydrop(folder, ["backup", path, "--json"], variables, limited));
  expect(JSON.parse(ended.stdout)).toMatchObject({ problems: [{ code: "OUTPUT_UNWRITABLE" }] });
  expect(readdirSync(join(path, ".."))).toEqual([]);
});

testWithFile("is taken of a database of an older version as it is, before an upgrade", async () => {
  const folder = temporaryFolder();
  const databasePath = join(folder, "paydrop.sqlite");
  await openSqliteStore(databasePath).close();
  const version = presentVersion();
  addUpgrade({ layout: "" });
  const path = join(folder, "copy.sqlite");
  await backupStep({ databaseEngine: "sqlite", databasePath }, path);
  const versions = [databasePath, path].map((copied) => {
    const database = new Database(copied, { readonly: true });
    const found = database.pragma("user_version", { simple: true });
    database.close();
    return found;
  });
  expect(versions).toEqual([version, version]);
});
