/**
 * Decisions of a person about a payment: which are possible, which are refused because the service contradicts
 * them, and what is recorded.
 */
import { readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  approveStep,
  createPayoutStep,
  explainStep,
  giveStopOrder,
  liftStopOrder,
  listDoubts,
  overviewOf,
  payAgainStep,
  payStep,
  recallStep,
  reopenStep,
  resolveDoubtStep,
  statusOfBatches,
  submitFile,
  trackStep,
  type Workplace,
} from "../../src/index.ts";
import type { Instruction } from "../../src/model/index.ts";
import { reconcileStep } from "../../src/nights/index.ts";
import type { FaultEffect, ServerOptions } from "../../src/sandbox/index.ts";
import { verifyAudit } from "../../src/store/audit.ts";
import { findByReference } from "../../src/store/instructions.ts";
import { errorBody } from "../gateway/odd-service.ts";
import { testWithFile } from "../postgres.ts";
import { ADDRESS, openSite } from "../site/service.ts";
import { tamper } from "../store/stored-batch.ts";

const LOST: FaultEffect = { kind: "cut-before-read" };
const REFUSED: FaultEffect = {
  kind: "answer",
  statusCode: 400,
  body: errorBody("INVALID_ONE_TIME_CODE"),
  committed: false,
};
const HIDDEN: ServerOptions = { visibilityLagMs: 3_600_000 };

const firstCreation = (effect: FaultEffect) => [{ operation: "createPayoutV2", nth: 1, effect }];
const decision = (reference: string) => ({
  reference,
  person: "tess",
  reason: "asked the service's operator",
});

function ask(workplace: Workplace, reference: string, more: Record<string, string> = {}) {
  const cells = { reference, amount: "0.001", destinationAddress: ADDRESS, ...more };
  return createPayoutStep(workplace, { cells, submittedBy: "alice", approvedBy: ["bob"] });
}

async function standing(
  { store }: Workplace,
  reference: string,
): Promise<Instruction["standing"] | undefined> {
  return (await store.read(() => findByReference(reference)))?.standing;
}

/** A payment in doubt: its request was lost, or its payout exists but is not shown. */
async function doubted(effect: FaultEffect, options: ServerOptions = {}) {
  const site = await openSite({ faults: firstCreation(effect), ...options });
  await ask(site.workplace, "PAY-1");
  expect(await standing(site.workplace, "PAY-1")).toBe("in doubt");
  return site;
}

