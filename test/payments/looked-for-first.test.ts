/**
 * Paydrop asks the service right before a person's decision to send or abandon takes effect, and the present answer
 * counts more than earlier ones.
 */
import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import {
  approveStep,
  type CreatedPayout,
  createPayoutStep,
  explainStep,
  giveStopOrder,
  listDoubts,
  payAgainStep,
  payStep,
  reopenStep,
  resolveDoubtStep,
  trackStep,
  type Workplace,
} from "../../src/index.ts";
import { reconcileStep } from "../../src/nights/index.ts";
import type { FaultEffect, FaultScript, ServerOptions } from "../../src/sandbox/index.ts";
import { listAudit } from "../../src/store/audit.ts";
import { findByReference } from "../../src/store/instructions.ts";
import { errorBody } from "../gateway/odd-service.ts";
import { NOBODY_ELSE } from "../quiet-seed.ts";
import { ADDRESS, openSite, TREASURY } from "../site/service.ts";
import { tamper } from "../store/stored-batch.ts";

const AGAIN = { reference: "PAY-1", newReference: "PAY-1-B", reason: "wrong order code", person: "tess" };
const LAG_MS = 3_600_000;

const refused = (committed: boolean): FaultEffect => ({
  kind: "answer",
  statusCode: 400,
  body: errorBody("UNKNOWN_ORDER_CODE"),
  committed,
});

const firstCreation = (effect: FaultEffect): FaultScript[] => [
  { operation: "createPayoutV2", nth: 1, effect },
];

const showing = (...content: readonly object[]): FaultScript[] => [
  {
    operation: "findPayoutFilteredV2",
    effect: {
      kind: "answer",
      statusCode: 200,
      body: JSON.stringify({
        results: { content, totalPages: content.length, totalElements: content.length, number: 0 },
      }),
      committed: false,
    },
  },
];

/** A payout with PAY-1's amount and reference, as shown by a service that keeps no callbackUrls. */
const unnamed = (payoutId: string) => ({
  payoutId,
  accountId: TREASURY,
  reference: "PAY-1",
  requestedAmount: { currency: "BTC", amount: 0.0011 },
  destinationAddress: ADDRESS,
  payoutState: "SENDING",
});

/** A service that answers as if it had no payouts. */
const FORGETFUL = showing();

const decision = (reference = "PAY-1") => ({ reference, person: "tess", reason: "asked the operator" });

const notDecided = (code: string, words: string) => ({
  problem: { code, message: expect.stringContaining(words) },
});

function ask(workplace: Workplace, reference: string) {
  const amount = `0.001${reference.at(-1)}`;
  const cells = { reference, amount, destinationAddress: ADDRESS };
  return createPayoutStep(workplace, { cells, submittedBy: "alice", approvedBy: ["bob"] });
}

/** Approves a payment that pays another one again as a repeat, sends it, and returns the result. */
async function sent(workplace: Workplace, { submitted }: CreatedPayout) {
  await approveStep(workplace, submitted.digest ?? "", "bob", { acceptRepeats: 1 });
  return payStep(workplace);
}

async function standing({ store }: Workplace, reference = "PAY-1") {
  return (await store.read(() => findByReference(reference)))?.standing;
}

async function siteWith(effect: FaultEffect, options: ServerOptions = {}) {
  const site = await openSite({ faults: firstCreation(effect), ...options });
  await ask(site.workplace, "PAY-1");
  return site;
}

/** A site whose service refused the first payment, and only now shows that it made it. */
async function siteRefusedYetMade(options: ServerOptions = {}) {
  const site = await siteWith(refused(true), { visibilityLagMs: LAG_MS, ...options });
  site.sandbox.operator.passTime(LAG_MS + 1000);
  return site;
}

async function tracked(workplace: Workplace, reference: string, state: string): Promise<void> {
  const shown = async () => {
    await trackStep(workplace);
    return (await explainStep(workplace, reference)).payoutState;
  };
  await expect.poll(shown, { timeout: 20_000 }).toBe(state);
}

