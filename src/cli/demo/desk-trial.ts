/** Fills the desk of a trial with files, payments and breaks of every kind that people decide about. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { ledgerExportStep } from "../../books/index.ts";
import { expectedNow, expectedStep, expectFileStep } from "../../expected/index.ts";
import { submitFile } from "../../files/submit-step.ts";
import { baselineStep, reconcileStep } from "../../nights/index.ts";
import { approveStep } from "../../payments/approve-step.ts";
import { payStep } from "../../payments/pay-step.ts";
import { trackStep } from "../../payments/track-step.ts";
import { statusOfBatches } from "../../views/batch-status.ts";
import type { Workplace } from "../../workplace/workplace.ts";
import type { DemoFolder } from "./demo-folder.ts";
import type { SandboxProcess } from "./sandbox-process.ts";

/**
 * One row pays to a look-alike of a known payee's address, one repeats a payee's last amount, and one column is not
 * read.
 */
const WAITING = `reference,amount,destinationAddress,customerId,Cost centre
SUP-2026-0101,0.125,bc1q3pudjj6swjefvl2yvhewaem25d33ux44kfqz4r,Zoë Okafor,4100
SUP-2026-0102,0.00999999,bc1q6dmfkujjks0c9u6dg63v9ngqvpxnm589ll2y6w2xt5u6gd2zenasd4nd83,Nina Quist,4100
SUP-2026-0103,0.0325,bc1qjkevdyze3k79wz0yzkegnhngvwa6zva9jgdkddrvyfwzcdhufqusy98z8e,"Hosting Hill, Ltd.",4200
SUP-2026-0104,0.018,34WnCwtDcZ98ZPoGJ8ahmZG7Ncr81tWJ4G,Blue Harbour GmbH,4300
`;

/** Three mistakes: an amount, an address and a reference. */
const REJECTED = `reference,amount,destinationAddress,customerId
RENT-2026-12-01,0.04,1CofQ44auSab4GYWrm6dCyWsRfCguahjoJ,Łukasz Nowak
RENT-2026-12-02,0.o5,3MLYA12mNAGYjYFEvJBTHqyJKGjXUg8kvD,東京デザイン株式会社
RENT-2026-12-03,0.02,bc1q3pudjj6e27qfvl2yvhetaem25d33ux44j5qz4q,Zoë Okafor
,0.015,1CofQ44auSab4GYWrm6dCyWsRfCguahjoJ,Łukasz Nowak
`;

const URGENT = `reference,amount,destinationAddress,customerId
URGENT-2026-0007,0.0425,bc1qhhuly2s7dfnj3g8fkect29quxuzaqpmnmth3kz,Print Express & Sons
`;

/** One is overdue, two create a deposit, and an unexpected receipt may belong to the last. */
const EXPECTED = `reference,customer,account,amount,currency,due day,create
INV-2026-0501,"Hosting Hill, Ltd.",treasury-btc,0.4,BTC,2026-01-31,no
INV-2026-0502,Łukasz Nowak,treasury-btc,0.25,BTC,2036-12-15,yes
INV-2026-0503,Zoë Okafor,treasury-btc,1250.00,EUR,2036-12-31,yes
INV-2026-0504,C-1003,treasury-btc,0.006,BTC,2036-12-31,no
`;

/** How long the trial waits for money to arrive, at most. */
const SETTLE_MS = 15_000;

interface DeskTrial {
  readonly workplace: Workplace;
  readonly folder: DemoFolder;
  readonly sandbox: SandboxProcess;
}

/** Ann submits, Ben and Carol approve. Does nothing in a folder that already has batches. */
export async function prepareDeskTrial(trial: DeskTrial): Promise<void> {
  const { workplace, sandbox } = trial;
  if ((await statusOfBatches(workplace)).length > 0) return;
  await baselineStep(workplace, "dave");
  await sandbox.letOthersBegin();
  for (const name of ["payouts.csv", "payouts.xlsx"] as const)
    await approve(trial, trial.folder.sample(name), name);
  await payStep(workplace);
  // No look finds a request that never reached the service, so it stays in doubt.
  await sandbox.setFaults([{ operation: "createPayoutV2", effect: { kind: "cut-before-read" } }]);
  await approve(trial, await written(trial, "urgent.csv", URGENT), "urgent.csv");
  await payStep(workplace);
  await sandbox.setFaults([]);
  await untilSettled(workplace);
  await ledgerExportStep(workplace);
  for (const [name, text] of [
    ["suppliers.csv", WAITING],
    ["rent-december.csv", REJECTED],
  ] as const)
    await submitFile(workplace, await written(trial, name, text), "ann", name);
  await expect(trial);
}

/** Waits until the deposits have their addresses. */
async function expect(trial: DeskTrial): Promise<void> {
  const { workplace } = trial;
  await expectFileStep(
    workplace,
    await written(trial, "receivables.csv", EXPECTED),
    "ann",
    "receivables.csv",
  );
  const endMs = performance.now() + SETTLE_MS;
  while (performance.now() < endMs) {
    await expectedStep(workplace);
    const { standings } = await expectedNow(workplace);
    if (standings.every(({ expectation, address }) => !expectation.creates || address !== undefined)) return;
    await wait(500);
  }
}

async function written({ folder }: DeskTrial, name: string, text: string): Promise<string> {
  const path = join(folder.path, name);
  await writeFile(path, text);
  return path;
}

async function approve({ workplace }: DeskTrial, path: string, name: string): Promise<void> {
  const { digest = "", reading } = await submitFile(workplace, path, "ann", name);
  const accepted = { acceptReading: reading?.questions.length };
  for (const person of ["ben", "carol"]) {
    const { isReleased } = await approveStep(workplace, digest.slice(0, 16), person, accepted);
    if (isReleased) return;
  }
}

/** Waits until every payout has ended, and the sandbox's other parties have paid in and paid out. */
async function untilSettled(workplace: Workplace): Promise<void> {
  const endMs = performance.now() + SETTLE_MS;
  while (performance.now() < endMs) {
    await wait(500);
    const { open } = await trackStep(workplace);
    const { openBreaks } = await reconcileStep(workplace);
    const kinds = new Set(openBreaks.map(({ kind }) => kind));
    if (open === 0 && SURPRISES.every((kind) => kinds.has(kind))) return;
  }
}

/** The breaks that the demo's seed causes last. */
const SURPRISES = ["deposit-over", "deposit-under", "failed", "unexpected"] as const;