describe("a doubt", () => {
  test("is listed with what was sent, what looks showed, and every choice", async () => {
    const { workplace } = await doubted(LOST);
    const { payments } = await listDoubts(workplace);
    expect(payments).toMatchObject([
      {
        instruction: { standing: "in doubt" },
        submission: { operation: "createPayoutV2", sends: 1, evidence: expect.stringMatching(/^no answer/) },
        looks: [{ saw: expect.stringContaining("not found"), times: 1 }],
        choices: [{ option: "--accept PAYOUT_ID" }, { option: "--resend" }, { option: "--abandon" }],
      },
    ]);
  });

  test("that a person sends again keeps its nonce and is paid once", async () => {
    const { workplace, sandbox, arrived } = await doubted(LOST);
    const [before] = (await listDoubts(workplace)).payments;
    const after = await resolveDoubtStep(workplace, decision("PAY-1"), { by: "resend" });
    expect(after.standing).toBe("accepted");
    expect(sandbox.creations()).toMatchObject([{ reference: "PAY-1", nonce: before?.submission?.nonce }]);
    await payStep(workplace);
    expect(arrived("createPayoutV2")).toBe(2);
  });

  test("that the service shows by now is neither sent again nor abandoned", async () => {
    const { workplace, sandbox, arrived } = await doubted({ kind: "cut-after-commit" }, HIDDEN);
    sandbox.operator.passTime(3_700_000);
    for (const by of ["resend", "abandon"] as const) {
      await expect(resolveDoubtStep(workplace, decision("PAY-1"), { by })).rejects.toMatchObject({
        problem: { code: "DECISION_REFUSED", message: expect.stringContaining("the service shows") },
      });
    }
    expect(arrived("createPayoutV2")).toBe(1);
    const payoutId = sandbox.creations()[0]?.payoutId ?? "";
    const after = await resolveDoubtStep(workplace, decision("PAY-1"), { by: "accept", payoutId });
    expect(after).toMatchObject({ standing: "accepted", payoutId });
  });

  test("whose approval has ended is sent again only after a new approval", async () => {
    const { workplace, sandbox } = await openSite({ faults: firstCreation(LOST) });
    const { submitted } = await ask(workplace, "PAY-1");
    await tamper(workplace.store, "update approval set decided_at = '2020-01-01T00:00:00.000Z'");
    const resend = () => resolveDoubtStep(workplace, decision("PAY-1"), { by: "resend" });
    await expect(resend()).rejects.toMatchObject({
      problem: { code: "APPROVAL_UNFIT", fix: expect.stringContaining("Approve it again") },
    });
    await approveStep(workplace, submitted.digest ?? "", "bob");
    expect(await resend()).toMatchObject({ standing: "accepted" });
    expect(sandbox.creations()).toHaveLength(1);
  });

  test("is not sent again after a look at a stale copy, which lacks the latest payout too", async () => {
    const { workplace, sandbox, arrived } = await openSite();
    await ask(workplace, "PAY-0", { amount: "0.002" });
    sandbox.setFaults(firstCreation(LOST));
    await ask(workplace, "PAY-1");
    const results = { content: [], totalPages: 0, totalElements: 0, number: 0 };
    const body = JSON.stringify({ filters: {}, results });
    const effect = { kind: "answer", statusCode: 200, body, committed: false } as const;
    sandbox.setFaults([{ operation: "findPayoutFilteredV2", effect }]);
    await expect(resolveDoubtStep(workplace, decision("PAY-1"), { by: "resend" })).rejects.toMatchObject({
      problem: { code: "DECISION_REFUSED", message: expect.stringContaining("incomplete") },
    });
    expect(arrived("createPayoutV2")).toBe(2);
    sandbox.setFaults([]);
    await resolveDoubtStep(workplace, decision("PAY-1"), { by: "resend" });
    expect(sandbox.creations().map(({ reference }) => reference)).toEqual(["PAY-0", "PAY-1"]);
  });

  test("that was abandoned is never sent again; its payout would raise an alarm", async () => {
    const { workplace, sandbox, arrived } = await doubted({ kind: "cut-after-commit" }, HIDDEN);
    await resolveDoubtStep(workplace, decision("PAY-1"), { by: "abandon" });
    expect(await standing(workplace, "PAY-1")).toBe("abandoned");
    await payStep(workplace);
    expect(arrived("createPayoutV2")).toBe(1);
    expect((await listDoubts(workplace)).payments).toEqual([]);
    sandbox.operator.passTime(3_700_000);
    const { openBreaks } = await reconcileStep(workplace);
    expect(openBreaks).toContainEqual(
      expect.objectContaining({ kind: "against-standing", reference: "PAY-1" }),
    );
  });

  test.each<[string, string]>([
    ["another amount", "0.002"],
    ["no payout at all", "0d5d6e8a-0000-4000-8000-000000000001"],
  ])("is not accepted as %s", async (_what, other) => {
    const { workplace } = await doubted(LOST);
    let payoutId = other;
    if (other === "0.002")
      payoutId = (await ask(workplace, "PAY-2", { amount: other })).instruction?.payoutId ?? "";
    await expect(
      resolveDoubtStep(workplace, decision("PAY-1"), { by: "accept", payoutId }),
    ).rejects.toMatchObject({ problem: { code: "DECISION_REFUSED" } });
    expect(await standing(workplace, "PAY-1")).toBe("in doubt");
  });

  test.each(["accept", "resend", "abandon"] as const)("that is none cannot be resolved by %s", async (by) => {
    const { workplace } = await openSite();
    const { instruction } = await ask(workplace, "PAY-1");
    const resolving = by === "accept" ? { by, payoutId: instruction?.payoutId ?? "" } : { by };
    await expect(resolveDoubtStep(workplace, decision("PAY-1"), resolving)).rejects.toMatchObject({
      problem: { code: "DECISION_REFUSED", message: expect.stringContaining("it is accepted") },
    });
  });
});