describe("a refused payment", () => {
  test("that the service made after all is held with its payout, not paid again", async () => {
    const { workplace, sandbox } = await siteRefusedYetMade();
    expect(await standing(workplace)).toBe("refused");
    const payoutId = sandbox.creations()[0]?.payoutId ?? "";
    await expect(payAgainStep(workplace, AGAIN)).rejects.toMatchObject(
      notDecided("PAY_AGAIN_REFUSED", `the service has payout ${payoutId}`),
    );
    expect(await standing(workplace, "PAY-1-B")).toBeUndefined();
    expect((await listDoubts(workplace)).payments).toMatchObject([
      { instruction: { standing: "held", reason: expect.stringContaining(payoutId) } },
    ]);
    const { openBreaks } = await reconcileStep(workplace);
    expect(openBreaks).toContainEqual(
      expect.objectContaining({ kind: "against-standing", severity: "alarm", reference: "PAY-1" }),
    );
    // It was sent. A report that it never was would lead a person to pay it by hand.
    await expect(resolveDoubtStep(workplace, decision(), { by: "resend" })).rejects.toMatchObject(
      notDecided("DECISION_REFUSED", `it is held: it was refused, but the service has payout ${payoutId}`),
    );
    const after = await resolveDoubtStep(workplace, decision(), { by: "accept", payoutId });
    expect(after).toMatchObject({ standing: "accepted", payoutId });
  });

  test("is not paid again after a look that does not show its witness", async () => {
    const { workplace, sandbox } = await siteWith(refused(false));
    await ask(workplace, "PAY-2");
    sandbox.setFaults(FORGETFUL);
    await expect(payAgainStep(workplace, AGAIN)).rejects.toMatchObject(
      notDecided("PAY_AGAIN_REFUSED", "of PAY-2 either"),
    );
    sandbox.setFaults([]);
    expect(await payAgainStep(workplace, AGAIN)).toMatchObject({ instruction: { standing: "received" } });
  });

  test("that is paid again without a witness is recorded so; its payout would raise an alarm", async () => {
    const { workplace, sandbox } = await siteWith(refused(true), { visibilityLagMs: LAG_MS });
    await payAgainStep(workplace, AGAIN);
    const { lines } = await explainStep(workplace, "PAY-1");
    expect(lines.map(({ what }) => what).join("\n")).toMatch(/pay again: .* which proves nothing yet/);
    sandbox.operator.passTime(LAG_MS + 1000);
    const { openBreaks } = await reconcileStep(workplace);
    expect(openBreaks).toContainEqual(
      expect.objectContaining({ kind: "against-standing", severity: "alarm", reference: "PAY-1" }),
    );
  });

  test("holds the payment that pays it again if its payout is shown before, even without callbackUrl", async () => {
    const { workplace, sandbox } = await siteWith(refused(true), { visibilityLagMs: LAG_MS });
    const again = await payAgainStep(workplace, AGAIN);
    sandbox.setFaults(showing(unnamed(sandbox.creations()[0]?.payoutId ?? "")));
    expect(await sent(workplace, again)).toMatchObject({ accepted: 0, held: 1 });
    expect(sandbox.creations()).toHaveLength(1);
  });

  test("is not paid again if a sweep has shown its payout under another reference", async () => {
    const { workplace } = await siteWith(refused(true), { reference: { lowerCased: true } });
    await reconcileStep(workplace);
    await expect(payAgainStep(workplace, AGAIN)).rejects.toMatchObject(
      notDecided("PAY_AGAIN_REFUSED", "it was refused, but the service has payout"),
    );
  });
});

describe("a refused payment that an earlier look has shown", () => {
  test("is held instead of re-opened", async () => {
    const { workplace, sandbox } = await siteRefusedYetMade();
    await reconcileStep(workplace);
    sandbox.setFaults(FORGETFUL);
    expect(await reopenStep(workplace, decision())).toMatchObject([
      { standing: "held", reason: expect.stringContaining(sandbox.creations()[0]?.payoutId ?? "") },
    ]);
    await payStep(workplace);
    expect(sandbox.creations()).toHaveLength(1);
  });

  test("is held even if it was re-opened before", async () => {
    const { workplace, sandbox } = await siteRefusedYetMade();
    expect(await reopenStep(workplace, decision())).toMatchObject([{ standing: "approved" }]);
    await reconcileStep(workplace);
    sandbox.setFaults(FORGETFUL);
    expect(await payStep(workplace)).toMatchObject({ held: 1, problems: [{ code: "PAYOUT_HELD" }] });
    expect(sandbox.creations()).toHaveLength(1);
  });
});

