/** A database that is not the newest must not pay: it does not know the payments made since. */
import { copyFileSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createPayoutStep, giveStopOrder, liftStopOrder, payStep, type Workplace } from "../../src/index.ts";
import { Anchor } from "../../src/store/anchor.ts";
import { allocateNonce } from "../../src/store/nonces.ts";
import { restoredDatabase } from "../../src/views/why-nothing-is-sent.ts";
import { ADDRESS, openSite } from "../site/service.ts";
import { tamper, temporaryFolder } from "./stored-batch.ts";

function pay(workplace: Workplace, reference: string) {
  const cells = { reference, amount: `0.001${reference.at(-1)}`, destinationAddress: ADDRESS };
  return createPayoutStep(workplace, { cells, submittedBy: "alice", approvedBy: ["bob"] });
}

const FILES = ["", "-wal", "-shm"];

/** PAY-1 and PAY-2 were paid; then the database is restored to the time before PAY-2. */
async function restored() {
  const site = await openSite();
  const { databasePath } = site.workplace.config;
  await pay(site.workplace, "PAY-1");
  await site.workplace.close();
  copyFileSync(databasePath, `${databasePath}.backup`);
  const second = site.openAgain();
  await pay(second, "PAY-2");
  await second.close();
  for (const file of FILES) rmSync(`${databasePath}${file}`, { force: true });
  copyFileSync(`${databasePath}.backup`, databasePath);
  return site;
}

describe("a database that was restored from a backup", () => {
  test("sends nothing and says what to do, even after other writes, in that process and the next one", async () => {
    const site = await restored();
    const behind = { code: "DATABASE_BEHIND_ANCHOR", message: expect.stringMatching(/last nonce \d{16}/) };
    const first = site.openAgain();
    await giveStopOrder(first, "tess", "looking at it");
    await liftStopOrder(first, "tess", "looked");
    await expect(payStep(first)).rejects.toMatchObject({ problem: behind });
    await first.close();
    const next = site.openAgain();
    await expect(payStep(next)).rejects.toMatchObject({ problem: behind });
    expect(site.sandbox.creations().map(({ reference }) => reference)).toEqual(["PAY-1", "PAY-2"]);

    rmSync(next.config.anchorPath);
    expect((await pay(next, "PAY-3")).instruction?.standing).toBe("accepted");
    expect(new Anchor(next.config.anchorPath).read()).toMatchObject({ lastBatch: "B-000002" });
  });

  test("sends nothing even if it is empty", async () => {
    const site = await openSite();
    await pay(site.workplace, "PAY-1");
    await site.workplace.close();
    for (const file of FILES) rmSync(`${site.workplace.config.databasePath}${file}`, { force: true });
    await expect(payStep(site.openAgain())).rejects.toMatchObject({
      problem: { code: "DATABASE_BEHIND_ANCHOR" },
    });
  });
});

describe("a database that was copied with its anchor", () => {
  /**
   * Copies the files under their own names; the originals stay under other names, as if a cloned machine stayed in use.
   */
  async function copied() {
    const site = await openSite();
    const { databasePath, anchorPath } = site.workplace.config;
    await pay(site.workplace, "PAY-1");
    await site.workplace.close();
    for (const path of [databasePath, anchorPath]) {
      renameSync(path, `${path}.first`);
      copyFileSync(`${path}.first`, path);
    }
    return site;
  }

  test("sends nothing while the original may go on, says so, and never resumes by itself", async () => {
    const site = await copied();
    for (const _process of ["first", "second"]) {
      const copy = site.openAgain();
      await giveStopOrder(copy, "tess", "looking at it");
      await liftStopOrder(copy, "tess", "looked");
      await expect(pay(copy, "PAY-2")).rejects.toMatchObject({ problem: { code: "DATABASE_COPIED" } });
      expect(await restoredDatabase(copy)).toMatchObject({ code: "DATABASE_COPIED" });
      await copy.close();
    }
    expect(site.sandbox.creations().map(({ reference }) => reference)).toEqual(["PAY-1"]);
  });

  test("pays once a person has removed the anchor, in later processes as well", async () => {
    const site = await copied();
    const { anchorPath } = site.workplace.config;
    rmSync(anchorPath);
    const next = site.openAgain();
    expect((await pay(next, "PAY-2")).instruction?.standing).toBe("accepted");
    await next.close();
    const again = site.openAgain();
    expect((await pay(again, "PAY-3")).instruction?.standing).toBe("accepted");
  });

  test("is not one that was moved with its folder", async () => {
    const site = await openSite();
    const { databasePath, anchorPath } = site.workplace.config;
    await pay(site.workplace, "PAY-1");
    await site.workplace.close();
    renameSync(databasePath, `${databasePath}.moved`);
    renameSync(anchorPath, `${databasePath}.moved.anchor`);
    const moved = site.openAgain({ PAYDROP_DATABASE: `sqlite:${databasePath}.moved` });
    expect((await pay(moved, "PAY-2")).instruction?.standing).toBe("accepted");
  });
});

