/** Takes real files through the whole pipeline, against a sandbox over HTTP; prints and checks each step. */
import { setTimeout as wait } from "node:timers/promises";
import { type LedgerExportReport, ledgerExportStep } from "../../books/index.ts";
import { unlessStopped } from "../../context/context.ts";
import { intakeStep } from "../../files/intake-step.ts";
import type { SubmitReport } from "../../files/submit-step.ts";
import type { Instruction } from "../../model/index.ts";
import { Decimal } from "../../money/index.ts";
import {
  baselineStep,
  type NightRun,
  nightStep,
  type ReconciliationReport,
  reconcileStep,
} from "../../nights/index.ts";
import { approveStep } from "../../payments/approve-step.ts";
import { payStep } from "../../payments/pay-step.ts";
import { trackStep } from "../../payments/track-step.ts";
import { statusOfBatches } from "../../views/batch-status.ts";
import { statusOf } from "../../views/payment-status.ts";
import { custodyNames } from "../../workplace/custody-accounts.ts";
import type { Workplace } from "../../workplace/workplace.ts";
import type { Output, Progress } from "../output.ts";
import { approvalText } from "../render/approval-text.ts";
import { fileText } from "../render/file-text.ts";
import { trialBalanceText } from "../render/ledger-text.ts";
import { payText } from "../render/pay-text.ts";
import { problemLines } from "../render/problem-text.ts";
import { reconciliationText } from "../render/reconciliation-text.ts";
import { batchesText, stateChangesText } from "../render/status-text.ts";
import type { DemoFolder } from "./demo-folder.ts";
import type { Expectations } from "./expectations.ts";
import type { SandboxProcess } from "./sandbox-process.ts";

/** Files from an inbox have no proven submitter, and so take one approver more than their rule says. */
const CHECKERS = ["ben", "carol", "dave"] as const;

/** How long the demo waits for money to arrive, at most. */
const SETTLE_MS = 60_000;

interface Demo {
  readonly workplace: Workplace;
  readonly folder: DemoFolder;
  readonly sandbox: SandboxProcess;
  readonly output: Output;
  readonly expectations: Expectations;
  readonly signal: AbortSignal;
}

export async function runDemo(demo: Demo): Promise<void> {
  const isFirst = (await statusOfBatches(demo.workplace)).length === 0;
  const createdBefore = (await demo.sandbox.creations()).length;
  if (isFirst) {
    await takeBaseline(demo);
    await demo.sandbox.letOthersBegin();
  }
  const files = await dropAndTakeIn(demo, isFirst);
  await approveAll(demo, files);
  await pay(demo, isFirst, createdBefore);
  await followTheMoney(demo, isFirst);
  const reconciliation = await reconcileAndCheck(demo);
  const booked = await bookAndCheck(demo, reconciliation);
  await showFiles(demo, files, booked, reconciliation);
}

async function takeBaseline({ workplace, output }: Demo): Promise<void> {
  heading(output, "Opening balances");
  const nameOf = custodyNames(workplace.config);
  const { openings } = await baselineStep(workplace, "demo");
  for (const { custodyAccountId, total } of openings)
    output.say(`  ${nameOf(custodyAccountId)}: ${total.value} ${total.currency}`);
}

async function dropAndTakeIn(demo: Demo, isFirst: boolean): Promise<readonly SubmitReport[]> {
  const { workplace, folder, output, expectations } = demo;
  heading(output, `Files in ${workplace.config.folders.inbox}`);
  await folder.dropSamples();
  const { files, problems } = await intakeStep(workplace);
  for (const file of files) output.say(fileText(file, output.colors));
  for (const line of problemLines(problems, output.colors)) output.say(line);

  const accepted = files.filter(({ verdict }) => verdict === "accepted");
  const broken = files.find(({ file }) => file === "broken.csv");
  const rowsTie = files.every((file) => file.rowsRead === file.rowsAccepted + file.rowsRejected);
  expectations.expect("rows read = rows accepted + rows rejected, in every file", rowsTie, "they differ");
  expectations.equal("broken.csv is rejected", broken?.verdict, "rejected");
  if (isFirst) {
    expectations.equal("both good files are accepted", accepted.length, 2);
  } else {
    const known = files.filter(({ problems }) => problems.some(({ code }) => code === "FILE_ALREADY_KNOWN"));
    expectations.equal("both good files are recognised as submitted before", known.length, 2);
  }
  const stored = (await allInstructions(workplace)).length;
  const rows = (await statusOfBatches(workplace)).reduce((sum, { batch }) => sum + batch.rowCount, 0);
  expectations.equal("nothing of the broken file is stored as payable", stored, rows);
  return files;
}

async function approveAll(
  { workplace, output, expectations }: Demo,
  files: readonly SubmitReport[],
): Promise<void> {
  const accepted = files.filter(({ digest }) => digest !== undefined);
  if (accepted.length === 0) return;
  heading(output, "Approval");
  for (const { digest = "", reading } of accepted) {
    const seen = { acceptReading: reading?.questions.length };
    let isReleased = false;
    for (const person of CHECKERS) {
      if (isReleased) break;
      const report = await approveStep(workplace, digest.slice(0, 16), person, seen);
      output.say(`  ${approvalText(report, output.colors)}`);
      isReleased = report.isReleased;
    }
    expectations.expect(`the batch with digest ${digest.slice(0, 16)} is released`, isReleased, "it is not");
  }
}

