/**
 * Every kind of difference is planted at the service, beside cases that only look like one. A night finds exactly
 * the planted ones, each once, for any division into pages. The seed of each run is in its name; new ones are drawn
 * every time. `npm run test:planted` plants among many more payments.
 */
import { randomInt } from "node:crypto";
import { expect, test } from "vitest";
import { reconcileStep, type Workplace } from "../../../src/index.ts";
import { shifted } from "../../../src/model/index.ts";
import { Chance } from "../../simulation/chance.ts";
import { byClock } from "../../site/service.ts";
import { IS_WHOLE } from "../../slice.ts";
import { FEE_LIMIT, openPlanted } from "./open-planted.ts";
import type { Paging } from "./planted-service.ts";

const PAYMENTS = Number(process.env["PLANTED_PAYMENTS"] ?? 50);
const NIGHTS = Number(process.env["PLANTED_NIGHTS"] ?? (IS_WHOLE ? 12 : 2));
const UNCHANGED_EVERY = 4;
/** Between two nights more than `stuckAfterMinutes` pass, and over all of them less than a day. */
const MINUTES = Math.min(40, Math.floor(1_300 / (NIGHTS + 1)));
const SETTINGS = {
  PAYDROP_RECONCILIATION_STUCK_AFTER_MINUTES: "16",
  ...FEE_LIMIT,
};

/** `minutes`: since the payments were made. */
async function night(workplace: Workplace, minutes: number) {
  const at = shifted(workplace.context.clock.now(), minutes * 60_000);
  const here = byClock(workplace, () => at);
  const { openBreaks, comparedAt, incomplete } = await reconcileStep(here, { full: true });
  const found = openBreaks.map(
    ({ kind, payoutId, depositId, custodyAccountId }) =>
      `${kind} ${payoutId ?? depositId ?? custodyAccountId}`,
  );
  const fresh = openBreaks.filter(({ openedAt }) => openedAt === comparedAt).map(({ sentence }) => sentence);
  return { found: found.sort(), fresh, incomplete };
}

function pagingFrom(chance: Chance): Paging {
  return {
    sizeMax: PAYMENTS > 1_000 ? 500 : chance.pick([500, 7, 13]),
    isShuffled: chance.happens(0.5),
    moves: chance.happens(0.3),
    miscount: chance.happens(0.2) ? chance.pick([1, -1, 3]) : 0,
  };
}

test("every night finds what was planted, each once, and nothing that only looks like it", async () => {
  const first = Number(process.env["PLANTED_SEED"] ?? randomInt(2 ** 31));
  const { service, workplace, world } = await openPlanted(new Chance(first), PAYMENTS, SETTINGS, {
    last: true,
  });
  const before = world.honestNight();
  service.show(before.planted, pagingFrom(new Chance(first)));
  expect((await night(workplace, 0)).found, `PLANTED_SEED=${first}`).toEqual(before.expected);
  for (let seed = first; seed < first + NIGHTS; seed += 1) {
    const chance = new Chance(seed);
    const minutes = (1 + seed - first) * MINUTES;
    const { planted, expected } = world.night(chance);
    const paging = pagingFrom(chance);
    service.show(planted, paging);
    const about = `night ${seed - first} of PLANTED_SEED=${first}, ${JSON.stringify(paging)}`;
    expect((await night(workplace, minutes)).found, about).toEqual(expected);
    if (seed % UNCHANGED_EVERY !== 0) continue;
    expect(await night(workplace, minutes + 1), `unchanged after ${about}`).toMatchObject({
      found: expected,
      fresh: [],
    });
  }
});