describe("a refused payment", () => {
  test("that a person re-opens leaves with a new nonce, and counts once against the day's limit", async () => {
    const { workplace, sandbox } = await openSite(
      { faults: firstCreation(REFUSED) },
      { PAYDROP_LIMITS_PER_DAY: `{ BTC: "0.001" }` },
    );
    await ask(workplace, "PAY-1");
    expect(await standing(workplace, "PAY-1")).toBe("refused");
    await reopenStep(workplace, decision("PAY-1"));
    expect(await payStep(workplace)).toMatchObject({ accepted: 1 });
    expect(sandbox.creations().map(({ reference }) => reference)).toEqual(["PAY-1"]);
  });

  test("is re-opened with its batch, but not if it is paid again", async () => {
    const refusals = [1, 2, 3].map((nth) => ({ operation: "createPayoutV2", nth, effect: REFUSED }));
    const { workplace, folder, sandbox } = await openSite({ faults: refusals });
    const rows = ["A-1", "A-2", "A-3"].map((reference, row) => `${reference},0.00${row + 4},${ADDRESS},Ana`);
    writeFileSync(
      join(folder, "three.csv"),
      ["reference,amount,destinationAddress,customerId", ...rows].join("\n"),
    );
    const { digest = "", batchId = "" } = await submitFile(workplace, join(folder, "three.csv"), "alice");
    await approveStep(workplace, digest, "bob");
    for (let run = 0; run < 3; run += 1) await payStep(workplace);
    expect(sandbox.creations()).toEqual([]);
    const request = { reference: "A-2", newReference: "A-2-B", reason: "wrong order code", person: "tess" };
    await payAgainStep(workplace, request);
    const reopened = await reopenStep(workplace, decision(batchId));
    expect(reopened.map(({ fields }) => fields.reference)).toEqual(["A-1", "A-3"]);
    expect(await payStep(workplace)).toMatchObject({ accepted: 2 });
    await expect(reopenStep(workplace, decision(batchId))).rejects.toMatchObject({
      problem: { code: "DECISION_REFUSED", message: expect.stringContaining("no payment of this batch") },
    });
  });

  test("is not re-opened, alone or with its batch, if the same was submitted under another reference", async () => {
    const { workplace, sandbox } = await openSite({ faults: firstCreation(REFUSED) });
    const { instruction } = await ask(workplace, "PAY-1");
    await ask(workplace, "PAY-2");
    for (const named of ["PAY-1", instruction?.batchId ?? ""])
      await expect(reopenStep(workplace, decision(named))).rejects.toMatchObject({
        problem: { code: "DECISION_REFUSED" },
      });
    await expect(reopenStep(workplace, decision("PAY-1"))).rejects.toThrow(
      "since as PAY-2, which is accepted",
    );
    const request = { reference: "PAY-1", newReference: "PAY-1-B", reason: "both are owed", person: "tess" };
    expect(await payAgainStep(workplace, request)).toMatchObject({ instruction: { standing: "received" } });
    expect(sandbox.creations().map(({ reference }) => reference)).toEqual(["PAY-2"]);
  });

  test("is not re-opened if the same was abandoned in doubt under another reference", async () => {
    const faults = [REFUSED, LOST].map((effect, at) => ({
      operation: "createPayoutV2",
      nth: at + 1,
      effect,
    }));
    const { workplace } = await openSite({ faults });
    await ask(workplace, "PAY-1");
    await ask(workplace, "PAY-2");
    await resolveDoubtStep(workplace, decision("PAY-2"), { by: "abandon" });
    await expect(reopenStep(workplace, decision("PAY-1"))).rejects.toThrow(
      "since as PAY-2, which is abandoned",
    );
  });

  test("is re-opened if another amount was submitted, or if what was submitted never left", async () => {
    const refusals = [1, 2].map((nth) => ({ operation: "createPayoutV2", nth, effect: REFUSED }));
    const { workplace, sandbox } = await openSite({ faults: refusals });
    await ask(workplace, "PAY-1");
    await ask(workplace, "PAY-2");
    await ask(workplace, "PAY-3", { amount: "0.002" });
    await reopenStep(workplace, decision("PAY-1"));
    expect(await payStep(workplace)).toMatchObject({ accepted: 1 });
    expect(sandbox.creations().map(({ reference }) => reference)).toEqual(["PAY-3", "PAY-1"]);
  });

  test("that the sender replaced by another row is abandoned, recorded, and no longer waits", async () => {
    const { workplace, sandbox } = await openSite({ faults: firstCreation(REFUSED) });
    await ask(workplace, "PAY-1");
    const waits = async () =>
      (await overviewOf(workplace, await statusOfBatches(workplace), await listDoubts(workplace))).refused
        .totals;
    expect(await waits()).toMatchObject([{ count: 1 }]);
    await resolveDoubtStep(workplace, decision("PAY-1"), { by: "abandon" });
    expect(await standing(workplace, "PAY-1")).toBe("abandoned");
    expect(await waits()).toEqual([]);
    expect((await explainStep(workplace, "PAY-1")).lines.map(({ what }) => what).join()).toContain(
      "abandon payout",
    );
    await expect(reopenStep(workplace, decision("PAY-1"))).rejects.toMatchObject({
      problem: { code: "DECISION_REFUSED" },
    });
    const request = {
      reference: "PAY-1",
      newReference: "PAY-1-B",
      reason: "needed after all",
      person: "tess",
    };
    expect(await payAgainStep(workplace, request)).toMatchObject({ instruction: { standing: "received" } });
    expect(sandbox.creations()).toEqual([]);
  });

  test("that is paid again becomes one new payment with its own approval", async () => {
    const { workplace, sandbox } = await openSite({ faults: firstCreation(REFUSED) });
    await ask(workplace, "PAY-1");
    const request = {
      reference: "PAY-1",
      newReference: "PAY-1-B",
      reason: "wrong order code",
      person: "tess",
    };
    const again = await payAgainStep(workplace, request);
    expect(again).toMatchObject({ instruction: { standing: "received" } });
    expect(await payAgainStep(workplace, request)).toMatchObject({ instruction: again.instruction });
    await expect(payAgainStep(workplace, { ...request, newReference: "PAY-1-C" })).rejects.toMatchObject({
      problem: { code: "PAY_AGAIN_REFUSED", message: expect.stringContaining("PAY-1-B") },
    });
    await expect(reopenStep(workplace, decision("PAY-1"))).rejects.toMatchObject({
      problem: { code: "DECISION_REFUSED", message: expect.stringContaining("paid again as PAY-1-B") },
    });
    expect(sandbox.creations()).toEqual([]);
    expect((await explainStep(workplace, "PAY-1")).again).toBe("PAY-1-B");
  });
});