describe("a payment whose payout failed", () => {
  test("is not paid again before a second payout for it has failed too", async () => {
    const { workplace, sandbox } = await openSite({ stepMs: 60_000 });
    const reference = "PAY-2026-0017"; // the sandbox's seed lets this one fail
    await ask(workplace, reference);
    sandbox.operator.passTime(3_600_000);
    await tracked(workplace, reference, "SEND_FAILED");
    sandbox.operator.payElsewhere({
      accountId: TREASURY,
      reference,
      amount: "0.0017",
      destinationAddress: ADDRESS,
      afterMs: 0,
    });
    sandbox.operator.passTime(1);
    await expect(payAgainStep(workplace, { ...AGAIN, reference })).rejects.toMatchObject(
      notDecided("PAY_AGAIN_REFUSED", "for it too, which is REQUESTED"),
    );
    sandbox.operator.passTime(3_600_000);
    const { instruction } = await payAgainStep(workplace, { ...AGAIN, reference });
    expect(instruction?.standing).toBe("received");
    expect(await workplace.store.read(() => listAudit([reference]))).toContainEqual(
      expect.objectContaining({
        action: "pay again",
        detail: expect.objectContaining({ look: expect.stringContaining("failed as well") }),
      }),
    );
  });

  test("is not paid again if a second payout for it failed and is no longer shown", async () => {
    const { workplace, sandbox } = await openSite({
      stepMs: 60_000,
      faults: firstCreation({ kind: "duplicate" }),
    });
    const reference = "PAY-2026-0017";
    await ask(workplace, reference);
    sandbox.operator.passTime(3_600_000);
    await tracked(workplace, reference, "SEND_FAILED");
    await reconcileStep(workplace);
    const own = (await workplace.store.read(() => findByReference(reference)))?.payoutId;
    const other = sandbox.creations().find(({ payoutId }) => payoutId !== own)?.payoutId ?? "";
    sandbox.operator.hidePayout(other, undefined);
    await expect(payAgainStep(workplace, { ...AGAIN, reference })).rejects.toMatchObject(
      notDecided(
        "PAY_AGAIN_REFUSED",
        `payout ${other} for it too, which was SEND_FAILED and is no longer shown`,
      ),
    );
  });

  test.each(["SENT", "COMPLETED"])(
    "is not paid again if it was shown %s before, which raises an alarm",
    async (state) => {
      const { workplace, sandbox, folder } = await openSite();
      const effect = { kind: "show-state", state } as const;
      // Set before the payment is made, so that nobody sees it failed first, even on a slow machine.
      sandbox.setFaults([{ operation: "findPayoutFilteredV2", effect }]);
      await ask(workplace, "PAY-2026-0017");
      await trackStep(workplace);
      sandbox.setFaults([]);
      const isFailed = async () =>
        (await reconcileStep(workplace)).openBreaks.find(({ kind }) => kind === "failed");
      await expect.poll(isFailed, { timeout: 20_000 }).toMatchObject({
        severity: "alarm",
        sentence: expect.stringContaining(`was ${state}`),
      });
      await expect(payAgainStep(workplace, { ...AGAIN, reference: "PAY-2026-0017" })).rejects.toMatchObject(
        notDecided("PAY_AGAIN_REFUSED", `was ${state} when it was seen at`),
      );
      await trackStep(workplace);
      const results = await readFile(`${folder}/outbox/PAY-2026-0017.results.csv`, "utf8");
      expect(results).toContain("the payee may have been paid");
    },
  );

  test("is not paid again if a look by its reference does not show the failed payout", async () => {
    const { workplace, sandbox } = await openSite();
    await ask(workplace, "PAY-2026-0017");
    await tracked(workplace, "PAY-2026-0017", "SEND_FAILED");
    const [byReference] = FORGETFUL;
    sandbox.setFaults(byReference === undefined ? [] : [{ ...byReference, nth: 2 }]); // the first one is by id
    await expect(payAgainStep(workplace, { ...AGAIN, reference: "PAY-2026-0017" })).rejects.toMatchObject(
      notDecided("PAY_AGAIN_REFUSED", "does not show its own payout"),
    );
  });
});

