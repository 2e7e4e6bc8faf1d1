/** Two people, or two processes, act at the same time. */
import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  approveStep,
  createPayoutStep,
  giveStopOrder,
  intakeStep,
  liftStopOrder,
  payAgainStep,
  payStep,
  reopenStep,
  resolveDoubtStep,
  stopOrder,
  submitFile,
  type Workplace,
} from "../../src/index.ts";
import { writeResults } from "../../src/payments/write-results.ts";
import { listBatches } from "../../src/store/batches.ts";
import { errorBody } from "../gateway/odd-service.ts";
import { newDatabase, query, testWithFile } from "../postgres.ts";
import { NOBODY_ELSE } from "../quiet-seed.ts";
import { beforeItAsks, meanwhile } from "../site/meanwhile.ts";
import { ADDRESS, openSite } from "../site/service.ts";
import { openPlace } from "../site/workplace.ts";

const REFUSED = { kind: "answer", statusCode: 400, body: errorBody("WRONG"), committed: false } as const;

describe("a refused payment and the same one in another file", () => {
  test("are not both paid when one person re-opens it while another approves the file", async () => {
    const { workplace, folder, sandbox, openAgain } = await openSite({
      faults: [{ operation: "createPayoutV2", nth: 1, effect: REFUSED }],
    });
    const cells = { reference: "PAY-1", amount: "0.001", destinationAddress: ADDRESS };
    await createPayoutStep(workplace, { cells, submittedBy: "alice", approvedBy: ["bob"] });
    writeFileSync(join(folder, "again.csv"), `reference,amount,destinationAddress\nPAY-2,0.001,${ADDRESS}\n`);
    const { digest = "" } = await submitFile(workplace, join(folder, "again.csv"), "alice");
    const decision = { reference: "PAY-1", reason: "the account is open again", person: "carol" };
    const reopening = () =>
      expect(reopenStep(workplace, decision)).rejects.toThrow("since as PAY-2, which is received");
    await approveStep(meanwhile(openAgain(), reopening), digest, "bob");
    await payStep(workplace);
    expect(sandbox.creations().map(({ reference }) => reference)).toEqual(["PAY-2"]);
  });
});

const BESIDE = {
  key: "new-key",
  secret: "new-signing-secret-0002",
  users: [{ username: "new-bot", otpSecret: "KRSXG5CTMVRXEZLUKRSXG5CTMVRXEZLU" }],
};

testWithFile(
  "a payment is not sent again by who still has the old key, once it is abandoned under the new one",
  async () => {
    const { workplace, openAgain, arrived } = await openSite({
      seed: { ...NOBODY_ELSE, clients: [...(NOBODY_ELSE.clients ?? []), BESIDE] },
      faults: [{ operation: "createPayoutV2", nth: 2, effect: { kind: "cut-before-read" } }],
    });
    for (const reference of ["SEEN", "LOST"]) {
      const cells = { reference, amount: `0.00${reference.charCodeAt(0)}`, destinationAddress: ADDRESS };
      await createPayoutStep(workplace, { cells, submittedBy: "alice", approvedBy: ["bob"] });
    }
    const changed = openAgain({ PAYDROP_KEY: BESIDE.key, PAYDROP_SIGNING_SECRET: BESIDE.secret });
    const decision = { reference: "LOST", reason: "the operator has lost it", person: "carol" };
    const abandoning = () =>
      resolveDoubtStep(changed, decision, { by: "abandon", despiteIncompleteLook: true });
    const before = meanwhile(workplace, abandoning, 4);
    await expect(resolveDoubtStep(before, decision, { by: "resend" })).rejects.toThrow("is not in doubt");
    expect(arrived("createPayoutV2")).toBe(2);
  },
);

test("a payment that somebody pays again stays his, where two others have failed to under a reference that is taken", async () => {
  const { workplace, openAgain } = await openSite({
    faults: [{ operation: "createPayoutV2", nth: 1, effect: REFUSED }],
  });
  for (const reference of ["PAY-1", "TAKEN"]) {
    const cells = { reference, amount: `0.00${reference.length}`, destinationAddress: ADDRESS };
    await createPayoutStep(workplace, { cells, submittedBy: "alice", approvedBy: ["bob"] });
  }
  const again = (place: Workplace, newReference: string) =>
    payAgainStep(place, { reference: "PAY-1", newReference, reason: "it is owed", person: "carol" });
  const others = async () => {
    expect(await again(workplace, "TAKEN")).toMatchObject({ submitted: { verdict: "rejected" } });
    expect(await again(workplace, "PAY-1-B")).toMatchObject({ instruction: { standing: "received" } });
  };
  const first = await again(meanwhile(openAgain(), others, 4), "TAKEN");
  expect(first).toMatchObject({ submitted: { verdict: "rejected" } });
  await expect(again(workplace, "PAY-1-C")).rejects.toThrow("it is paid again as PAY-1-B");
});

