/** `NAME.results.*` for every batch: the sender's file with what became of each row. */
import { type RowResult, writeResultsAnswer } from "../../exports/answers/index.ts";
import { Fault, type Problem } from "../../faults/index.ts";
import {
  type Batch,
  type BatchId,
  ENDED_PAYOUT_STATES,
  type Instruction,
  type ObservedPayout,
  payoutStateMeaning,
  type Row,
} from "../../model/index.ts";
import { present } from "../../model/present.ts";
import { type Departure, departuresOfFailed, departureText, payoutsOf } from "../../observation/index.ts";
import { listFromBatch } from "../../store/instructions.ts";
import { beginResults, endResults, listResultsDue } from "../../store/results-due.ts";
import type { Transaction } from "../../store/sql.ts";
import { alone } from "../sending/alone.ts";
import { whyNotItsPayout } from "../standings/why-not-its-payout.ts";
import { reopenTable } from "../validate-step.ts";
import { openFolders } from "../workplace/folders.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { answerPath } from "./answer-files.ts";

export interface WrittenResults {
  readonly paths: readonly string[];
  /** Why a batch's result file could not be written; it is due still. */
  readonly problems: readonly Problem[];
}

/**
 * Writes the result file of every batch that has left approval and of which something has changed since, or of each that has left approval.
 * None where another process is writing them.
 */
export async function writeResults(workplace: Workplace, all = false): Promise<WrittenResults> {
  const written = await alone(workplace.store, "results", (store) => writeDue({ ...workplace, store }, all));
  return written?.result ?? { paths: [], problems: [] };
}

async function writeDue(workplace: Workplace, all: boolean): Promise<WrittenResults> {
  const { store } = workplace;
  await openFolders(workplace, "outbox");
  const paths: string[] = [];
  const problems: Problem[] = [];
  for (const batch of await store.read(() => listResultsDue(all))) {
    const standings = await store.write(() => beginResults(batch.id, ENDED_PAYOUT_STATES));
    const written = await unlessFileFails(writeBatchResults(workplace, batch));
    if (typeof written !== "string") {
      problems.push({ file: batch.fileName, ...written });
      continue;
    }
    paths.push(written);
    if (standings !== undefined) await store.write(() => endResults(batch.id, standings));
  }
  return { paths, problems };
}

/** An original that is gone, or an answer that somebody has open, must not keep the other batches' files from being written. */
async function unlessFileFails(writing: Promise<string>): Promise<string | Problem> {
  try {
    return await writing;
  } catch (error) {
    if (error instanceof Fault && FILE_CODES.has(error.problem.code)) return error.problem;
    throw error;
  }
}

const FILE_CODES: ReadonlySet<string> = new Set(["FILE_NOT_FOUND", "FILE_UNREADABLE", "OUTPUT_UNWRITABLE"]);

async function writeBatchResults(workplace: Workplace, batch: Batch): Promise<string> {
  const path = await answerPath(workplace, batch.fileName, "results", batch.id);
  const table = await reopenTable(workplace, batch.archivedAs, batch.fileName);
  let results: ReadonlyMap<number, RowResult> = new Map();
  await writeResultsAnswer({
    table: {
      ...table,
      async *windows() {
        for await (const window of table.windows()) {
          results = await workplace.store.read(() => resultsOf(batch.id, window));
          yield window;
        }
      },
    },
    path,
    resultOf: ({ row }) => results.get(row),
  });
  return path;
}

/** By row. */
function* resultsOf(batch: BatchId, window: readonly Row[]): Transaction<ReadonlyMap<number, RowResult>> {
  const instructions = yield* listFromBatch(batch, (window[0]?.row ?? 1) - 1, window.length);
  const payouts = yield* payoutsOf(instructions);
  const departures = yield* departuresOfFailed([...payouts.values()]);
  return new Map(
    instructions.map((one) => {
      const payout = one.payoutId && payouts.get(one.payoutId);
      return [one.row, resultOf(one, payout, payout && departures.get(payout.payoutId))];
    }),
  );
}

function resultOf(
  instruction: Instruction,
  given: ObservedPayout | undefined,
  departure: Departure | undefined,
): RowResult {
  const { standing, payoutId } = instruction;
  const another = given && whyNotItsPayout(instruction, given);
  const payout = another === undefined ? given : undefined;
  const funds = payout?.sentFunds.at(-1);
  const error = another ?? errorOf(instruction, payout, departure);
  const note = noteOf(instruction);
  return {
    standing,
    ...present({
      payoutId,
      state: payout?.state,
      sentAmount: funds?.amount,
      fee: funds?.fee,
      txHash: funds?.txHash,
      confirmedAt: funds?.confirmedAt,
      error,
      note,
    }),
  };
}

/** An accepted payment's reason tells how it was found, so it is a note and no error. */
function noteOf({ standing, reason, fields }: Instruction): string | undefined {
  if (standing === "approved" && fields.payOn !== undefined) return `waits until ${fields.payOn}`;
  return standing === "accepted" ? reason : undefined;
}

function errorOf(
  { standing, reason }: Instruction,
  payout: ObservedPayout | undefined,
  departure: Departure | undefined,
): string | undefined {
  if (standing !== "accepted") return reason;
  if (payout === undefined || payoutStateMeaning(payout.state) !== "failed") return undefined;
  return departure === undefined
    ? `the payout ended ${payout.state}: the payee was not paid by it`
    : `the payout ended ${payout.state}, yet ${departureText(departure)}: the payee may have been paid`;
}
