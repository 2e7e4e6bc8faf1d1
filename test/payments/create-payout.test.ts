/** One payout requested by a program that may be plain JavaScript. */
import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { createPayoutStep, statusOfBatches } from "../../src/index.ts";
import { ADDRESS, openSite } from "../site/service.ts";

test("an amount that is a number and no text is refused before anything is stored", async () => {
  const { workplace } = await openSite();
  const amount = (0.1 + 0.2) as unknown as string;
  const cells = { reference: "PAY-1", amount, destinationAddress: ADDRESS };
  const asked = createPayoutStep(workplace, { cells, submittedBy: "ann", approvedBy: ["ben"] });
  await expect(asked).rejects.toThrow(TypeError);
  expect(await statusOfBatches(workplace)).toEqual([]);
  expect(readdirSync(workplace.config.folders.archive)).toEqual([]);
});