describe("whoever lifts a stop order", () => {
  test("leaves the one that somebody gives meanwhile, and is told of it", async () => {
    const { workplace, openAgain } = await openSite();
    await giveStopOrder(workplace, "alice", "the month is closed");
    const stopping = () => giveStopOrder(openAgain(), "bob", "a wrong file was approved");
    await expect(liftStopOrder(meanwhile(workplace, stopping), "carol", "closed")).rejects.toMatchObject({
      problem: { code: "STOP_ORDER_CHANGED", message: expect.stringContaining("a wrong file was approved") },
    });
    expect(await stopOrder(workplace)).toMatchObject({ reason: expect.stringContaining("a wrong file") });
    expect(await liftStopOrder(workplace, "carol", "looked")).toBeDefined();
    expect(await stopOrder(workplace)).toBeUndefined();
  });

  test("of machines that share a database is shown that of all and that of this one", async () => {
    const url = await newDatabase();
    const { workplace } = openPlace({ PAYDROP_DATABASE: "postgresql", DATABASE_URL: url });
    await giveStopOrder(workplace, "alice", "a wrong file was approved");
    writeFileSync(`${workplace.config.databasePath}.stop`, "new disk");
    expect(await liftStopOrder(workplace, "bob", "the disk is in")).toMatchObject({
      reason: expect.stringMatching(/new disk.*a wrong file was approved/),
    });
    expect(await stopOrder(workplace)).toBeUndefined();
  });

  test("leaves the one that is given because the database has moved to another server since", async () => {
    const url = await newDatabase();
    const { openAgain } = await openSite({}, { PAYDROP_DATABASE: "postgresql", DATABASE_URL: url });
    await giveStopOrder(openAgain(), "alice", "maintenance");
    await query(url, "update paydrop.server set id = replace(id, '/', '/F')");
    const there = openAgain();
    await expect(liftStopOrder(there, "bob", "all is done")).rejects.toMatchObject({
      problem: { code: "STOP_ORDER_CHANGED", message: expect.stringContaining("may lack what was stored") },
    });
    expect(await liftStopOrder(there, "bob", "looked")).toBeDefined();
    expect(await stopOrder(there)).toBeUndefined();
  });
});

test("a file that somebody saves anew while it is submitted is taken in as it was copied: checked, answered and paid alike", async () => {
  const { workplace, folder } = await openSite();
  const path = join(folder, "saved.csv");
  const save = async (amount: string) =>
    writeFileSync(path, `reference,amount,destinationAddress\nPAY-1,${amount},${ADDRESS}\n`);
  await save("0.001");
  const saving = beforeItAsks(workplace, "from batch where digest", () => save("0.002"));
  const { answers } = await submitFile(saving, path, "alice");
  const [batch] = await workplace.store.read(() => listBatches());
  expect(batch?.controlTotals.map(({ amount }) => `${amount.normalized()}`)).toEqual(["0.001"]);
  for (const kept of [batch?.archivedAs, answers[0]])
    expect(readFileSync(kept ?? "", "utf8")).toContain("PAY-1,0.001,");
  expect(await submitFile(workplace, path, "alice")).toMatchObject({
    verdict: "rejected",
    problems: [{ code: "REFERENCE_USED" }],
  });
});

test("a totals file that comes with another file of the same name is not taken for the one that was claimed before", async () => {
  const { workplace, folder } = openPlace({ PAYDROP_FILES_QUIET_SECONDS: "0" });
  const payouts = (reference: string) =>
    `reference,amount,destinationAddress\n${reference},0.001,${ADDRESS}\n`;
  for (const name of ["inbox", "work"]) mkdirSync(join(folder, name));
  // The file that a run leaves if it could not take it in.
  writeFileSync(join(folder, "work", `${randomUUID()}-payroll.csv`), payouts("NOVEMBER"));
  await whenTimePasses(folder);
  writeFileSync(join(folder, "inbox", "payroll.totals.csv"), "Rows: 1\nTotal BTC: 0.002\n");
  const taken = await intakeStep(workplace);
  expect(taken.files).toMatchObject([{ verdict: "accepted" }]);
  expect(taken.waiting).toMatchObject([{ file: "payroll.totals.csv" }]);
  writeFileSync(join(folder, "inbox", "payroll.csv"), payouts("DECEMBER"));
  const { files } = await intakeStep(workplace);
  expect(files).toMatchObject([{ verdict: "rejected", problems: [{ code: "TOTALS_FILE_DIFFERS" }] }]);
});

test("a machine that stood still in the middle of a result file does not write over that of the one that took over", async () => {
  const url = await newDatabase();
  const { workplace, folder } = await openSite({}, { PAYDROP_DATABASE: "postgresql", DATABASE_URL: url });
  const cells = { reference: "PAY-1", amount: "0.001", destinationAddress: ADDRESS };
  await createPayoutStep(workplace, { cells, submittedBy: "alice", approvedBy: ["bob"] });
  const path = join(folder, "outbox", "PAY-1.results.csv");
  const takenOver = beforeItAsks(workplace, "from instruction where batch_id", async () => {
    await query(url, "update paydrop.lease set epoch = epoch + 1 where key_id = 'results'");
    writeFileSync(path, "newer");
  });
  await expect(writeResults(takenOver)).rejects.toMatchObject({ problem: { code: "LANE_LOST" } });
  expect(readFileSync(path, "utf8")).toBe("newer");
});

/** The disk's clock advances in steps of some milliseconds. */
async function whenTimePasses(folder: string): Promise<void> {
  const path = join(folder, "clock");
  const now = () => {
    writeFileSync(path, "");
    return statSync(path).ctimeMs;
  };
  const began = now();
  await expect.poll(now, { interval: 1 }).toBeGreaterThan(began);
}
