/** A workplace at a planted service, and the world that is shown there. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import {
  approveStep,
  baselineStep,
  type Environment,
  payStep,
  submitFile,
  trackStep,
} from "../../../src/index.ts";
import { Decimal } from "../../../src/money/index.ts";
import { listSightingsAfter } from "../../../src/store/observed.ts";
import { SANDBOX_SECRETS } from "../../cli/program.ts";
import { ADDRESS } from "../../pipeline/service.ts";
import { openPlace } from "../../pipeline/workplace.ts";
import type { Chance } from "../../simulation/chance.ts";
import { PlantedWorld } from "./generator.ts";
import { type Element, startPlantedService } from "./planted-service.ts";

/** All payments have been made and have arrived, after a baseline. */
export async function openPlanted(chance: Chance, payments: number, settings: Environment = {}) {
  const service = await startPlantedService(chance);
  const { workplace, folder } = openPlace({
    ...SANDBOX_SECRETS,
    PAYDROP_SERVICE_BASE_URL: service.url,
    ...settings,
  });
  const { openings } = await baselineStep(workplace, "ann");
  const file = join(folder, "payments.csv");
  const rows = Array.from(
    { length: payments },
    (_, row) =>
      `R-${row},0.${String(10_000 + row * 1_000 + chance.between(0, 999)).padStart(8, "0")},${ADDRESS},6200,NORMAL`,
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
