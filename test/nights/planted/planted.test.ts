/**
 * Every kind of difference is planted at the service, beside cases that only look like one. A night finds exactly
 * the planted ones, each once, for any division into pages. The seed of each run is in its name; new ones are drawn
 * every time. `npm run test:planted` plants among many more payments.
 */
import { randomInt } from "node:crypto";
import { expect, test } from "vitest";
import { reconcileStep, type Workplace } from "../../../src/index.ts";
import { Chance } from "../../simulation/chance.ts";
import { openPlanted } from "./open-planted.ts";
import type { Paging } from "./planted-service.ts";

const PAYMENTS = Number(process.env["PLANTED_PAYMENTS"] ?? 50);
const NIGHTS = Number(process.env["PLANTED_NIGHTS"] ?? 20);
const UNCHANGED_EVERY = 4;

async function night(workplace: Workplace) {
  const { openBreaks, comparedAt, incomplete } = await reconcileStep(workplace);
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

test("twenty nights find what was planted, each once, and nothing that only looks like it", async () => {
  const first = Number(process.env["PLANTED_SEED"] ?? randomInt(2 ** 31));
  const { service, workplace, world } = await openPlanted(new Chance(first), PAYMENTS);
  for (let seed = first; seed < first + NIGHTS; seed += 1) {
    const chance = new Chance(seed);
    const { planted, expected } = world.night(chance);
    const paging = pagingFrom(chance);
    service.show(planted, paging);
    const about = `night ${seed - first} of PLANTED_SEED=${first}, ${JSON.stringify(paging)}`;
    expect((await night(workplace)).found, about).toEqual(expected);
    if (seed % UNCHANGED_EVERY !== 0) continue;
    expect(await night(workplace), `unchanged after ${about}`).toMatchObject({ found: expected, fresh: [] });
  }
});
