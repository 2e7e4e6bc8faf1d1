/** `NAME.results.*` for every batch: the sender's file with what became of each row. */
import { type RowResult, writeResultsAnswer } from "../exports/answers/index.ts";
import {
  type Batch,
  type Instruction,
  type ObservedPayout,
  type PayoutId,
  payoutStateMeaning,
} from "../model/index.ts";
import { knownPayouts } from "../observation/index.ts";
import { listBatches } from "../store/batches.ts";
import { listByBatch } from "../store/instructions.ts";
import { answerPath } from "./answer-files.ts";
import { openFolders } from "./folders.ts";
import { reopenTable } from "./validate-file.ts";
import type { Workplace } from "./workplace.ts";

/** Writes the result file of every batch that has left approval; returns the paths. */
export async function writeResults(workplace: Workplace): Promise<string[]> {
  const { store } = workplace;
  const payouts = new Map((await knownPayouts(store)).map(({ resource }) => [resource.payoutId, resource]));
  await openFolders(workplace, "outbox");
  const paths: string[] = [];
  for (const batch of await store.read(() => listBatches())) {
    const instructions = await store.read(() => listByBatch(batch.id));
    if (instructions.every(({ standing }) => standing === "received")) continue;
    paths.push(await writeBatchResults(workplace, batch, instructions, payouts));
  }
  return paths;
}

async function writeBatchResults(
  workplace: Workplace,
  batch: Batch,
  instructions: readonly Instruction[],
  payouts: ReadonlyMap<PayoutId, ObservedPayout>,
): Promise<string> {
  const path = await answerPath(workplace, batch.fileName, "results", batch.id);
  const byRow = new Map(instructions.map((instruction) => [instruction.row, instruction]));
  await writeResultsAnswer({
    table: await reopenTable(workplace, batch.archivedAs, batch.fileName),
    path,
    resultOf: ({ row }) => {
      const instruction = byRow.get(row);
      return instruction && resultOf(instruction, instruction.payoutId && payouts.get(instruction.payoutId));
    },
  });
  return path;
}

function resultOf(instruction: Instruction, payout: ObservedPayout | undefined): RowResult {
  const { standing, payoutId } = instruction;
  const funds = payout?.sentFunds.at(-1);
  const error = errorOf(instruction, payout);
  const note = noteOf(instruction);
  return {
    standing,
    ...(payoutId === undefined ? {} : { payoutId }),
    ...(payout === undefined ? {} : { state: payout.state }),
    ...(funds?.amount === undefined ? {} : { sentAmount: funds.amount }),
    ...(funds?.fee === undefined ? {} : { fee: funds.fee }),
    ...(funds?.txHash === undefined ? {} : { txHash: funds.txHash }),
    ...(funds?.confirmedAt === undefined ? {} : { confirmedAt: funds.confirmedAt }),
    ...(error === undefined ? {} : { error }),
    ...(note === undefined ? {} : { note }),
  };
}

/** The reason of an accepted payment tells how it was found, not what went wrong. */
function noteOf({ standing, reason, fields }: Instruction): string | undefined {
  if (standing === "approved" && fields.payOn !== undefined) return `waits until ${fields.payOn}`;
  return standing === "accepted" ? reason : undefined;
}

function errorOf({ standing, reason }: Instruction, payout: ObservedPayout | undefined): string | undefined {
  if (standing !== "accepted") return reason;
  if (payout === undefined || payoutStateMeaning(payout.state) !== "failed") return undefined;
  return `the payout ended ${payout.state}: the payee was not paid by it`;
}
