/** A payment abandoned in doubt is never paid again, and is named if it is submitted again. */
import { describe, expect, test } from "vitest";
import {
  approveStep,
  createPayoutStep,
  listDoubts,
  payAgainStep,
  payStep,
  resolveDoubtStep,
  type Workplace,
} from "../../src/index.ts";
import { reconcileStep } from "../../src/nights/index.ts";
import type { FaultEffect, ServerOptions } from "../../src/sandbox/index.ts";
import { findByReference } from "../../src/store/instructions.ts";
import { ADDRESS, openSite } from "../site/service.ts";
import { tamper } from "../store/stored-batch.ts";

const REQUEST = { reference: "PAY-1", newReference: "PAY-1-B", reason: "it never came", person: "tess" };
const INCREASING = { PAYDROP_NONCE_RULE: "increasing" };
const HOUR_MS = 3_600_000;

function ask(workplace: Workplace, reference: string, approvedBy: readonly string[] = ["bob"]) {
  const cells = { reference, amount: `0.001${reference.at(4)}`, destinationAddress: ADDRESS };
  return createPayoutStep(workplace, { cells, submittedBy: "alice", approvedBy });
}

/** PAY-1 is lost under an unknown nonce rule, PAY-2 overtakes it, and the service requires rising nonces. */
async function overtaken(effect: FaultEffect = { kind: "cut-before-read" }, options: ServerOptions = {}) {
  const faults = [{ operation: "createPayoutV2", nth: 1, effect }];
  const site = await openSite(
    { ...options, faults, nonce: { rule: "increasing" } },
    { PAYDROP_NONCE_RULE: "unknown" },
  );
  await ask(site.workplace, "PAY-1");
  await ask(site.workplace, "PAY-2");
  const decide = (by: "resend" | "abandon") =>
    resolveDoubtStep(site.workplace, { reference: "PAY-1", person: "tess", reason: "checked" }, { by });
  return { ...site, decide };
}

/** Moves everything sent this far into the past. */
function makeOlder({ store }: Workplace, durationMs: number): Promise<number> {
  return tamper(store, `update submission set ended_monotonic_ms = ended_monotonic_ms - ${durationMs}`);
}

describe("a doubt whose nonce was overtaken", () => {
  test("is shown with what a second send and giving up lead to", async () => {
    const { workplace, decide } = await overtaken();
    const [doubt] = (await listDoubts(workplace)).payments;
    expect(doubt?.choices.map(({ consequence }) => consequence)).toEqual([
      expect.any(String),
      expect.stringMatching(/a higher nonce has left since: a service that wants rising nonces refuses it/),
      expect.stringMatching(/nothing is sent again.* submit it again in another file, under a new reference/),
    ]);
    expect(await decide("resend")).toMatchObject({ standing: "in doubt" });
    expect(await decide("abandon")).toMatchObject({ standing: "abandoned" });
  });

  test.each([
    ["never arrived", {}, 0],
    ["does not show yet", { visibilityLagMs: 20 * HOUR_MS }, 1],
  ] as const)(
    "is not paid again once it is given up, whether its request never arrived or its payout does not show yet (%s)",
    async (_what, options, hidden) => {
      const effect: FaultEffect = { kind: hidden === 1 ? "cut-after-commit" : "cut-before-read" };
      const { workplace, openAgain, decide, sandbox } = await overtaken(effect, options);
      await decide("abandon");
      const stated = openAgain(INCREASING);
      await makeOlder(workplace, 10 * HOUR_MS);
      await expect(payAgainStep(stated, REQUEST)).rejects.toMatchObject({
        problem: {
          code: "PAY_AGAIN_REFUSED",
          message: expect.stringContaining("abandoned in doubt"),
          fix: expect.stringContaining("submit it in another file, under a new reference"),
        },
      });
      expect(await payStep(stated)).toMatchObject({ accepted: 0 });
      const arrived = sandbox.creations().map(({ reference }) => reference);
      expect(arrived).toEqual(hidden === 1 ? ["PAY-1", "PAY-2"] : ["PAY-2"]);
    },
  );
});

test("what was abandoned in doubt is named, however long ago, where the same payment is handed in anew", async () => {
  const { workplace, decide, sandbox } = await overtaken(
    { kind: "cut-after-commit" },
    { visibilityLagMs: HOUR_MS },
  );
  await decide("abandon");
  await tamper(workplace.store, "update batch set submitted_at = '2020-01-01T00:00:00.000Z'");
  const { submitted } = await ask(workplace, "PAY-1-B", []);
  expect(submitted.warnings).toContainEqual(
    expect.objectContaining({
      code: "PAYMENT_MADE_BEFORE",
      message: expect.stringContaining("given up (may have been paid)"),
    }),
  );
  const digest = submitted.digest ?? "";
  await expect(approveStep(workplace, digest, "bob")).rejects.toMatchObject({
    problem: { code: "REPEATS_NOT_ACCEPTED" },
  });
  expect(await payStep(workplace)).toMatchObject({ accepted: 0 });

  // Its payout appears in time to be accepted for it.
  sandbox.operator.passTime(2 * HOUR_MS);
  const { breaks } = await reconcileStep(workplace);
  expect(breaks).toContainEqual(expect.objectContaining({ reference: "PAY-1" }));
  const [payoutId] = sandbox.creations().map((creation) => creation.payoutId);
  const decision = { reference: "PAY-1", person: "tess", reason: "it shows" };
  await resolveDoubtStep(workplace, decision, { by: "accept", payoutId: payoutId ?? "" });
  expect((await workplace.store.read(() => findByReference("PAY-1")))?.standing).toBe("accepted");
});

test("where it is handed in anew, accepted as a repeat and sent, and its payout shows after all, the alarm names both", async () => {
  const { workplace, decide, sandbox } = await overtaken(
    { kind: "cut-after-commit" },
    { visibilityLagMs: HOUR_MS },
  );
  await decide("abandon");
  const { submitted } = await ask(workplace, "PAY-1-B", []);
  await approveStep(workplace, submitted.digest ?? "", "bob", { acceptRepeats: 1 });
  expect(await payStep(workplace)).toMatchObject({ accepted: 1 });

  sandbox.operator.passTime(2 * HOUR_MS);
  const { breaks } = await reconcileStep(workplace);
  expect(breaks).toContainEqual(
    expect.objectContaining({
      kind: "against-standing",
      severity: "alarm",
      reference: "PAY-1",
      sentence: expect.stringContaining('destination as "PAY-1-B"'),
    }),
  );
});