describe("paying again", () => {
  test("under a used reference fails, and another reference may be tried", async () => {
    const { workplace } = await openSite({ faults: firstCreation(REFUSED) });
    await ask(workplace, "PAY-1");
    await ask(workplace, "PAY-2");
    const request = { reference: "PAY-1", newReference: "PAY-2", reason: "wrong order code", person: "tess" };
    expect(await payAgainStep(workplace, request)).toMatchObject({ submitted: { verdict: "rejected" } });
    const again = await payAgainStep(workplace, { ...request, newReference: "PAY-1-B" });
    expect(again).toMatchObject({ instruction: { standing: "received" } });
  });

  test("keeps the earlier payment listed if the process dies before the new one is stored", async () => {
    const { workplace, folder } = await openSite({ faults: firstCreation(REFUSED) });
    await ask(workplace, "PAY-1");
    const request = { reference: "PAY-1", newReference: "PAY-1-B", reason: "wrong code", person: "tess" };
    renameSync(join(folder, "archive"), join(folder, "kept"));
    writeFileSync(join(folder, "archive"), "");
    await expect(payAgainStep(workplace, request)).rejects.toMatchObject({
      problem: { code: "OUTPUT_UNWRITABLE" },
    });
    rmSync(join(folder, "archive"));
    renameSync(join(folder, "kept"), join(folder, "archive"));
    const results = async () => {
      await trackStep(workplace);
      return readFileSync(join(folder, "outbox", "PAY-1.results.csv"), "utf8");
    };
    expect(await results()).toContain("ask treasury before you submit it again");
    const waiting = async () =>
      (await overviewOf(workplace, await statusOfBatches(workplace), await listDoubts(workplace))).refused
        .totals;
    expect(await waiting()).toMatchObject([{ count: 1 }]);
    expect((await explainStep(workplace, "PAY-1")).again).toBeUndefined();
    for (const another of [
      reopenStep(workplace, decision("PAY-1")),
      payAgainStep(workplace, { ...request, newReference: "PAY-1-C" }),
    ])
      await expect(another).rejects.toThrow(
        '`paydrop pay again "PAY-1" --as "PAY-1-B" --reason WHY` goes on',
      );
    expect(await payAgainStep(workplace, request)).toMatchObject({ instruction: { standing: "received" } });
    expect(await waiting()).toEqual([]);
    expect(await results()).toContain("treasury pays it again as PAY-1-B");
  });

  test("may be repeated, or the payment re-opened, after the new one was recalled unsent", async () => {
    const { workplace, sandbox } = await openSite({ faults: firstCreation(REFUSED) });
    await ask(workplace, "PAY-1");
    const again = (newReference: string) =>
      payAgainStep(workplace, {
        reference: "PAY-1",
        newReference,
        reason: "wrong order code",
        person: "tess",
      });
    for (const reference of ["PAY-1-B", "PAY-1-C"]) {
      const { instruction } = await again(reference);
      expect(instruction).toMatchObject({ standing: "received" });
      await recallStep(workplace, decision(instruction?.batchId ?? ""));
    }
    expect((await again("PAY-1-B")).submitted.problems).toMatchObject([{ code: "FILE_ALREADY_KNOWN" }]);
    const { again: paidAs, lines } = await explainStep(workplace, "PAY-1");
    expect(paidAs).toBeUndefined();
    expect(lines.map(({ what }) => what).join("\n")).toContain("pay again taken back: as PAY-1-B");
    await reopenStep(workplace, decision("PAY-1"));
    expect(await payStep(workplace)).toMatchObject({ accepted: 1 });
    expect(sandbox.creations().map(({ reference }) => reference)).toEqual(["PAY-1"]);
  });

  test("is refused for a payment in doubt, on its way, or paid", async () => {
    const { workplace } = await openSite({ stepMs: 3_600_000 });
    await ask(workplace, "PAY-1");
    const request = { reference: "PAY-1", newReference: "PAY-1-B", reason: "impatience", person: "tess" };
    await expect(payAgainStep(workplace, request)).rejects.toMatchObject({
      problem: { code: "PAY_AGAIN_REFUSED" },
    });
    const doubt = await doubted(LOST);
    await expect(payAgainStep(doubt.workplace, request)).rejects.toMatchObject({
      problem: { code: "PAY_AGAIN_REFUSED", message: expect.stringContaining("in doubt") },
    });
  });

  test("is possible if the service shows that the payout failed without leaving", async () => {
    const { workplace } = await openSite();
    await ask(workplace, "PAY-2026-0017"); // the sandbox's seed lets this one fail
    await expect
      .poll(
        async () => {
          await trackStep(workplace);
          return (await explainStep(workplace, "PAY-2026-0017")).payoutState;
        },
        { timeout: 20_000 },
      )
      .toBe("SEND_FAILED");
    const request = {
      reference: "PAY-2026-0017",
      newReference: "PAY-B",
      reason: "it failed",
      person: "tess",
    };
    expect(await payAgainStep(workplace, request)).toMatchObject({ instruction: { standing: "received" } });
  });
});

