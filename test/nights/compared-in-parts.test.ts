/** Clearing a payment must not hide another payout that the service shows for it. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { approveStep, payStep, submitFile, trackStep } from "../../src/index.ts";
import { sweepKeys } from "../../src/nights/sweep-keys.ts";
import { getByReference } from "../../src/store/instructions.ts";
import { findPayoutSighting, recordSightings } from "../../src/store/observed.ts";
import { comparedInParts } from "../site/all-at-once.ts";
import { ADDRESS, openSite } from "../site/service.ts";

/** Three payments whose payouts have ended, after a sweep, and a way to show a payout differently. */
async function openEnded() {
  const { workplace, folder } = await openSite();
  const { store } = workplace;
  const file = join(folder, "a.csv");
  const rows = ["A-1,0.01", "A-2,0.02", "A-3,0.03"].map((row) => `${row},${ADDRESS}`);
  writeFileSync(file, ["reference,amount,destinationAddress", ...rows, ""].join("\n"));
  const { digest = "" } = await submitFile(workplace, file, "ann");
  await approveStep(workplace, digest, "ben");
  await payStep(workplace);
  await expect.poll(async () => (await trackStep(workplace)).open).toBe(0);
  const swept = await sweepKeys(workplace);
  const shownOf = async (reference: string) => {
    const { payoutId = "", id } = await store.read(() => getByReference(reference));
    const { raw = "" } = (await store.read(() => findPayoutSighting(payoutId))) ?? {};
    return { payoutId, id, raw };
  };
  const show = (payoutId: string, raw: string) =>
    store.write(() => recordSightings("payout", [{ id: payoutId, state: "COMPLETED", raw }], swept.begunAt));
  return { shownOf, show, breaks: () => comparedInParts(workplace, swept) };
}

test("a second payout that bears a cleared payment's name is its duplicate", async () => {
  const { shownOf, show, breaks } = await openEnded();
  expect((await breaks()).map(({ kind }) => kind)).not.toContain("duplicate-reference");
  const { payoutId, raw } = await shownOf("A-1");
  const second = payoutId.replace(/^......../, "99999999");
  await show(second, raw.replaceAll(payoutId, second));
  expect(await breaks()).toContainEqual(
    expect.objectContaining({ kind: "duplicate-reference", payoutId: second, reference: "A-1" }),
  );
});

test("a payout that bears the callbackUrl of a payment which is cleared with another is mixed up with it", async () => {
  const { shownOf, show, breaks } = await openEnded();
  const [first, third] = [await shownOf("A-1"), await shownOf("A-3")];
  await show(third.payoutId, third.raw.replace(third.id, first.id));
  expect(await breaks()).toContainEqual(
    expect.objectContaining({ kind: "mixed-up", payoutId: third.payoutId, expected: "A-3", found: "A-1" }),
  );
});
