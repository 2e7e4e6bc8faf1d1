/**
 * Every kind of difference is planted at the service, beside what only looks like one: a night finds exactly what was planted,
 * each once, however the pages are cut. The seed of each run is in its name; new ones are drawn every time.
 */
import { randomInt } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  approveStep,
  baselineStep,
  payStep,
  reconcileStep,
  submitFile,
  trackStep,
  type Workplace,
} from "../../../src/index.ts";
import { Decimal } from "../../../src/money/index.ts";
import { listSightingsAfter } from "../../../src/store/observed.ts";
import { SANDBOX_SECRETS } from "../../cli/program.ts";
import { ADDRESS } from "../../pipeline/service.ts";
import { openPlace } from "../../pipeline/workplace.ts";
import { Chance } from "../../simulation/chance.ts";
import { PlantedWorld } from "./generator.ts";
import { type Element, type Paging, startPlantedService } from "./planted-service.ts";

const PAYMENTS = 40;
const NIGHTS = 20;
const UNCHANGED_EVERY = 4;

/** All payments have been made and have arrived, after a baseline. */
async function openWith(chance: Chance) {
  const service = await startPlantedService(chance);
  const { workplace, folder } = openPlace({ ...SANDBOX_SECRETS, PAYDROP_SERVICE_BASE_URL: service.url });
  const { openings } = await baselineStep(workplace, "ann");
  const file = join(folder, "payments.csv");
  const rows = Array.from(
    { length: PAYMENTS },
    (_, row) =>
      `R-${row},0.${String(chance.between(10_000, 999_999)).padStart(8, "0")},${ADDRESS},6200,NORMAL`,
  );
  writeFileSync(
    file,
    `reference,amount,destinationAddress,generalLedgerName,feePolicy\n${rows.join("\n")}\n`,
  );
  const { digest = "" } = await submitFile(workplace, file, "ann");
  await approveStep(workplace, digest, "ben");
  await payStep(workplace);
  await expect.poll(async () => (await trackStep(workplace)).open, { timeout: 30_000 }).toBe(0);
  const sightings = await workplace.store.read(() => listSightingsAfter("payout", "", 1_000));
  const payouts = sightings.map(({ raw }) => JSON.parse(raw) as Element);
  const held = openings.map(
    ({ custodyAccountId, total }) => [custodyAccountId as string, inSatoshis(total.value)] as const,
  );
  return { service, workplace, world: new PlantedWorld(payouts, new Map(held)) };
}

function inSatoshis(value: Decimal): bigint {
  return BigInt(value.times(Decimal.of("100000000")).normalized().toString());
}

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
    sizeMax: chance.pick([500, 7, 13]),
    isShuffled: chance.happens(0.5),
    moves: chance.happens(0.3),
    miscount: chance.happens(0.2) ? chance.pick([1, -1, 3]) : 0,
  };
}

test("twenty nights find what was planted, each once, and nothing that only looks like it", async () => {
  const first = Number(process.env["PLANTED_SEED"] ?? randomInt(2 ** 31));
  const { service, workplace, world } = await openWith(new Chance(first));
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
