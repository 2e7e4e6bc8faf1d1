/** Answers that were mixed up on their way: the payoutId of one payment came back for another one. */
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { createPayoutStep } from "../../src/pipeline/create-payout-step.ts";
import { statusOf } from "../../src/pipeline/status.ts";
import { trackStep } from "../../src/pipeline/track-step.ts";
import { tamper } from "../store/stored-batch.ts";
import { ADDRESS, openSite } from "./service.ts";

test("neither the sender nor treasury is told another payment's state and transaction as those of a row", async () => {
  const { workplace, folder, sandbox } = await openSite();
  for (const [reference, amount] of [
    ["PAY-1", "0.001"],
    ["PAY-2", "0.002"],
  ] as const) {
    const cells = { reference, amount, destinationAddress: ADDRESS };
    await createPayoutStep(workplace, { cells, submittedBy: "alice", approvedBy: ["bob"] });
  }
  const [one, two] = sandbox.creations().map(({ payoutId }) => payoutId);
  await tamper(workplace.store, `update instruction set payout_id = 'mixed up' where payout_id = '${one}'`);
  await tamper(workplace.store, `update instruction set payout_id = '${one}' where payout_id = '${two}'`);
  await tamper(workplace.store, `update instruction set payout_id = '${two}' where payout_id = 'mixed up'`);
  await trackStep(workplace);
  const told = `the service gave payout ${two} for it, and shows that as PAY-2, 0.002 BTC`;
  const [payment] = await statusOf(workplace, "PAY-1");
  expect(payment).toMatchObject({ reason: expect.stringContaining(told) });
  expect(payment).not.toHaveProperty("payoutState");
  const results = await readFile(`${folder}/outbox/PAY-1.results.csv`, "utf8");
  expect(results).toContain(`accepted,${two},,,,,,,"${told}`);
});
