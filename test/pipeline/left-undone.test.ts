/** A signal to stop ends work over the whole history soon: a restart must not wait for a comparison of years. */
import { readdirSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { stderrLog } from "../../src/context/log.ts";
import { createPayoutStep } from "../../src/pipeline/create-payout-step.ts";
import { exportStep } from "../../src/pipeline/ledger-export-step.ts";
import { ledgerStep } from "../../src/pipeline/ledger-step.ts";
import { compareWithSweep } from "../../src/pipeline/reconcile/compare-all.ts";
import { sweepKeys } from "../../src/pipeline/reconcile/sweep-keys.ts";
import { reconcileStep } from "../../src/pipeline/reconcile-step.ts";
import { openWorkplace, type Workplace } from "../../src/pipeline/workplace/workplace.ts";
import { insertEntries } from "../../src/store/ledger-entries.ts";
import { payouts } from "../ledger/golden-books.ts";
import { book } from "../ledger/movements.ts";
import { ADDRESS, openSite } from "./service.ts";

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
])("%s is left undone", async (_what, work) => {
  const { workplace, stopped } = await stoppedSite();
  await reconcileStep(workplace);
  await expect(work(stopped, workplace)).rejects.toMatchObject({ problem: { code: "INTERRUPTED" } });
  expect(await reconcileStep(workplace)).toMatchObject({ payoutSweep: { complete: true } });
});