describe("a stop order", () => {
  test("stops all sending until it is lifted, even if its file was written by hand", async () => {
    const { workplace, sandbox, arrived } = await openSite();
    await giveStopOrder(workplace, "tess", "the treasury is audited");
    await ask(workplace, "PAY-1");
    expect(await payStep(workplace)).toMatchObject({ accepted: 0, stopped: { code: "SENDING_STOPPED" } });
    await liftStopOrder(workplace, "tess", "done");
    writeFileSync(`${workplace.config.databasePath}.stop`, "by hand");
    expect(await payStep(workplace)).toMatchObject({
      due: 1,
      stopped: { message: expect.stringContaining("by hand") },
    });
    expect(arrived("createPayoutV2")).toBe(0);
    expect(arrived("findPayoutFilteredV2")).toBe(0);
    await liftStopOrder(workplace, "tess", "done");
    expect(await payStep(workplace)).toMatchObject({ accepted: 1 });
    expect(sandbox.creations()).toHaveLength(1);
  });

  testWithFile("counts under each name that leads to the database, and is lifted under each", async () => {
    const { workplace, folder, openAgain, arrived } = await openSite();
    symlinkSync(workplace.config.databasePath, join(folder, "link.sqlite"));
    const linked = openAgain({ PAYDROP_DATABASE: "sqlite:link.sqlite" });
    const stopped = (message: string) => ({ stopped: { message: expect.stringContaining(message) } });
    await giveStopOrder(workplace, "tess", "the key has leaked");
    await ask(workplace, "PAY-1");
    expect(await payStep(linked)).toMatchObject(stopped("the key has leaked"));
    await liftStopOrder(linked, "tess", "it was another key");
    await giveStopOrder(linked, "tess", "it was this one");
    writeFileSync(join(folder, "link.sqlite.stop"), "by hand");
    expect(await payStep(linked)).toMatchObject(stopped("it was this one"));
    expect(await payStep(linked)).toMatchObject(stopped("by hand"));
    expect(await payStep(workplace)).toMatchObject(stopped("it was this one"));
    expect(arrived("createPayoutV2")).toBe(0);
    await liftStopOrder(linked, "tess", "a false alarm");
    expect(await payStep(workplace)).toMatchObject({ accepted: 1 });
  });
});

