/**
 * One payout, asked for in words instead of a file. It takes the way of every other: a file of one row is written and submitted,
 * other people approve it, and the lane sends it. Nothing is sent while an approval is missing.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stringify } from "csv-stringify/sync";
import type { ExecutionOptions, ExecutionReport } from "../execution/index.ts";
import type { BatchId, Instruction } from "../model/index.ts";
import { listByBatch } from "../store/instructions.ts";
import { type ApprovalReport, approveStep } from "./approve-step.ts";
import { payStep } from "./pay-step.ts";
import { type SubmitReport, submitFile } from "./submit-file.ts";
import type { Workplace } from "./workplace.ts";

export interface PayoutRequest {
  /** Texts by column name (model/columns.ts), as a person would type them into a spreadsheet. */
  readonly cells: Readonly<Record<string, string>>;
  readonly submittedBy: string;
  readonly approvedBy: readonly string[];
}

export interface CreatedPayout {
  readonly submitted: SubmitReport;
  /** Absent where the row was rejected or nobody has approved it. */
  readonly approval?: ApprovalReport;
  /** Absent while an approval is missing. */
  readonly execution?: ExecutionReport;
  /** As it stands now; absent where the row was rejected. */
  readonly instruction?: Instruction;
}

/** Throws what `submitFile`, `approveStep` and `payStep` throw. */
export async function createPayoutStep(
  workplace: Workplace,
  { cells, submittedBy, approvedBy }: PayoutRequest,
  options: ExecutionOptions = {},
): Promise<CreatedPayout> {
  const submitted = await submitRow(readingPlainly(workplace), cells, submittedBy);
  const { batchId, digest } = submitted;
  if (batchId === undefined || digest === undefined) return { submitted };
  let approval: ApprovalReport | undefined;
  for (const person of approvedBy) approval = await approveStep(workplace, digest, person);
  const execution = approval?.isReleased
    ? await payStep(workplace, { ...options, batch: batchId })
    : undefined;
  const instruction = await onlyOf(workplace, batchId);
  return {
    submitted,
    ...(approval === undefined ? {} : { approval }),
    ...(execution === undefined ? {} : { execution }),
    ...(instruction === undefined ? {} : { instruction }),
  };
}

/** A command line has neither a sender's own columns nor a sender's way of writing numbers. */
function readingPlainly(workplace: Workplace): Workplace {
  const { config } = workplace;
  return {
    ...workplace,
    config: { ...config, files: { ...config.files, numberFormat: "auto", columns: {} } },
  };
}

async function submitRow(
  workplace: Workplace,
  cells: PayoutRequest["cells"],
  submittedBy: string,
): Promise<SubmitReport> {
  const name = `${(cells["reference"] ?? "").replace(/[^A-Za-z0-9._-]+/g, "-").slice(0, 100) || "payout"}.csv`;
  const folder = await mkdtemp(join(tmpdir(), "paydrop-"));
  try {
    const path = join(folder, name);
    await writeFile(path, stringify([cells], { header: true }));
    return await submitFile(workplace, path, submittedBy, name);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function onlyOf({ store }: Workplace, batchId: BatchId): Promise<Instruction | undefined> {
  const [only] = await store.read(() => listByBatch(batchId));
  return only;
}
