/** What has not left can be taken back, and then never leaves. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { approveStep, payStep, statusOfBatches, submitFile, type Workplace } from "../../src/index.ts";
import { recallStep } from "../../src/pipeline/recall-step.ts";
import { inLane } from "../../src/pipeline/sending/lane.ts";
import { listAudit } from "../../src/store/audit.ts";
import { ADDRESS, openSite } from "./service.ts";

const decision = (reference: string) => ({ reference, person: "tess", reason: "paid by card" });

async function openBatch() {
  const site = await openSite();
  const rows = ["A-1", "A-2", "A-3"].map(
    (reference, index) => `${reference},treasury-btc,0.0${index + 1},${ADDRESS}`,
  );
  const file = join(site.folder, "a.csv");
  writeFileSync(file, ["reference,accountId,amount,destinationAddress", ...rows, ""].join("\n"));
  const { digest = "" } = await submitFile(site.workplace, file, "ann");
  return { ...site, digest, approve: () => approveStep(site.workplace, digest, "ben") };
}

const standingsOf = async (workplace: Workplace) =>
  (await statusOfBatches(workplace)).flatMap(({ standings }) =>
    standings.map(({ standing, totals }) => `${totals[0]?.count} ${standing}`),
  );

const refusal = (words: string) => ({
  problem: { code: "DECISION_REFUSED", message: expect.stringContaining(words) },
});

test("a batch is named by the beginning of its digest, as it is approved, and by no shorter one", async () => {
  const { workplace, digest } = await openBatch();
  await expect(recallStep(workplace, decision(digest.slice(0, 11)))).rejects.toMatchObject({
    problem: { code: "BATCH_UNKNOWN" },
  });
  await recallStep(workplace, decision(digest.slice(0, 16).toUpperCase()));
  expect(await standingsOf(workplace)).toEqual(["3 withdrawn"]);
});

describe("an approved payment that is taken back", () => {
  test("is never sent, and the others are; it is on record why", async () => {
    const { workplace, sandbox, approve } = await openBatch();
    await approve();
    expect(await recallStep(workplace, decision("A-2"))).toMatchObject([
      { standing: "withdrawn", reason: "recalled by tess: paid by card" },
    ]);
    expect(await payStep(workplace)).toMatchObject({ due: 2, accepted: 2 });
    expect(sandbox.creations().map(({ reference }) => reference)).toEqual(["A-1", "A-3"]);
    expect((await standingsOf(workplace)).toSorted()).toEqual(["1 withdrawn", "2 accepted"]);
    expect(await workplace.store.read(() => listAudit(["A-2"]))).toContainEqual(
      expect.objectContaining({
        action: "recall payment",
        person: "tess",
        detail: { reason: "paid by card" },
      }),
    );
    await expect(recallStep(workplace, decision("A-2"))).rejects.toMatchObject(refusal("it is withdrawn"));
    await expect(recallStep(workplace, decision("A-1"))).rejects.toMatchObject(refusal("it is accepted"));
  });

  test("is not one that somebody may be sending at this moment", async () => {
    const { workplace, approve, openAgain } = await openBatch();
    await approve();
    await inLane(workplace, async () => {
      await expect(recallStep(openAgain(), decision("A-2"))).rejects.toMatchObject({
        problem: { code: "LANE_TAKEN" },
      });
    });
  });

  test("may be of a custody account that the configuration has no more", async () => {
    const { workplace, approve, openAgain } = await openBatch();
    await approve();
    const id = "6f1cbb7e-0000-4000-8000-000000000002";
    const others = openAgain({
      PAYDROP_CUSTODY_ACCOUNTS: JSON.stringify([{ name: "savings-btc", id, currency: "BTC" }]),
      PAYDROP_FILES_DEFAULTS_CUSTODY_ACCOUNT: "savings-btc",
    });
    expect(await recallStep(others, decision("B-000001"))).toHaveLength(3);
    expect(await standingsOf(workplace)).toEqual(["3 withdrawn"]);
  });
});

describe("a batch that is taken back", () => {
  test("before its approval is approved no more, and is taken back whole", async () => {
    const { workplace, sandbox, approve } = await openBatch();
    await expect(recallStep(workplace, decision("A-2"))).rejects.toMatchObject(
      refusal("B-000001 awaits approval"),
    );
    expect(await recallStep(workplace, decision("B-000001"))).toHaveLength(3);
    await expect(approve()).rejects.toMatchObject({ problem: { code: "APPROVAL_NOT_OPEN" } });
    expect(await payStep(workplace)).toMatchObject({ due: 0 });
    expect(sandbox.creations()).toEqual([]);
    await expect(recallStep(workplace, decision("B-000001"))).rejects.toMatchObject(
      refusal("no payment of this batch"),
    );
  });

  test("keeps what has left", async () => {
    const { workplace, digest, approve } = await openBatch();
    await approve();
    await recallStep(workplace, decision("A-3"));
    await payStep(workplace);
    await expect(recallStep(workplace, decision(digest))).rejects.toMatchObject(
      refusal("no payment of this batch"),
    );
    expect((await standingsOf(workplace)).toSorted()).toEqual(["1 withdrawn", "2 accepted"]);
  });
});