describe("an abandoned payment that never left according to our database", () => {
  /** Flushed writes are lost, but the service has the payout. */
  async function forgotten({ store }: Workplace, reference: string): Promise<void> {
    const ofIt = `(select id from instruction where reference = '${reference}')`;
    await tamper(store, `delete from submission where instruction_id = ${ofIt}`);
    await tamper(store, `update instruction set standing = 'abandoned', payout_id = null where id = ${ofIt}`);
    for (const table of ["observation", "payout_name", "observed"])
      await tamper(store, `delete from ${table}`);
  }

  test("is not paid again if the service shows its payout, or the look proves nothing", async () => {
    const { workplace, sandbox } = await openSite();
    for (const reference of ["PAY-1", "PAY-2"]) await ask(workplace, reference);
    await forgotten(workplace, "PAY-1");
    sandbox.setFaults(FORGETFUL);
    await expect(payAgainStep(workplace, AGAIN)).rejects.toMatchObject(
      notDecided("PAY_AGAIN_REFUSED", "whether the service has it is not known"),
    );
    sandbox.setFaults([]);
    const [own] = sandbox.creations();
    await expect(payAgainStep(workplace, AGAIN)).rejects.toMatchObject(
      notDecided("PAY_AGAIN_REFUSED", `the service shows payout ${own?.payoutId} for it, which is`),
    );
    expect(await standing(workplace, "PAY-1-B")).toBeUndefined();
  });

  test("holds the payment that pays it again if its payout is shown before", async () => {
    const { workplace, sandbox } = await siteWith({ kind: "hide", visibilityLagMs: LAG_MS });
    await ask(workplace, "PAY-2");
    await forgotten(workplace, "PAY-1");
    const again = await payAgainStep(workplace, AGAIN);
    const { lines } = await explainStep(workplace, "PAY-1");
    expect(lines.map(({ what }) => what).join("\n")).toMatch(
      /pay again: .*none of its requests has ever left/,
    );
    sandbox.operator.passTime(LAG_MS + 1000);
    expect(await sent(workplace, again)).toMatchObject({ accepted: 0, held: 1 });
    expect(sandbox.creations().map(({ reference }) => reference)).toEqual(["PAY-1", "PAY-2"]);
  });
});

describe("a doubt that a person sends again", () => {
  const LOST: FaultEffect = { kind: "cut-before-read" };

  test("is not sent after a look that proves nothing", async () => {
    const { workplace, sandbox, arrived } = await siteWith(LOST);
    await ask(workplace, "PAY-2");
    sandbox.setFaults(FORGETFUL);
    await expect(resolveDoubtStep(workplace, decision(), { by: "resend" })).rejects.toMatchObject(
      notDecided("DECISION_REFUSED", "the look was incomplete"),
    );
    expect(arrived("createPayoutV2")).toBe(2);
  });

  test("is not sent under a stop order", async () => {
    const { workplace, arrived } = await siteWith(LOST);
    await giveStopOrder(workplace, "ann", "fire");
    await expect(resolveDoubtStep(workplace, decision(), { by: "resend" })).rejects.toMatchObject(
      notDecided("SENDING_STOPPED", "fire"),
    );
    expect(arrived("createPayoutV2")).toBe(1);
    const story = await workplace.store.read(() => listAudit(["PAY-1"]));
    expect(story.map(({ action }) => action)).not.toContain("send payout again");
  });

  test("is not sent after the command was stopped", async () => {
    const { workplace, arrived } = await siteWith(LOST);
    const stopped = AbortSignal.abort();
    await expect(resolveDoubtStep(workplace, decision(), { by: "resend" }, stopped)).rejects.toMatchObject(
      notDecided("DECISION_REFUSED", "stopped"),
    );
    expect(arrived("createPayoutV2")).toBe(1);
  });

  test("is announced as a possible second payment if the service may have forgotten its nonce", async () => {
    const { workplace } = await openSite(
      { faults: firstCreation(LOST) },
      { PAYDROP_NONCE_RULE: "unique", PAYDROP_NONCE_MEMORY_DAYS: "2" },
    );
    await ask(workplace, "PAY-1");
    const told = async () => (await listDoubts(workplace)).payments[0]?.choices[1]?.consequence;
    expect(await told()).toContain(
      "pays it once if it takes each nonce once, as you state, and still remembers",
    );
    const longAgo = new Date(Date.now() - 3 * 86_400_000).toISOString();
    await tamper(workplace.store, `update submission set intended_at = '${longAgo}'`);
    expect(await told()).toMatch(/may have forgotten its nonce, and pays it twice/);
  });

  test("is offered with what a look proves: nothing if none ever found a payout", async () => {
    const { workplace } = await siteWith(LOST);
    const consequences = async () =>
      (await listDoubts(workplace)).payments[0]?.choices.map(({ notes = [] }) => notes.join("; ")).slice(1);
    const isUnwitnessed = expect.stringMatching(/15 min of the settle window.*a look .* proves nothing/);
    expect(await consequences()).toEqual([isUnwitnessed, isUnwitnessed]);
    expect((await listDoubts(workplace)).payments[0]?.looks.at(-1)?.saw).toContain("proves nothing yet");
    await ask(workplace, "PAY-2");
    expect((await consequences())?.join()).not.toContain("proves nothing");
  });
});

