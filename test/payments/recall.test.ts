/** An unsent payment can be recalled, and then never leaves. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  approveStep,
  createPayoutStep,
  payAgainStep,
  payStep,
  recallStep,
  reopenStep,
  resolveDoubtStep,
  statusOfBatches,
  submitFile,
  type Workplace,
} from "../../src/index.ts";
import { BatchDigest, batchId } from "../../src/model/index.ts";
import { reconcileStep } from "../../src/nights/index.ts";
import { inLane } from "../../src/payments/run/lane.ts";
import { bodyHash, businessFields } from "../../src/payments/sending/creation-body.ts";
import type { FaultScript, ServerOptions } from "../../src/sandbox/index.ts";
import { listAudit } from "../../src/store/audit.ts";
import { listFieldTexts } from "../../src/store/batches.ts";
import { getByReference } from "../../src/store/instructions.ts";
import { paydropInTurn } from "../cli/paydrop-in-turn.ts";
import { SAMPLES } from "../cli/program.ts";
import { errorBody } from "../gateway/odd-service.ts";
import { type Alteration, stopAtEach } from "../site/altered.ts";
import { meanwhile } from "../site/meanwhile.ts";
import { ADDRESS, openSite } from "../site/service.ts";
import { tamper } from "../store/stored-batch.ts";

const LAG_MS = 3_600_000;

const decision = (reference: string) => ({ reference, person: "tess", reason: "paid by card" });

/** Resets the database as if an earlier backup had been restored. */
async function forgetSending({ store, config }: Workplace): Promise<void> {
  for (const table of ["submission", "observation", "payout_name", "observed"])
    await tamper(store, `delete from ${table}`);
  await tamper(store, "update instruction set standing = 'approved', payout_id = null");
  await tamper(store, "delete from audit where seq > (select max(seq) from audit where action = 'approve')");
  await tamper(store, "delete from spent");
  rmSync(`${config.databasePath}.anchor`, { force: true });
}