test("a database that continued after its anchor was lost or left behind pays", async () => {
  const site = await openSite();
  await pay(site.workplace, "PAY-1");
  const { anchorPath } = site.workplace.config;
  const early = readFileSync(anchorPath);
  await pay(site.workplace, "PAY-2");
  await site.workplace.close();
  writeFileSync(anchorPath, early);
  const again = site.openAgain();
  expect((await pay(again, "PAY-3")).instruction?.standing).toBe("accepted");
  await again.close();
  rmSync(anchorPath);
  expect((await pay(site.openAgain(), "PAY-4")).instruction?.standing).toBe("accepted");
});

test("a database that has known many keys, each exchanged in its time, pays, and still notices a lost nonce", async () => {
  const { workplace, openAgain } = await openSite();
  const { store, context } = workplace;
  const exchanged = Array.from({ length: 300 }, (_, number) => String(number).padStart(12, "0"));
  for (const keyId of exchanged) await store.write(() => allocateNonce(keyId, context.clock.now(), 0n));
  for (const reference of ["PAY-1", "PAY-2", "PAY-3"]) {
    const next = openAgain();
    expect((await pay(next, reference)).instruction?.standing).toBe("accepted");
    await next.close();
  }
  await tamper(store, "update lane set last_nonce = '1' where key_id not like '0000000%'");
  await expect(pay(openAgain(), "PAY-4")).rejects.toMatchObject({
    problem: { code: "DATABASE_BEHIND_ANCHOR" },
  });
});

describe("the anchor file", () => {
  const point = (auditSeq: number, lastNonces: Readonly<Record<string, string>> = { key: "1" }) => ({
    auditSeq,
    auditHash: "h",
    lastNonces,
    lastBatch: "B-000001",
  });

  test.each([1, 2, 3, 4])(
    "is as far as the last of %i writes between which only nonces have moved",
    (writes) => {
      const path = `${temporaryFolder()}/anchor`;
      const anchor = new Anchor(path);
      for (let write = 1; write <= writes; write += 1) anchor.write(point(7, { key: String(8 + write) }));
      anchor.close();
      expect(new Anchor(path).read()).toEqual(point(7, { key: String(8 + writes) }));
    },
  );

  test("is as far as the further of its slots, for each key separately", () => {
    const path = `${temporaryFolder()}/anchor`;
    const anchor = new Anchor(path);
    anchor.write(point(9, { one: "10", two: "5" }));
    anchor.write({ ...point(7, { one: "9", three: "1" }), lastBatch: "B-000002" });
    anchor.close();
    expect(new Anchor(path).read()).toEqual({
      ...point(9, { one: "10", two: "5", three: "1" }),
      lastBatch: "B-000002",
    });
  });

  test("survives a truncated write: the one before counts", () => {
    const path = `${temporaryFolder()}/anchor`;
    const anchor = new Anchor(path);
    for (const seq of [1, 2, 3]) anchor.write(point(seq));
    anchor.close();
    expect(new Anchor(path).read()).toEqual(point(3));
    const bytes = readFileSync(path);
    bytes.fill("x", 80, 90);
    writeFileSync(path, bytes);
    expect(new Anchor(path).read()).toEqual(point(2));
  });

  test("stops everything if it is unreadable, but not if it is missing", () => {
    const path = `${temporaryFolder()}/anchor`;
    expect(new Anchor(path).read()).toBeUndefined();
    writeFileSync(path, "not an anchor");
    expect(() => new Anchor(path).read()).toThrow("ANCHOR_UNREADABLE");
  });
});
