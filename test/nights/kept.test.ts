/**
 * A night leaves out what agreed before and has not changed. After any history it finds exactly what a comparison of
 * everything at once finds: the same breaks, the same proof to the last digit, the same totals. Posting leaves out what is
 * posted, and posts exactly what deriving everything posts.
 */
import { describe, expect, test } from "vitest";
import { PAYOUTS } from "../../src/observation/index.ts";
import { listWaiting } from "../../src/store/compared.ts";
import { recordSightings } from "../../src/store/observed.ts";
import { parseJson, payout } from "../../src/wire/index.ts";
import { comparedInParts } from "../pipeline/all-at-once.ts";
import { nightsAgree, PAYMENTS, settledSite } from "./history.ts";

describe("after every night of a history", () => {
  test.each(Array.from({ length: 15 }, (_, seed) => seed + 1))("of seed %i", async (seed) => {
    await nightsAgree(seed, (workplace) => workplace);
  });
});

test("what agreed waits for nothing, until it shows something else", async () => {
  const { workplace, swept, payouts } = await settledSite();
  const { store } = workplace;
  const waiting = async () => (await store.read(() => listWaiting("payout", "", 100))).map(({ id }) => id);
  expect(await waiting()).toHaveLength(PAYMENTS);
  await comparedInParts(workplace, swept);
  expect(await waiting()).toEqual([]);
  const [changed] = payouts;
  const raw = JSON.stringify({ ...changed, sentFunds: [] });
  const sighting = PAYOUTS.sightingOf(payout.parse(parseJson(raw)));
  await store.write(() => recordSightings("payout", [{ ...sighting, raw }], swept.begunAt));
  expect(await waiting()).toEqual([changed?.["payoutId"]]);
});
