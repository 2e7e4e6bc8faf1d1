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
  type Workplace,
} from "../../../src/index.ts";
import { Decimal } from "../../../src/money/index.ts";
import { listSightingsAfter, type StoredSighting } from "../../../src/store/observed.ts";
import { inWindows } from "../../../src/store/windows.ts";
import { SANDBOX_SECRETS } from "../../cli/program.ts";
import { addressOf } from "../../files/bitcoin-addresses.ts";
import type { Chance } from "../../simulation/chance.ts";
import { openPlace } from "../../site/workplace.ts";
import { LATER, PlantedWorld } from "./generator.ts";
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
  const half = Math.ceil(payments / 2);
  await pay(workplace, folder, chance, 0, half);
  await pay(workplace, folder, chance, half, payments);
  const payouts: Element[] = [];
  const sighted = inWindows<StoredSighting>(workplace.store, (last) =>
    listSightingsAfter("payout", last?.id ?? "", 1_000),
  );
  for await (const window of sighted) for (const { raw } of window) payouts.push(JSON.parse(raw) as Element);
  const held = openings.map(
    ({ custodyAccountId, total }) => [custodyAccountId as string, inSatoshis(total.value)] as const,
  );
  return { service, workplace, world: new PlantedWorld(payouts, new Map(held)) };
}

const PAYEES = 200;

/** The rows from `first` to before `end`, in a file of their own. */
async function pay(workplace: Workplace, folder: string, chance: Chance, first: number, end: number) {
  const file = join(folder, `payments-${first}.csv`);
  const rows = Array.from({ length: end - first }, (_, index) => {
    const row = first + index;
    const satoshis = 1_000 + Math.floor(row / PAYEES) * 10 + chance.between(0, 9);
    const amount = `0.${String(satoshis).padStart(8, "0")}`;
    return `${first === 0 ? "" : LATER}R-${row},${amount},${addressOf(4 * (row % PAYEES))},6200,NORMAL\n`;
  });
  writeFileSync(file, `reference,amount,destinationAddress,generalLedgerName,feePolicy\n${rows.join("")}`);
  const submitted = await submitFile(workplace, file, "ann");
  expect(submitted).toMatchObject({ problems: [] });
  const approvals = [];
  for (const person of ["ben", "carol"])
    if (approvals.at(-1)?.isReleased !== true)
      approvals.push(await approveStep(workplace, submitted.digest ?? "", person));
  expect(approvals.at(-1)).toMatchObject({ isReleased: true });
  await payStep(workplace);
  await expect.poll(async () => (await trackStep(workplace)).open, { timeout: 600_000 }).toBe(0);
}

function inSatoshis(value: Decimal): bigint {
  return BigInt(value.times(Decimal.of("100000000")).normalized().toString());
}
