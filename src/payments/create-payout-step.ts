/**
 * One payout, requested by options instead of a file. It is processed like any other: Paydrop writes a file of one
 * row and submits it, other people approve it, and the lane sends it. Nothing is sent while an approval is missing.
 */
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stringify } from "csv-stringify/sync";
import { UNFINISHED_PREFIX } from "../context/files.ts";
import { invariant } from "../faults/index.ts";
import { type SubmitReport, submitFile } from "../files/submit-step.ts";
import type { BatchId, Instruction } from "../model/index.ts";
import { present } from "../model/present.ts";
import { holdsPrivateKey } from "../model/private-key.ts";
import { getBatch } from "../store/batches.ts";
import { listByBatch } from "../store/instructions.ts";
import { openFolders } from "../workplace/folders.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { type ApprovalOptions, type ApprovalReport, approveStep } from "./approve-step.ts";
import { payStep } from "./pay-step.ts";
import type { ExecutionOptions, ExecutionReport } from "./sending/index.ts";

export interface PayoutRequest extends ApprovalOptions {
  /** Texts by column name (model/columns.ts), as a person would type them into a spreadsheet. */
  readonly cells: Readonly<Record<string, string>>;
  readonly submittedBy: string;
  readonly approvedBy: readonly string[];
}

export interface CreatedPayout {
  readonly submitted: SubmitReport;
  /** Absent if the row was rejected or nobody has approved it. */
  readonly approval?: ApprovalReport;
  /** Absent while an approval is missing. */
  readonly execution?: ExecutionReport;
  /** The payment's present state; absent if the row was rejected. */
  readonly instruction?: Instruction;
}

/**
 * Creates the payout. A second call with the same cells continues where the first one ended. Throws what
 * `submitFile`, `approveStep` and `payStep` throw, and a TypeError for a cell that is not a text.
 */
export async function createPayoutStep(
  workplace: Workplace,
  { cells, submittedBy, approvedBy, ...accepted }: PayoutRequest,
  options: ExecutionOptions = {},
): Promise<CreatedPayout> {
  const submitted = await submitRow(readingPlainly(workplace), cells, submittedBy);
  const batch = submitted.batchId ?? (await askedForBefore(workplace, submitted));
  if (batch === undefined) return { submitted };
  let approval: ApprovalReport | undefined;
  for (const person of approvedBy)
    approval = (await approvalBy(workplace, batch, person, accepted)) ?? approval;
  const { standing } = await onlyOf(workplace, batch);
  const execution =
    standing === "approved" && approvedBy.length > 0
      ? await payStep(workplace, { ...options, batch })
      : undefined;
  return { submitted, ...present({ approval, execution }), instruction: await onlyOf(workplace, batch) };
}

/**
 * Reads the row with standard file settings, because a command line has no sender's columns, number format or
 * totals.
 */
function readingPlainly(workplace: Workplace): Workplace {
  const { config } = workplace;
  const controlTotals = { ...config.files.controlTotals, required: false };
  return {
    ...workplace,
    config: {
      ...config,
      files: { ...config.files, numberFormat: "auto", columns: {}, controlTotals, senders: [] },
    },
  };
}

/** Submits the row. Its file has a temporary name in the archive, the one folder that is surely writable. */
async function submitRow(
  workplace: Workplace,
  cells: PayoutRequest["cells"],
  submittedBy: string,
): Promise<SubmitReport> {
  const { reference = "" } = cells;
  const named = holdsPrivateKey(reference) ? "" : reference.replace(/[^A-Za-z0-9._-]+/g, "-").slice(0, 100);
  const name = `${named || "payout"}.csv`;
  await openFolders(workplace, "archive");
  const { config, context } = workplace;
  const path = join(config.folders.archive, `${UNFINISHED_PREFIX}${context.random.uuid()}.part`);
  try {
    await writeFile(path, stringify([cells], { header: true, cast: { number: refuseNumber } }), {
      flag: "wx",
      mode: 0o600,
    });
    return await submitFile(workplace, path, submittedBy, name, { isSingle: true });
  } finally {
    await rm(path, { force: true });
  }
}

/** JavaScript may pass a number where only texts are allowed. */
function refuseNumber(value: number): never {
  throw new TypeError(`a cell is a text; the number ${value} may have lost digits`);
}

/** The batch of an identical earlier request that has sent nothing yet: asking again continues with it. */
async function askedForBefore(workplace: Workplace, { knownAs }: SubmitReport): Promise<BatchId | undefined> {
  if (knownAs === undefined) return undefined;
  // The batch's own payment: its reference may now belong to a payment from another file.
  const { standing } = await onlyOf(workplace, knownAs);
  return standing === "received" || standing === "approved" ? knownAs : undefined;
}

/** Records the approval; undefined if the batch was already released. */
async function approvalBy(
  workplace: Workplace,
  batchId: BatchId,
  person: string,
  options: ApprovalOptions,
): Promise<ApprovalReport | undefined> {
  const { standing } = await onlyOf(workplace, batchId);
  if (standing !== "received") return undefined;
  const { digest } = await workplace.store.read(() => getBatch(batchId));
  return approveStep(workplace, digest, person, options);
}

async function onlyOf({ store }: Workplace, batchId: BatchId): Promise<Instruction> {
  const [only] = await store.read(() => listByBatch(batchId));
  invariant(only !== undefined, `batch ${batchId} has no row`);
  return only;
}
