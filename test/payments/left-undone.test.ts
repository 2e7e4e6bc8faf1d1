/** A signal to stop ends work over the whole history soon: a restart need not wait for a comparison of years. */
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { exportStep, ledgerStep } from "../../src/books/index.ts";
import {
  approveStep,
  createPayoutStep,
  openWorkplace,
  stderrLog,
  submitFile,
  validateFile,
  type Workplace,
} from "../../src/index.ts";
import { compareWithSweep } from "../../src/nights/compare-all.ts";
import { reconcileStep } from "../../src/nights/index.ts";
import { sweepKeys } from "../../src/nights/sweep-keys.ts";
import { listBatches } from "../../src/store/batches.ts";
import { countDue } from "../../src/store/instructions.ts";
import { insertEntries } from "../../src/store/ledger-entries.ts";
import { payouts } from "../books/golden-books.ts";
import { book } from "../books/movements.ts";
import { ADDRESS, openSite } from "../site/service.ts";

/** The workplace, and the same one in a process that was told to stop. */
async function stoppedSite() {
  const { folder, environment, workplace } = await openSite();
  const cells = { reference: "PAY-1", amount: "0.001", destinationAddress: ADDRESS };
  await createPayoutStep(workplace, { cells, submittedBy: "alice", approvedBy: ["bob"] });
  const config = `${folder}/paydrop.yaml`;
  const stopped = openWorkplace(config, environment, stderrLog("silent"), undefined, AbortSignal.abort());
  onTestFinished(() => stopped.close());
  return { workplace, stopped };
}

/** A file of two payments, beside the configuration. */
function fileIn({ config }: Workplace): string {
  const path = join(config.folders.work, "..", "two.csv");
  writeFileSync(path, `reference,amount,destinationAddress\nA-1,0.001,${ADDRESS}\nA-2,0.002,${ADDRESS}\n`);
  return path;
}

async function batchesIn({ store }: Workplace): Promise<number> {
  return (await store.read(() => listBatches())).length;
}

test.each<[what: string, work: (stopped: Workplace, workplace: Workplace) => Promise<unknown>]>([
  ["a sweep", (stopped) => reconcileStep(stopped)],
  [
    "a comparison",
    async (stopped, workplace) =>
      compareWithSweep(stopped, await sweepKeys(workplace), workplace.context.clock.now()),
  ],
  ["posting to the ledger", (stopped) => ledgerStep(stopped)],
  [
    "an export",
    async (stopped, workplace) => {
      const { entries } = book({ payouts });
      await workplace.store.write(() => insertEntries(entries, workplace.context.clock.now()));
      return exportStep(stopped).finally(() =>
        expect(readdirSync(stopped.config.folders.ledger)).toEqual([]),
      );
    },
  ],
  ["the check of a file", (stopped, workplace) => validateFile(stopped, fileIn(workplace))],
  [
    "a submission, without a batch,",
    async (stopped, workplace) => {
      const before = await batchesIn(workplace);
      return submitFile(stopped, fileIn(workplace), "ann").finally(async () =>
        expect(await batchesIn(workplace)).toBe(before),
      );
    },
  ],
  [
    "an approval",
    async (stopped, workplace) => {
      const { digest = "" } = await submitFile(workplace, fileIn(workplace), "ann");
      return approveStep(stopped, digest, "ben").finally(async () =>
        expect(
          await workplace.store.read(() => countDue({ today: "9999-12-31", batch: undefined, except: [] })),
        ).toBe(0),
      );
    },
  ],
])("%s is left undone", async (_what, work) => {
  const { workplace, stopped } = await stoppedSite();
  await reconcileStep(workplace);
  await expect(work(stopped, workplace)).rejects.toMatchObject({ problem: { code: "INTERRUPTED" } });
  expect(await reconcileStep(workplace)).toMatchObject({ payoutSweep: { complete: true } });
});