test("a payment's story names every person, send and state, and the record is intact", async () => {
  const { workplace } = await doubted(LOST);
  await resolveDoubtStep(workplace, decision("PAY-1"), { by: "resend" });
  await expect
    .poll(
      async () => {
        await trackStep(workplace);
        return (await explainStep(workplace, "PAY-1")).payoutState;
      },
      { timeout: 20_000 },
    )
    .toBe("COMPLETED");
  const { lines } = await explainStep(workplace, "PAY-1");
  const told = lines.map(({ who, what }) => `${who}: ${what}`).join("\n");
  for (const words of [
    /alice: submitted PAY-1.csv/,
    /bob: approved batch/,
    /paydrop: attempt 1: createPayoutV2 with nonce \d+ .*, sent 2 times/,
    /tess: send payout again: reason asked the service's operator/,
    /the service: shows payout .* COMPLETED/,
  ])
    expect(told).toMatch(words);
  await verifyAudit(workplace.store);
});

describe("a submission that a dead process left under a replaced client key", () => {
  const UNDER_WAY =
    "set outcome = null, ended_at = null, http_status = null, payout_id = null, evidence = null";

  test("can be decided once nobody sends under that key", async () => {
    const { workplace, openAgain } = await doubted(LOST);
    await tamper(workplace.store, `update submission ${UNDER_WAY}`);
    await tamper(workplace.store, "update instruction set standing = 'sending', payout_id = null");
    const rekeyed = openAgain({ PAYDROP_KEY: "another-key" });
    const problem = {
      code: "IDENTITY_CHANGED",
      next: "needs-person",
      fix: expect.stringContaining("paydrop doubt"),
    };
    const changed = { problem };

    const lane = await workplace.store.takeLane(workplace.service().keyId, 0);
    await expect(payStep(rekeyed)).rejects.toMatchObject(changed);
    expect(await standing(rekeyed, "PAY-1")).toBe("sending");
    await lane.release();
    await expect(payStep(rekeyed)).rejects.toMatchObject(changed);
    expect((await listDoubts(rekeyed)).payments).toMatchObject([{ instruction: { standing: "in doubt" } }]);
  });
});
