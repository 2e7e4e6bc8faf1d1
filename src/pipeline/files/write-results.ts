/** Writes `NAME.results.*` for each batch: the sender's file with the outcome of each row. */
import { type RowResult, writeResultsAnswer } from "../../exports/answers/index.ts";
import { isProblem, orProblem, type Problem } from "../../faults/index.ts";
import {
  type Batch,
  type BatchId,
  ENDED_PAYOUT_STATES,
  type Instruction,
  type ObservedPayout,
  payoutStateMeaning,
  type Row,
  type Table,
} from "../../model/index.ts";
import { present } from "../../model/present.ts";
import { type Departure, departuresOfFailed, departureText, knownByIds } from "../../observation/index.ts";
import { listFromBatch } from "../../store/instructions.ts";
import { againReferencesOf } from "../../store/pay-again.ts";
import { beginResults, endResults, listResultsDue } from "../../store/results-due.ts";
import type { Transaction } from "../../store/sql.ts";
import { whyNotItsPayout } from "../payments/own-payout.ts";
import { checkStillExclusive, exclusively } from "../workplace/exclusively.ts";
import { openFolders } from "../workplace/folders.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { answerPath, leftOutText } from "./answer-files.ts";
import { openArchivedTable } from "./payout-table.ts";

export interface WrittenResults {
  readonly paths: readonly string[];
  /** Why the files of some batches were not written; they stay due. */
  readonly problems: readonly Problem[];
}

/** Writes the result files that are due, with `all` all past approval; none while another process does. */
export async function writeResults(workplace: Workplace, all = false): Promise<WrittenResults> {
  const written = await exclusively(workplace, "results", (alone) => writeDue(alone, all));
  return written?.result ?? { paths: [], problems: [] };
}

async function writeDue(workplace: Workplace, all: boolean): Promise<WrittenResults> {
  const { store } = workplace;
  await openFolders(workplace, "outbox");
  const paths: string[] = [];
  const problems: Problem[] = [];
  for (const batch of await store.read(() => listResultsDue(all))) {
    // A missing archived file, one that is read differently now, or an open answer keeps no other sender waiting.
    const table = await orProblem(() => openArchivedTable(workplace, batch));
    if (isProblem(table)) {
      problems.push({ ...table, file: batch.fileName });
      continue;
    }
    const standings = await store.write(() => beginResults(batch.id, ENDED_PAYOUT_STATES));
    const written = await orProblem(() => writeBatchResults(workplace, batch, table), isAboutFile);
    if (isProblem(written)) {
      problems.push({ ...written, file: batch.fileName });
      continue;
    }
    paths.push(written);
    if (standings !== undefined) await store.write(() => endResults(batch.id, standings));
  }
  return { paths, problems };
}

/** Of the archived file, which is read to its end only now, or of the answer; not of the database. */
function isAboutFile({ code, file }: Problem): boolean {
  return code === "OUTPUT_UNWRITABLE" || file !== undefined;
}

async function writeBatchResults(workplace: Workplace, batch: Batch, table: Table): Promise<string> {
  const path = await answerPath(workplace, batch.fileName, "results", batch.id);
  let results: ReadonlyMap<number, RowResult> = new Map();
  await writeResultsAnswer({
    table: {
      ...table,
      async *windows() {
        for await (const window of table.windows()) {
          results = await workplace.store.read(() => resultsOf(batch.id, window));
          yield window;
        }
        // If this process was suspended, another may have written a newer one meanwhile.
        await checkStillExclusive(workplace.store);
      },
    },
    path,
    resultOf: (sent) => results.get(sent.row) ?? { standing: leftOutText(table, sent) },
  });
  return path;
}

/** The results by row number. */
function* resultsOf(batch: BatchId, window: readonly Row[]): Transaction<ReadonlyMap<number, RowResult>> {
  const instructions = yield* listFromBatch(batch, (window[0]?.row ?? 1) - 1, window.length);
  const payouts = yield* knownByIds(instructions.flatMap(({ payoutId }) => payoutId ?? []));
  const departures = yield* departuresOfFailed([...payouts.values()]);
  const again = yield* againReferencesOf(instructions.map(({ id }) => id));
  return new Map(
    instructions.map((instruction) => {
      const payout = instruction.payoutId && payouts.get(instruction.payoutId);
      const departure = payout && departures.get(payout.payoutId);
      return [instruction.row, resultOf(instruction, payout, departure, again.get(instruction.id))];
    }),
  );
}

function resultOf(
  instruction: Instruction,
  given: ObservedPayout | undefined,
  departure: Departure | undefined,
  again: string | undefined,
): RowResult {
  const { standing, payoutId } = instruction;
  const another = given && whyNotItsPayout(instruction, given);
  const payout = another === undefined ? given : undefined;
  const funds = payout?.sentFunds.at(-1);
  const error = another ?? errorOf(instruction, payout, departure);
  const note = noteOf(instruction, error, again);
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

/**
 * What a row waits for; for an accepted payment its reason, which tells how it was found and is no error. Whoever reads
 * that a row was not paid would submit it again: it may be paid already, or be sent by treasury.
 */
function noteOf(
  { standing, reason, fields }: Instruction,
  error: string | undefined,
  again: string | undefined,
): string | undefined {
  if (again !== undefined) return `treasury pays it again as ${again}: do not submit it again`;
  if (standing === "approved" && fields.payOn !== undefined) return `waits until ${fields.payOn}`;
  if (error !== undefined && standing !== "withdrawn") return "ask treasury before you submit it again";
  return standing === "accepted" ? reason : undefined;
}

function errorOf(
  { standing, reason }: Instruction,
  payout: ObservedPayout | undefined,
  departure: Departure | undefined,
): string | undefined {
  if (standing === "in doubt" || standing === "held")
    return `nobody can tell yet whether the payee is paid: ${reason ?? standing}`;
  if (standing !== "accepted") return reason;
  const meaning = payout && payoutStateMeaning(payout.state);
  if (payout === undefined || (meaning !== "failed" && meaning !== "unknown")) return undefined;
  if (meaning === "unknown")
    return `the payout is ${payout.state}: nobody can tell from it whether the payee is paid`;
  return departure === undefined
    ? `the payout ended ${payout.state}: the payee was not paid by it`
    : `the payout ended ${payout.state}, yet ${departureText(departure)}: the payee may have been paid`;
}
