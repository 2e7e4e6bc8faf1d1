/** A payment that was given up while nobody knew: paid again only once its request can no longer arrive. */
import { describe, expect, test } from "vitest";
import { monotonicClockId } from "../../src/context/machine.ts";
import { createPayoutStep } from "../../src/pipeline/create-payout-step.ts";
import { listDoubts, resolveDoubtStep } from "../../src/pipeline/doubt-step.ts";
import { payAgainStep } from "../../src/pipeline/pay-again-step.ts";
import { payStep } from "../../src/pipeline/pay-step.ts";
import type { Workplace } from "../../src/pipeline/workplace/workplace.ts";
import type { FaultEffect, ServerOptions } from "../../src/sandbox/index.ts";
import { tamper } from "../store/stored-batch.ts";
import { ADDRESS, openSite } from "./service.ts";

const REQUEST = { reference: "PAY-1", newReference: "PAY-1-B", reason: "it never came", person: "tess" };
const INCREASING = { PAYDROP_NONCE_RULE: "increasing" };

function ask(workplace: Workplace, reference: string) {
  const cells = { reference, amount: `0.001${reference.at(-1)}`, destinationAddress: ADDRESS };
  return createPayoutStep(workplace, { cells, submittedBy: "alice", approvedBy: ["bob"] });
}

/** PAY-1 is lost under a rule that nobody stated, PAY-2 overtakes it, and the service wants rising nonces. */
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

/** As if everything had been sent so long ago. */
function makeOlder({ store }: Workplace, durationMs: number): Promise<number> {
  return tamper(store, `update submission set ended_monotonic_ms = ended_monotonic_ms - ${durationMs}`);
}

/** As if the lane, on a database that machines share, had been held there last. */
async function lastSentBy({ store }: Workplace, clock: string): Promise<void> {
  const changed = await tamper(store, `update lease set clock = '${clock}'`);
  if (changed === 0)
    await tamper(
      store,
      `insert into lease (key_id, epoch, holder, clock, until_ms, free_ms)
        select key_id, 1, 'pay-2', '${clock}', 0, 0 from submission limit 1`,
    );
}

const refusal = (words: string) => ({
  problem: { code: "PAY_AGAIN_REFUSED", message: expect.stringContaining(words) },
});

describe("an overtaken doubt under a nonce rule that nobody stated", () => {
  test("is shown with what a second send leads to, and what is left to do", async () => {
    const { workplace, decide } = await overtaken();
    const [doubt] = (await listDoubts(workplace)).payments;
    expect(doubt?.choices.map(({ consequence }) => consequence)).toEqual([
      expect.any(String),
      expect.stringMatching(/a higher nonce has left since: a service that wants rising nonces refuses it/),
      expect.stringMatching(/`paydrop pay again` .* set `nonce\.rule: increasing`/),
    ]);
    expect(await decide("resend")).toMatchObject({ standing: "in doubt" });
    expect(await decide("abandon")).toMatchObject({ standing: "abandoned" });
    await expect(payAgainStep(workplace, REQUEST)).rejects.toMatchObject(refusal("`nonce.rule: unknown`"));
  });

  test("is shown as perhaps still on its way where another machine measures for how long", async () => {
    const { workplace } = await overtaken();
    await makeOlder(workplace, 3_600_000);
    const notes = async () =>
      (await listDoubts(workplace)).payments.flatMap(({ choices }) =>
        choices.flatMap((one) => one.notes ?? []),
      );
    const left = expect.stringContaining("of the settle window are left");
    expect(await notes()).not.toContainEqual(left);
    await lastSentBy(workplace, "another machine");
    expect(await notes()).toContainEqual(left);
  });

  test("is paid again, once, when the stated rule and a look prove it dead", async () => {
    const { workplace, openAgain, decide, sandbox } = await overtaken();
    await decide("abandon");
    const stated = openAgain(INCREASING);
    await expect(payAgainStep(stated, REQUEST)).rejects.toMatchObject(refusal("settle window"));
    await makeOlder(workplace, 3_600_000);
    await lastSentBy(workplace, "another machine");
    await expect(payAgainStep(stated, REQUEST)).rejects.toMatchObject(refusal("clock of the machine"));
    await lastSentBy(workplace, monotonicClockId());
    const again = await payAgainStep(stated, REQUEST);
    expect(again).toMatchObject({ instruction: { standing: "received" } });
    await expect(payAgainStep(stated, { ...REQUEST, newReference: "PAY-1-C" })).rejects.toMatchObject(
      refusal("PAY-1-B"),
    );
    expect(sandbox.creations().map(({ reference }) => reference)).toEqual(["PAY-2"]);
  });

  test.each([
    [
      "wide enough that its nonce may still be taken",
      { PAYDROP_NONCE_WINDOW: "9000000000000000" },
      "higher nonce",
    ],
    ["under which nonces need only be new", { PAYDROP_NONCE_RULE: "unique" }, "`nonce.rule: unique`"],
  ])("is not paid again under a rule %s", async (_what, rule, words) => {
    const { workplace, openAgain, decide } = await overtaken();
    await decide("abandon");
    await makeOlder(workplace, 3_600_000);
    await expect(payAgainStep(openAgain({ ...INCREASING, ...rule }), REQUEST)).rejects.toMatchObject(
      refusal(words),
    );
  });

  test("is not paid again where a look says little, or nothing", async () => {
    const { workplace, openAgain, decide, sandbox } = await overtaken();
    await decide("abandon");
    await makeOlder(workplace, 3_600_000);
    const stated = openAgain(INCREASING);
    const { store } = workplace;
    await tamper(store, "update submission set absent_after_ms = 600000 where outcome = 'accepted'");
    await expect(payAgainStep(stated, REQUEST)).rejects.toMatchObject(
      refusal("took longer than 10 min to show"),
    );
    await tamper(store, "update submission set absent_after_ms = null");
    const body = JSON.stringify({ results: { content: [], totalPages: 0, totalElements: 0, number: 0 } });
    const effect = { kind: "answer", statusCode: 200, body, committed: false } as const;
    sandbox.setFaults([{ operation: "findPayoutFilteredV2", effect }]);
    await expect(payAgainStep(stated, REQUEST)).rejects.toMatchObject(
      refusal("the look for it was incomplete"),
    );
    sandbox.setFaults([]);
    await tamper(store, "update submission set key_id = 'an earlier key'");
    await expect(payAgainStep(stated, REQUEST)).rejects.toMatchObject(refusal("another client key"));
  });

  test("is not paid again where the service turns out to have it", async () => {
    const hidden = { visibilityLagMs: 3_600_000 };
    const { workplace, openAgain, decide, sandbox } = await overtaken({ kind: "cut-after-commit" }, hidden);
    await decide("abandon");
    sandbox.operator.passTime(3_700_000);
    const stated = openAgain(INCREASING);
    await payStep(stated);
    await makeOlder(workplace, 3_600_000);
    await expect(payAgainStep(stated, REQUEST)).rejects.toMatchObject(refusal("the service shows payout"));
  });
});