describe("a payment that a person abandons", () => {
  test("stays while its payout is on its way", async () => {
    const { workplace, sandbox } = await siteWith(refused(true), { stepMs: 3_600_000 });
    await expect(payAgainStep(workplace, AGAIN)).rejects.toThrow("PAY_AGAIN_REFUSED");
    expect(await standing(workplace)).toBe("held");
    const payoutId = sandbox.creations()[0]?.payoutId ?? "";
    await expect(resolveDoubtStep(workplace, decision(), { by: "abandon" })).rejects.toMatchObject(
      notDecided("DECISION_REFUSED", `the service shows payout ${payoutId} for it, which is`),
    );
  });

  test("goes if the payout under its reference is another's, and can be paid under a new reference", async () => {
    const foreign = {
      accountId: TREASURY,
      reference: "EXT-7731",
      amount: "0.015",
      destinationAddress: ADDRESS,
    };
    const { workplace, sandbox } = await openSite({ seed: { ...NOBODY_ELSE, foreignPayouts: [foreign] } });
    await ask(workplace, "EXT-7731");
    expect(await standing(workplace, "EXT-7731")).toBe("held");
    const [, abandon] = (await listDoubts(workplace)).payments[0]?.choices ?? [];
    expect(abandon?.consequence).toContain("nothing was sent, as far as this database knows");
    const after = await resolveDoubtStep(workplace, decision("EXT-7731"), { by: "abandon" });
    expect(after).toMatchObject({
      standing: "abandoned",
      reason: expect.stringContaining("the service shows"),
    });
    const again = await payAgainStep(workplace, { ...AGAIN, reference: "EXT-7731" });
    expect(await sent(workplace, again)).toMatchObject({ accepted: 1, held: 0 });
    expect(sandbox.creations().map(({ reference }) => reference)).toEqual(["PAY-1-B"]);
  });

  test("is not paid again if another database's payout has paid the same under its reference", async () => {
    const lost = { accountId: TREASURY, reference: "PAY-1", amount: "0.0011", destinationAddress: ADDRESS };
    const { workplace, sandbox } = await openSite({ seed: { ...NOBODY_ELSE, foreignPayouts: [lost] } });
    await ask(workplace, "PAY-1");
    const [held] = (await listDoubts(workplace)).payments;
    const payoutId = /payout (\S+) under/.exec(held?.instruction.reason ?? "")?.[1] ?? "";
    expect(held?.choices[1]?.consequence).toContain(
      "unless the payout that the service shows for it pays the same",
    );
    await resolveDoubtStep(workplace, decision(), { by: "abandon" });
    const told = `\`paydrop doubt resolve "PAY-1" --accept ${payoutId} --reason WHY\` accepts it`;
    await expect(payAgainStep(workplace, AGAIN)).rejects.toMatchObject(notDecided("PAY_AGAIN_REFUSED", told));
    const accepted = await resolveDoubtStep(workplace, decision(), { by: "accept", payoutId });
    expect(accepted).toMatchObject({ standing: "accepted", payoutId });
    expect(sandbox.creations()).toEqual([]);
  });

  test("says, if its payout has failed, to accept that payout before paying again", async () => {
    const faults = firstCreation(refused(true));
    const { workplace, sandbox } = await openSite({ stepMs: 60_000, visibilityLagMs: LAG_MS, faults });
    const reference = "PAY-2026-0017"; // the sandbox's seed lets this one fail
    const again = { ...AGAIN, reference };
    await ask(workplace, reference);
    sandbox.operator.passTime(LAG_MS + 1000);
    await expect(payAgainStep(workplace, again)).rejects.toThrow("`paydrop doubt` shows the choices");
    await resolveDoubtStep(workplace, decision(reference), { by: "abandon" });
    const payoutId = sandbox.creations()[0]?.payoutId ?? "";
    const told = `\`paydrop doubt resolve "${reference}" --accept ${payoutId} --reason WHY\` accepts it`;
    await expect(payAgainStep(workplace, again)).rejects.toMatchObject(notDecided("PAY_AGAIN_REFUSED", told));
    const breaks = (await reconcileStep(workplace)).openBreaks;
    expect(breaks.find(({ kind }) => kind === "failed")?.sentence).toContain(told);
    await resolveDoubtStep(workplace, decision(reference), { by: "accept", payoutId });
    expect(await payAgainStep(workplace, again)).toMatchObject({ instruction: { standing: "received" } });
  });

  test("needs an explicit option after an incomplete look, which is recorded", async () => {
    const { workplace, sandbox } = await siteWith({ kind: "cut-before-read" });
    await ask(workplace, "PAY-2");
    sandbox.setFaults(FORGETFUL);
    await expect(resolveDoubtStep(workplace, decision(), { by: "abandon" })).rejects.toMatchObject(
      notDecided("DECISION_REFUSED", "--despite-incomplete-look"),
    );
    expect(await standing(workplace)).toBe("in doubt");
    const despite = { by: "abandon", despiteIncompleteLook: true } as const;
    const after = await resolveDoubtStep(workplace, decision(), despite);
    expect(after).toMatchObject({
      standing: "abandoned",
      reason: expect.stringMatching(/abandoned by tess: .*the look was incomplete/),
    });
  });

  test("needs an explicit option if the service cannot be asked, which is recorded", async () => {
    const { workplace, sandbox } = await siteWith({ kind: "cut-before-read" });
    const revoked: FaultEffect = { kind: "answer", statusCode: 403, body: "", committed: false };
    sandbox.setFaults([{ operation: "*", effect: revoked }]);
    await expect(resolveDoubtStep(workplace, decision(), { by: "abandon" })).rejects.toThrow("SERVICE_");
    expect(await standing(workplace)).toBe("in doubt");
    const despite = { by: "abandon", despiteIncompleteLook: true } as const;
    expect(await resolveDoubtStep(workplace, decision(), despite)).toMatchObject({
      standing: "abandoned",
      reason: expect.stringMatching(/abandoned by tess: .*not looked for: .*403/),
    });
  });

  test("stays, despite that option, if its payout was shown before", async () => {
    const { workplace, sandbox } = await siteWith(refused(true), { stepMs: 3_600_000 });
    await expect(payAgainStep(workplace, AGAIN)).rejects.toThrow("PAY_AGAIN_REFUSED");
    sandbox.setFaults([{ operation: "*", effect: { kind: "cut-before-read" } }]);
    const despite = { by: "abandon", despiteIncompleteLook: true } as const;
    const payoutId = sandbox.creations()[0]?.payoutId ?? "";
    await expect(resolveDoubtStep(workplace, decision(), despite)).rejects.toMatchObject(
      notDecided("DECISION_REFUSED", `the service shows payout ${payoutId} for it`),
    );
    expect(await standing(workplace)).toBe("held");
  });

  test("can be decided at once after its process was killed during the send", async () => {
    const { workplace } = await siteWith({ kind: "cut-before-read" });
    await tamper(workplace.store, "update submission set outcome = null, ended_at = null");
    await tamper(workplace.store, "update instruction set standing = 'sending'");
    const after = await resolveDoubtStep(workplace, decision(), { by: "resend" });
    expect(after.standing).toBe("accepted");
    await payStep(workplace);
  });
});
