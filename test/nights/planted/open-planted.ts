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
import { correlatedCallbackUrl } from "../../../src/model/index.ts";
import { Decimal } from "../../../src/money/index.ts";
import { listSightingsAfter, type StoredSighting } from "../../../src/store/observed.ts";
import { inWindows } from "../../../src/store/windows.ts";
import { SANDBOX_SECRETS } from "../../cli/program.ts";
import { addressOf } from "../../files/bitcoin-addresses.ts";
import { listInstructions } from "../../read-all.ts";
import type { Chance } from "../../simulation/chance.ts";
import { openPlace } from "../../site/workplace.ts";
import { LATER, PlantedWorld, type UnderWay } from "./generator.ts";
import { type Element, startPlantedService } from "./planted-service.ts";

/** Fees above it are planted. */
export const FEE_LIMIT = { PAYDROP_RECONCILIATION_FEE_LIMIT: '{ BTC: "0.0005" }' };

/** All payments have been made and have arrived, after a baseline; with `last`, four more have just been accepted. */
export async function openPlanted(
  chance: Chance,
  payments: number,
  settings: Environment = {},
  { last = false } = {},
) {
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
  const balances = new Map(held);
  if (!last) return { service, workplace, world: new PlantedWorld(payouts, balances) };
  // From now on the service shows only what it is told to.
  const paging = { sizeMax: 500, isShuffled: false, moves: false, miscount: 0 };
  service.show({ payouts, deposits: [], balances }, paging);
  const underWay = await acceptLast(workplace, folder, chance, payouts);
  return { service, workplace, world: new PlantedWorld(payouts, balances, underWay) };
}

/** Pays four more, and does not look what became of them. `payouts`: what the service shows of the others. */
async function acceptLast(
  workplace: Workplace,
  folder: string,
  chance: Chance,
  payouts: readonly Element[],
): Promise<UnderWay> {
  const [first] = payouts;
  await submitAndPay(workplace, folder, chance, LAST, LAST + 4);
  const all = await workplace.store.read(() => listInstructions());
  const shown = all.slice(-4).map((instruction) => {
    const { payoutId, fields } = instruction;
    const amount = { currency: "BTC", amount: Number(fields.amount.value.toString()) };
    const txHash = chance.uuid().replaceAll("-", "").repeat(2);
    return {
      ...first,
      ...{ payoutId, reference: fields.reference, destinationAddress: fields.destinationAddress },
      callbackUrl: correlatedCallbackUrl(instruction),
      requestedAmount: amount,
      sentFunds: { ...(first?.["sentFunds"] as object), amount, txHash, transactionId: `T-${txHash}` },
    };
  });
  const [missing, leftOut, stuck, moving] = shown;
  if (!missing || !leftOut || !stuck || !moving) throw new Error("four payments are under way");
  return { missing, leftOut, stuck, moving };
}

const PAYEES = 200;
/** The first of the payments that are accepted last. */
const LAST = 1_000_000;

/** The rows from `first` to before `end`, in a file of their own. */
async function pay(workplace: Workplace, folder: string, chance: Chance, first: number, end: number) {
  await submitAndPay(workplace, folder, chance, first, end);
  await expect.poll(async () => (await trackStep(workplace)).open, { timeout: 600_000 }).toBe(0);
}

async function submitAndPay(
  workplace: Workplace,
  folder: string,
  chance: Chance,
  first: number,
  end: number,
): Promise<void> {
  const file = join(folder, `payments-${first}.csv`);
  const rows = Array.from({ length: end - first }, (_, index) => {
    const row = first + index;
    const satoshis =
      (row < LAST ? 1_000 : 200_000) + Math.floor((row % LAST) / PAYEES) * 10 + chance.between(0, 9);
    const amount = `0.${String(satoshis).padStart(8, "0")}`;
    const payee = row < LAST ? row % PAYEES : PAYEES + row - LAST;
    return `${first === 0 ? "" : LATER}R-${row},${amount},${addressOf(4 * payee)},6200,NORMAL\n`;
  });
  writeFileSync(file, `reference,amount,destinationAddress,generalLedgerName,feePolicy\n${rows.join("")}`);
  const submitted = await submitFile(workplace, file, "ann");
  expect(submitted).toMatchObject({ problems: [] });
  const accepting = { acceptReading: submitted.reading?.questions.length };
  const approvals = [];
  for (const person of ["ben", "carol"])
    if (approvals.at(-1)?.isReleased !== true)
      approvals.push(await approveStep(workplace, submitted.digest ?? "", person, accepting));
  expect(approvals.at(-1)).toMatchObject({ isReleased: true });
  await payStep(workplace);
}

function inSatoshis(value: Decimal): bigint {
  return BigInt(value.times(Decimal.of("100000000")).normalized().toString());
}
