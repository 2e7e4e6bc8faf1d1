/** Mixed-up answers: the payoutId of one payment, or one that does not exist, came back for another payment. */
import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import {
  createPayoutStep,
  payStep,
  resolveDoubtStep,
  statusOf,
  trackStep,
  type Workplace,
} from "../../src/index.ts";
import { type PayoutId, payoutId } from "../../src/model/index.ts";
import { reconcileStep } from "../../src/nights/index.ts";
import type { FaultScript } from "../../src/sandbox/index.ts";
import { listAudit } from "../../src/store/audit.ts";
import { findByReference } from "../../src/store/instructions.ts";
import { ADDRESS, openSite, settled } from "../site/service.ts";
import { tamper } from "../store/stored-batch.ts";

/** Two accepted payments, and the payouts that the service made for them. */
async function twoPaid(secondAmount = "0.002") {
  const site = await openSite();
  const repeats = secondAmount === "0.001" ? 1 : 0;
  for (const [reference, amount, acceptRepeats] of [
    ["PAY-1", "0.001", 0],
    ["PAY-2", secondAmount, repeats],
  ] as const) {
    const cells = { reference, amount, destinationAddress: ADDRESS };
    await createPayoutStep(site.workplace, {
      cells,
      submittedBy: "alice",
      approvedBy: ["bob"],
      acceptRepeats,
    });
  }
  const [one = "", two = ""] = site.sandbox.creations().map(({ payoutId }) => payoutId);
  return { ...site, one: payoutId(one), two: payoutId(two) };
}

/** Changes the database as if the service had answered this. */
async function answered({ store }: Workplace, of: PayoutId, instead: string): Promise<void> {
  for (const table of ["instruction", "submission"])
    await tamper(store, `update ${table} set payout_id = '${instead}' where payout_id = '${of}'`);
}

async function exchange(workplace: Workplace, one: PayoutId, two: PayoutId): Promise<void> {
  await answered(workplace, one, "mixed up");
  await answered(workplace, two, one);
  await answered(workplace, payoutId("mixed up"), two);
}

const accept = (workplace: Workplace, reference: string, id: string) =>
  resolveDoubtStep(
    workplace,
    { reference, person: "tess", reason: "both callbackUrls say so" },
    { by: "accept", payoutId: id },
  );

const refusal = (words: string) => ({
  problem: { code: "DECISION_REFUSED", message: expect.stringContaining(words) },
});

const breaksOfPayments = async (workplace: Workplace) =>
  (await reconcileStep(workplace)).openBreaks.filter(({ reference }) => reference?.startsWith("PAY-"));

const standingOf = async ({ store }: Workplace, reference: string) => {
  const instruction = await store.read(() => findByReference(reference));
  return { standing: instruction?.standing, payoutId: instruction?.payoutId };
};

test.each([
  ["of another amount", "0.002"],
  ["that pays the same to the same payee", "0.001"],
])(
  "neither the sender nor treasury is told the state and transaction of another payment %s as those of a row",
  async (_, amount) => {
    const { workplace, folder, one, two } = await twoPaid(amount);
    await exchange(workplace, one, two);
    await trackStep(workplace);
    const told = `the service gave payout ${two} for it, and shows that as PAY-2, ${amount} BTC`;
    const [payment] = await statusOf(workplace, "PAY-1");
    expect(payment).toMatchObject({ reason: expect.stringContaining(told) });
    expect(payment).not.toHaveProperty("payoutState");
    const results = await readFile(`${folder}/outbox/PAY-1.results.csv`, "utf8");
    expect(results).toContain(`sent,${two},,,,,,,"${told}`);
  },
);

test("two payments that have each other's payout: taking one in as the reconciliation says puts both right, and nothing is sent", async () => {
  const { workplace, arrived, one, two } = await twoPaid();
  await exchange(workplace, one, two);
  await trackStep(workplace);
  const sentences = (await reconcileStep(workplace)).openBreaks.map(({ sentence }) => sentence).join("\n");
  expect(sentences).toContain(`\`paydrop doubt resolve "PAY-1" --accept ${one} --reason WHY\``);

  expect(await accept(workplace, "PAY-1", one)).toMatchObject({ standing: "accepted", payoutId: one });
  const other = await workplace.store.read(() => findByReference("PAY-2"));
  const reason = `payout ${one}, which was answered for it, is that of PAY-1`;
  expect(other).toMatchObject({ standing: "in doubt", reason: expect.stringContaining(reason) });

  const actionsOf = async (reference: string) =>
    (await workplace.store.read(() => listAudit([reference]))).map(({ action }) => action);
  expect(await actionsOf("PAY-1")).toEqual(
    expect.arrayContaining(["accept payout", "payout in doubt", "payout accepted"]),
  );
  expect((await actionsOf("PAY-2")).at(-1)).toBe("payout in doubt");

  await payStep(workplace);
  expect(await standingOf(workplace, "PAY-2")).toEqual({ standing: "accepted", payoutId: two });
  expect(arrived("createPayoutV2")).toBe(2);
  expect(await breaksOfPayments(workplace)).toEqual([]);
  await trackStep(workplace);
  const [payment] = await statusOf(workplace, "PAY-1");
  expect(payment).toMatchObject({ payoutId: one, payoutState: expect.any(String) });
});