async function pay(demo: Demo, isFirst: boolean, createdBefore: number): Promise<void> {
  const { workplace, output, expectations, sandbox, signal } = demo;
  heading(output, "Paying");
  let progress: Progress | undefined;
  const report = await payStep(workplace, {
    signal,
    onStart: (due) => {
      progress = output.progress("  paying", due);
    },
    onSubmitted: () => progress?.step(),
  }).finally(() => progress?.stop());
  output.say(`  ${payText(report, output.colors)}`);
  output.say(batchesText(await statusOfBatches(workplace), output.colors));
  // A run that was stopped has not met what a whole one promises.
  unlessStopped(workplace.context);

  const created = (await sandbox.creations()).length - createdBefore;
  expectations.equal("the sandbox counts as many new payouts as were accepted", created, report.accepted);
  expectations.equal("every payment that was due was accepted", report.accepted, report.due);
  if (!isFirst) {
    expectations.equal("nothing is paid a second time", created, 0);
    output.say(
      "  Nothing was paid: both files were submitted before, and every payment in them was sent or waits for its day.",
    );
  }
  const waiting = (await allInstructions(workplace)).filter(({ standing }) => standing === "approved");
  for (const { fields } of waiting) output.say(`  ${fields.reference} waits until ${fields.payOn}`);
}

async function followTheMoney(
  { workplace, output, expectations, signal }: Demo,
  isFirst: boolean,
): Promise<void> {
  heading(output, "States as they change");
  const endMs = performance.now() + SETTLE_MS;
  let quietRounds = 0;
  let open = Number.NaN;
  // The sandbox's other parties act within its first seconds; a second demo finds their results.
  const quietRoundsNeeded = isFirst ? 4 : 1;
  while (quietRounds < quietRoundsNeeded && performance.now() < endMs && !signal.aborted) {
    await wait(500);
    const report = await trackStep(workplace);
    // The sweep also finds resources that nobody requested: deposits, and payouts of others.
    const { payoutSweep, depositSweep } = await reconcileStep(workplace);
    const changes = [...report.changes, ...payoutSweep.changes, ...depositSweep.changes];
    open = report.open;
    quietRounds = changes.length === 0 && open === 0 ? quietRounds + 1 : 0;
    if (changes.length > 0) output.say(stateChangesText(changes, "  "));
  }
  unlessStopped(workplace.context);
  expectations.equal("no payout is still on its way", open, 0);
}

async function reconcileAndCheck({ workplace, output, expectations }: Demo): Promise<NightRun> {
  heading(output, "Reconciliation");
  const report = await nightStep(workplace);
  output.say(reconciliationText(report, output.colors, custodyNames(workplace.config)));
  const kinds = report.openBreaks.map(({ kind }) => kind).sort();
  const expected = ["deposit-over", "deposit-under", "failed", "unexpected"];
  expectations.equal("exactly the planted breaks are found", kinds.join(", "), expected.join(", "));
  const ties = report.balanceProof.every((row) => row.ties);
  expectations.expect(
    "every custody account rolls forward to what the sandbox says",
    ties,
    "see the balance proof",
  );
  return report;
}

async function bookAndCheck(demo: Demo, { balanceProof }: ReconciliationReport): Promise<LedgerExportReport> {
  const { workplace, output, expectations } = demo;
  heading(output, "Trial balance");
  const report = await ledgerExportStep(workplace);
  const { trialBalance, problems } = report.ledger;
  output.say(trialBalanceText(trialBalance, workplace.config.ledger.functionalCurrency));
  for (const line of problemLines(problems, output.colors)) output.say(line);
  const { rows, debit, credit } = trialBalance;
  expectations.equal("debit equals credit, to the cent", debit, credit);
  const booked = Decimal.sum(
    rows
      .filter(({ name }) => name.startsWith("assets:crypto"))
      .flatMap(({ quantities }) => quantities.map(({ value }) => value)),
  );
  const moved = Decimal.sum(
    balanceProof.flatMap(({ found, opening }) =>
      found === undefined || opening === undefined ? [] : [found.minus(opening)],
    ),
  );
  expectations.expect(
    `the treasury moved by ${moved} BTC at the sandbox, and by as much in the ledger`,
    booked.equals(moved),
    `the ledger has ${booked}`,
  );
  return report;
}

async function showFiles(
  { workplace, output }: Demo,
  files: readonly SubmitReport[],
  { ledger, issued, exceptions }: LedgerExportReport,
  night: NightRun,
): Promise<void> {
  heading(output, "Files written");
  const { results } = await trackStep(workplace);
  const answers = files.flatMap((file) => file.answers);
  for (const path of [
    ...answers,
    ...results,
    ...issued.flatMap(({ files }) => files),
    exceptions,
    ...night.files,
  ])
    output.say(`  ${path}`);
  if (issued.length === 0) output.say(`  no export batch: ${ledger.posted} new entries since the last one`);
}

async function allInstructions(workplace: Workplace): Promise<Instruction[]> {
  const batches = await statusOfBatches(workplace);
  return (await Promise.all(batches.map(({ batch }) => statusOf(workplace, batch.id)))).flat();
}

function heading(output: Output, text: string): void {
  output.say(`\n${output.colors.bold(text)}`);
}