async function openBatch(options: ServerOptions = {}) {
  const site = await openSite(options);
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

test("names a batch by the beginning of its digest, as long as for an approval", async () => {
  const { workplace, digest } = await openBatch();
  for (const named of [digest.slice(0, 11), digest.slice(-16)])
    await expect(recallStep(workplace, decision(named))).rejects.toMatchObject({
      problem: { code: expect.stringMatching(/_UNKNOWN$/) },
    });
  await recallStep(workplace, decision(digest.slice(0, 16).toUpperCase()));
  expect(await standingsOf(workplace)).toEqual(["3 withdrawn"]);
});

test("does not withdraw a batch that is approved and being sent meanwhile", async () => {
  const { workplace, sandbox, approve } = await openBatch();
  // After she was put on the roster and has signed.
  const late = meanwhile(
    workplace,
    async () => {
      await approve();
      await payStep(workplace);
    },
    3,
  );
  await expect(recallStep(late, decision("B-000001"))).rejects.toMatchObject(
    refusal("only what has not left"),
  );
  expect(await standingsOf(workplace)).toEqual(["3 accepted"]);
  const other = await openBatch();
  const approved = meanwhile(other.workplace, other.approve, 3);
  await expect(recallStep(approved, decision("B-000001"))).rejects.toMatchObject(
    refusal("it was approved meanwhile"),
  );
  expect(await standingsOf(other.workplace)).toEqual(["3 approved"]);
  expect(sandbox.creations()).toHaveLength(3);
});

test("recalls a batch as it was signed: a payment re-opened meanwhile still leaves", async () => {
  const body = errorBody("UNKNOWN_ORDER_CODE");
  const effect = { kind: "answer", statusCode: 400, body, committed: false } as const;
  const { workplace, sandbox, approve } = await openBatch({
    faults: [{ operation: "createPayoutV2", nth: 1, effect }],
  });
  await approve();
  await payStep(workplace);
  const late = meanwhile(workplace, () => reopenStep(workplace, decision("A-1")), 3);
  const recalled = await recallStep(late, decision("B-000001"));
  expect(recalled.map(({ fields }) => fields.reference)).toEqual(["A-2", "A-3"]);
  await payStep(workplace);
  expect(sandbox.creations().map(({ reference }) => reference)).toEqual(["A-1"]);
});

const ALTERATIONS: readonly Alteration[] = [
  {
    what: "a row changed",
    table: "instruction",
    text: "update instruction set fields = replace(fields, '0.02', '0.92') where row = 2",
  },
  {
    what: "a row made unreadable",
    table: "instruction",
    text: "update instruction set fields = replace(fields, '0.02', 'a lot') where row = 2",
  },
  { what: "a row removed", table: "instruction", text: "delete from instruction where row = 2" },
  {
    what: "a row added, below the first number",
    table: "instruction",
    text: `insert into instruction (id, batch_id, row, line, reference, folded_reference, fields, currency, amount, destination, standing, changed_at)
      select '01a2092d-3bae-79b6-a210-44f83785dcff', batch_id, -1, line, 'X-1', 'x-1', replace(fields, 'A-1', 'X-1'), currency, amount,
        destination, standing, changed_at from instruction where row = 1`,
  },
  {
    what: "an approval by somebody who never gave it",
    table: "approval",
    text: "update approval set person = 'mallory'",
  },
  {
    what: "an approval later than it was given",
    table: "approval",
    text: "update approval set decided_at = '2099-01-01T00:00:00.000Z'",
  },
  {
    what: "an approval by the one who submitted it",
    table: "approval",
    text: "update approval set person = 'ann', decided_at = '2020-01-01T00:00:00.000Z'",
  },
  {
    what: "an approval beside one that was given",
    table: "approval",
    text: `insert into approval (batch_id, person, digest, decided_at, approved)
      select batch_id, 'mallory', digest, decided_at, approved from approval`,
  },
];

test("sends nothing if somebody has altered rows or approvals in the database", async () => {
  const { workplace, sandbox, approve } = await openBatch();
  await approve();
  await stopAtEach(workplace, ALTERATIONS);
  expect(sandbox.creations()).toEqual([]);
  expect(await payStep(workplace)).toMatchObject({ accepted: 3 });
});

test.each([
  ["the batch's digest", ["batch"]],
  ["the digests of the batch and its approvals", ["batch", "approval"]],
])("nor is anything sent where he changed %s to fit", async (_, tables) => {
  const { workplace, sandbox, digest, approve } = await openBatch();
  await approve();
  await tamper(
    workplace.store,
    "update instruction set fields = replace(fields, '0.02', '0.92') where row = 2",
  );
  const computed = new BatchDigest();
  const rows = await workplace.store.read(() => listFieldTexts(batchId("B-000001"), 0, 10));
  for (const { row, fields } of rows) computed.addText(row, fields);
  const forged = computed.hex();
  expect(forged).not.toBe(digest);
  for (const table of tables) await tamper(workplace.store, `update ${table} set digest = '${forged}'`);
  await expect(payStep(workplace)).rejects.toMatchObject({ problem: { code: "BATCH_ALTERED" } });
  expect(sandbox.creations()).toEqual([]);
});

test.each([
  ["who submitted it", "update batch set submitted_by = 'zoe'"],
  [
    "its sums, by which the approval rule is chosen",
    `update batch set control_totals = '[["BTC",3,"0.03"]]'`,
  ],
])("a batch of which somebody changed %s sends nothing", async (_, text) => {
  const { workplace, sandbox, approve, digest } = await openBatch();
  await tamper(workplace.store, text);
  // A file that its submitter did not sign takes one person more.
  if (!(await approve()).isReleased) await approveStep(workplace, digest, "carol");
  await expect(payStep(workplace)).rejects.toMatchObject({ problem: { code: "BATCH_ALTERED" } });
  expect(sandbox.creations()).toEqual([]);
});

test("does not send a doubt to another destination, even if its stored hash was altered to fit", async () => {
  const lost: FaultScript = { operation: "createPayoutV2", effect: { kind: "cut-before-read" } };
  const { workplace, sandbox, approve } = await openBatch({ faults: [lost] });
  await approve();
  await payStep(workplace);
  sandbox.setFaults([]);
  const other = ADDRESS.replace("bc1q", "bc1p");
  await tamper(
    workplace.store,
    `update instruction set fields = replace(fields, '${ADDRESS}', '${other}') where reference = 'A-1'`,
  );
  const read = await workplace.store.read(() => getByReference("A-1"));
  const creation = { operation: "createPayoutV2", authorize: false } as const;
  const forged = bodyHash(businessFields(read, creation));
  await tamper(
    workplace.store,
    `update submission set body_hash = '${forged}' where instruction_id = '${read.id}'`,
  );
  const resend = resolveDoubtStep(workplace, decision("A-1"), { by: "resend" });
  await expect(resend).rejects.toMatchObject({ problem: { code: "BATCH_ALTERED" } });
  await expect(payStep(workplace)).rejects.toMatchObject({ problem: { code: "BATCH_ALTERED" } });
  expect(sandbox.creations()).toEqual([]);
});

test("accepts no digits with which two digests begin", async () => {
  const { workplace, digest } = await openBatch();
  await submitFile(workplace, join(SAMPLES, "payouts.csv"), "alice");
  const alike = `${digest.slice(0, 16)}${"0".repeat(48)}`;
  await tamper(workplace.store, `update batch set digest = '${alike}' where id = 'B-000002'`);
  await expect(recallStep(workplace, decision(digest.slice(0, 16)))).rejects.toMatchObject({
    problem: { code: "NAME_AMBIGUOUS" },
  });
});

describe("an approved payment that is recalled", () => {
  test("is never sent, while the others are; the reason is recorded", async () => {
    const { workplace, sandbox, approve } = await openBatch();
    await approve();
    expect(await recallStep(workplace, decision("A-2"))).toMatchObject([
      { standing: "withdrawn", reason: "rejected by tess: paid by card" },
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
    await expect(recallStep(workplace, decision("A-1"))).rejects.toMatchObject(
      refusal("`paydrop payouts void` asks"),
    );
  });

  test("is refused while it may be being sent", async () => {
    const { workplace, approve, openAgain } = await openBatch();
    await approve();
    await inLane(workplace, async () => {
      await expect(recallStep(openAgain(), decision("A-2"))).rejects.toMatchObject({
        problem: { code: "LANE_TAKEN" },
      });
    });
  });

  test("may be of a custody account that is no longer configured", async () => {
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

describe("a recalled payment that was refused and re-opened", () => {
  const refused = (nth: number, committed: boolean): FaultScript => ({
    operation: "createPayoutV2",
    nth,
    effect: { kind: "answer", statusCode: 400, body: errorBody("UNKNOWN_ORDER_CODE"), committed },
  });

  test("can be accepted if the service made it, and blocks paying its earlier one another way before a look", async () => {
    const faults = [refused(1, false), refused(2, true)];
    const { workplace, sandbox } = await openSite({ visibilityLagMs: LAG_MS, faults });
    const cells = { reference: "PAY-1", amount: "0.001", destinationAddress: ADDRESS };
    await createPayoutStep(workplace, { cells, submittedBy: "ann", approvedBy: ["ben"] });
    const again = (reference: string, newReference: string) =>
      payAgainStep(workplace, { reference, newReference, person: "tess", reason: "put right" });
    const { submitted } = await again("PAY-1", "PAY-2");
    await approveStep(workplace, submitted.digest ?? "", "ben", { acceptRepeats: 1 });
    await payStep(workplace);
    expect(await reopenStep(workplace, decision("PAY-2"))).toMatchObject([{ standing: "approved" }]);
    await expect(resolveDoubtStep(workplace, decision("PAY-2"), { by: "abandon" })).rejects.toMatchObject(
      refusal("it is approved"),
    );
    expect(await recallStep(workplace, decision("PAY-2"))).toMatchObject([
      { standing: "abandoned", reason: "rejected by tess: paid by card" },
    ]);
    expect(await payStep(workplace)).toMatchObject({ due: 0 });
    await expect(again("PAY-1", "PAY-3")).rejects.toThrow("it is paid again as PAY-2");

    sandbox.operator.passTime(LAG_MS + 1000);
    const [made] = sandbox.creations();
    await expect(again("PAY-2", "PAY-3")).rejects.toThrow(`the service shows payout ${made?.payoutId}`);
    const { openBreaks } = await reconcileStep(workplace);
    expect(openBreaks.map(({ sentence }) => sentence).join("\n")).toContain(
      `\`paydrop doubt resolve "PAY-2" --accept ${made?.payoutId} --reason WHY\``,
    );
    const taken = { by: "accept", payoutId: made?.payoutId ?? "" } as const;
    expect(await resolveDoubtStep(workplace, decision("PAY-2"), taken)).toMatchObject({
      standing: "accepted",
    });
  });

  test("is withdrawn if its request never left, which frees the payment that it replaced", async () => {
    const { workplace } = await openSite({ faults: [1, 2, 3].map((nth) => refused(nth, false)) });
    for (const [reference, amount] of [
      ["PAY-0", "0.002"],
      ["PAY-1", "0.001"],
    ] as const) {
      const cells = { reference, amount, destinationAddress: ADDRESS };
      await createPayoutStep(workplace, { cells, submittedBy: "ann", approvedBy: ["ben"] });
    }
    const again = (newReference: string, reference = "PAY-1") =>
      payAgainStep(workplace, { reference, newReference, person: "tess", reason: "put right" });
    await again("PAY-9", "PAY-0");
    const { submitted } = await again("PAY-2");
    await approveStep(workplace, submitted.digest ?? "", "ben", { acceptRepeats: 1 });
    await payStep(workplace);
    // As if no connection could be made.
    const ofIt = "(select id from instruction where reference = 'PAY-2')";
    await tamper(
      workplace.store,
      `update submission set outcome = 'not sent' where instruction_id = ${ofIt}`,
    );
    await tamper(workplace.store, `update instruction set standing = 'approved' where id = ${ofIt}`);
    expect(await recallStep(workplace, decision("PAY-2"))).toMatchObject([{ standing: "withdrawn" }]);
    expect(await again("PAY-3")).toMatchObject({ instruction: { standing: "received" } });
    await expect(again("PAY-8", "PAY-0")).rejects.toMatchObject({ problem: { code: "PAY_AGAIN_REFUSED" } });
  });
});

test("does not send again what a lost database has sent, even if the service changed the reference", async () => {
  const { workplace, sandbox, approve } = await openBatch({ reference: { lowerCased: true } });
  await approve();
  await payStep(workplace);
  await forgetSending(workplace);
  await reconcileStep(workplace);
  expect(await payStep(workplace)).toMatchObject({ due: 3, accepted: 0, held: 3 });
  expect(sandbox.creations()).toHaveLength(3);
});

test("holds a payment that a lost database has sent if its payout was shown", async () => {
  const { workplace, folder, environment, approve } = await openBatch();
  await approve();
  await payStep(workplace);
  await forgetSending(workplace);
  await reconcileStep(workplace);
  const recalled = await paydropInTurn(
    folder,
    ["recall", "A-1", "--by", "tess", "--reason", "it exists already"],
    environment,
  );
  expect(recalled.exitCode).toBe(4);
  expect(recalled.stdout).toMatch(
    /^A-1 is held and not sent: the service has shown payout \S+ for it\n`paydrop doubt` shows/,
  );
  const [, payoutId = ""] = /payout (\S+)/.exec(recalled.stdout) ?? [];
  const taken = { by: "accept", payoutId } as const;
  expect(await resolveDoubtStep(workplace, decision("A-1"), taken)).toMatchObject({ standing: "accepted" });
});

describe("a recalled batch", () => {
  test("that was not approved is withdrawn whole and can no longer be approved", async () => {
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

  test("keeps payments that have left", async () => {
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