test("a payoutId that was damaged on its way is put right, as the reconciliation says, once the payout bears its callbackUrl", async () => {
  const { workplace, sandbox, one } = await twoPaid();
  const damaged = randomUUID();
  await answered(workplace, one, damaged);
  const command = `\`paydrop doubt resolve "PAY-1" --accept ${one} --reason WHY\``;
  const besides = {
    kind: "duplicate-reference",
    reference: "PAY-1",
    sentence: expect.stringMatching(
      new RegExp(
        `exists at the service in addition to payout ${damaged} .* The service does not show the other one. If that one never existed, ${command}`,
      ),
    ),
  };
  // Reported at once, and also when the payout in the answer is missing as well.
  expect(await breaksOfPayments(workplace)).toMatchObject([besides]);
  expect(await breaksOfPayments(settled(workplace))).toMatchObject([{ kind: "missing" }, besides]);
  const effect = { kind: "wrong-echo", field: "callbackUrl", value: "https://elsewhere.example/" } as const;
  sandbox.setFaults([{ operation: "findPayoutFilteredV2", effect }]);
  await expect(accept(workplace, "PAY-1", one)).rejects.toMatchObject(refusal(`with payout ${damaged}`));
  sandbox.setFaults([]);
  expect(await accept(workplace, "PAY-1", one)).toMatchObject({ standing: "accepted", payoutId: one });
  expect(await standingOf(workplace, "PAY-1")).toEqual({ standing: "accepted", payoutId: one });
  expect(await breaksOfPayments(workplace)).toEqual([]);
});

test("a payment that was refused, and for which a person took another's payout, is held once that is taken back", async () => {
  const { workplace, one, two } = await twoPaid();
  const of = (reference: string) => `(select id from instruction where reference = '${reference}')`;
  const { store } = workplace;
  await tamper(store, "update instruction set payout_id = null");
  await tamper(store, `update instruction set payout_id = '${two}' where reference = 'PAY-1'`);
  await tamper(store, `update instruction set standing = 'in doubt' where reference = 'PAY-2'`);
  for (const [reference, outcome] of [
    ["PAY-1", "refused"],
    ["PAY-2", "in doubt"],
  ] as const) {
    const set = `outcome = '${outcome}', payout_id = null`;
    await tamper(store, `update submission set ${set} where instruction_id = ${of(reference)}`);
  }
  await accept(workplace, "PAY-2", two);
  expect(await standingOf(workplace, "PAY-1")).toEqual({ standing: "held", payoutId: undefined });
  await payStep(workplace);
  expect(await accept(workplace, "PAY-1", one)).toMatchObject({ standing: "accepted", payoutId: one });
  expect(await breaksOfPayments(workplace)).toEqual([]);
});

test("a payment keeps the payout that the service shows as its own, and takes none that is another's", async () => {
  const { workplace, one, two } = await twoPaid();
  for (const id of [one, two])
    await expect(accept(workplace, "PAY-1", id)).rejects.toMatchObject({
      problem: { code: "DECISION_REFUSED" },
    });
  expect(await standingOf(workplace, "PAY-1")).toEqual({ standing: "accepted", payoutId: one });
  expect(await standingOf(workplace, "PAY-2")).toEqual({ standing: "accepted", payoutId: two });
});

test.each([
  ["its own", {}],
  ["its own by its callbackUrl", { reference: { lowerCased: true } }],
])(
  "a payment that the service made twice keeps the payout that it was answered, which shows as %s",
  async (_, options) => {
    const faults: FaultScript[] = [{ operation: "createPayoutV2", nth: 1, effect: { kind: "duplicate" } }];
    const { workplace, sandbox } = await openSite({ ...options, faults });
    const cells = { reference: "PAY-1", amount: "0.001", destinationAddress: ADDRESS };
    await createPayoutStep(workplace, { cells, submittedBy: "alice", approvedBy: ["bob"] });
    const accepted = await standingOf(workplace, "PAY-1");
    const other = sandbox.creations().find(({ payoutId: id }) => id !== accepted.payoutId)?.payoutId ?? "";
    await expect(accept(workplace, "PAY-1", other)).rejects.toMatchObject({
      problem: {
        code: "DECISION_REFUSED",
        message: expect.stringContaining(`with payout ${accepted.payoutId}`),
      },
    });
    expect(await standingOf(workplace, "PAY-1")).toEqual(accepted);
  },
);

test("a payout is not taken back from a payment that is paid again, which might leave once more as a doubt", async () => {
  const { workplace, one, two } = await twoPaid();
  await exchange(workplace, one, two);
  const paidAgain = `insert into again (earlier_id, reference, reason, person, at)
    select id, 'PAY-3', 'failed', 'tess', changed_at from instruction where reference = 'PAY-2'`;
  await tamper(workplace.store, paidAgain);
  await expect(accept(workplace, "PAY-1", one)).rejects.toMatchObject(refusal("belongs to PAY-2"));
  expect(await standingOf(workplace, "PAY-2")).toEqual({ standing: "accepted", payoutId: one });
});
