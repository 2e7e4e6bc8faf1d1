/** Writes `NAME.results.*` for each batch: the sender's file with the outcome of each row. */

import { isProblem, orProblem, type Problem } from "../faults/index.ts";
import { type LineResult, writeResultsAnswer } from "../files/answers/index.ts";
import { answerPath, removeAnswer } from "../files/intake/answer-files.ts";
import { openArchived } from "../files/intake/archive.ts";
import {
  type Batch,
  ENDED_PAYOUT_STATES,
  type Instruction,
  localMinuteText,
  type ObservedFunds,
  type ObservedPayout,
  payoutStateMeaning,
  RunningTotals,
  type SendingCalendar,
  standingInWords,
} from "../model/index.ts";
import { type Departure, departuresOfFailed, departureText, knownByIds } from "../observation/index.ts";
import { findBatchReading, listLines } from "../store/batches.ts";
import { againReferencesOf } from "../store/pay-again.ts";
import { beginResults, endResults, listResultsDue } from "../store/results-due.ts";
import type { Transaction } from "../store/sql.ts";
import { batchWindows } from "../store/windows.ts";
import { calendarOf } from "../workplace/calendar.ts";
import { checkStillExclusive, exclusively } from "../workplace/exclusively.ts";
import { openFolders } from "../workplace/folders.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { whyNotItsPayout } from "./named/own-payout.ts";

export interface WrittenResults {
  readonly paths: readonly string[];
  /** Why the files of some batches were not written; they stay due. */
  readonly problems: readonly Problem[];
}

/**
 * Writes the result files that are due; with `all`, those of all batches past approval. Writes none while another
 * process does.
 */
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
    // A missing archived file, or an answer that somebody has open, must not delay the other senders' files.
    const written = await orProblem(() => writeBatchResults(workplace, batch), isAboutFile);
    if (isProblem(written)) {
      problems.push({ ...written, file: batch.fileName });
      // Removed files do not come back, so without this their results would stay due for ever.
      if (written.code === "REMOVED_BY_RETENTION") await leaveUnwritten(workplace, batch);
    } else paths.push(...written);
  }
  return { paths, problems };
}

/** Whether a problem is about the archived file or the answer, not the database. */
function isAboutFile({ code, file, next }: Problem): boolean {
  return code === "OUTPUT_UNWRITABLE" || file !== undefined || next === "correct-file";
}

async function leaveUnwritten({ store }: Workplace, { id }: Batch): Promise<void> {
  await store.write(function* () {
    const standings = yield* beginResults(id, ENDED_PAYOUT_STATES);
    if (standings !== undefined) yield* endResults(id, standings);
  });
}

/** The result file replaces the acceptance answer. */
async function writeBatchResults(workplace: Workplace, batch: Batch): Promise<string[]> {
  const { store, config } = workplace;
  const reading = await store.read(() => findBatchReading(batch.id));
  if (reading === undefined) return [];
  const grid = await openArchived(workplace, batch, reading);
  const standings = await store.write(() => beginResults(batch.id, ENDED_PAYOUT_STATES));
  const path = await answerPath(workplace, batch, "results");
  const lines = await store.read(() => listLines(batch.id));
  const results = new Map<number, LineResult>();
  const sums = new Map<string, RunningTotals>();
  for await (const window of batchWindows(store, batch.id)) {
    const found = await store.read(() => resultsOf(window, calendarOf(config)));
    for (const [index, { row, fields }] of window.entries()) {
      const result = found[index] ?? {};
      results.set(lines.get(row) ?? 0, result);
      const sum = sums.get(result.standing ?? "") ?? new RunningTotals();
      sum.add(fields.amount);
      sums.set(result.standing ?? "", sum);
    }
  }
  // If this process was suspended, another may have written a newer one meanwhile.
  await checkStillExclusive(store);
  await writeResultsAnswer(
    { path, grid, reading, batch, results },
    new Map([...sums].map(([standing, sum]) => [standing, sum.totals()])),
  );
  await removeAnswer(await answerPath(workplace, batch, "accepted"));
  if (standings !== undefined) await store.write(() => endResults(batch.id, standings));
  return [path];
}

function* resultsOf(
  instructions: readonly Instruction[],
  calendar: SendingCalendar,
): Transaction<LineResult[]> {
  const payouts = yield* knownByIds(instructions.flatMap(({ payoutId }) => payoutId ?? []));
  const departures = yield* departuresOfFailed([...payouts.values()]);
  const again = yield* againReferencesOf(instructions.map(({ id }) => id));
  return instructions.map((instruction) => {
    const { id, standing, payoutId } = instruction;
    const given = payoutId && payouts.get(payoutId);
    const another = given && whyNotItsPayout(instruction, given);
    const payout = another === undefined ? given : undefined;
    const { amount, fee, txHash, confirmedAt }: Partial<ObservedFunds> = payout?.sentFunds.at(-1) ?? {};
    const error = another ?? errorOf(instruction, payout, payout && departures.get(payout.payoutId));
    return {
      reference: instruction.fields.reference,
      standing: standingInWords(standing, payout?.state),
      payoutId,
      state: payout?.state,
      sentAmount: amount?.value.toString(),
      currency: amount?.currency,
      // The currency column belongs to the sent amount.
      fee: fee && (fee.currency === amount?.currency ? fee.value.toString() : `${fee.value} ${fee.currency}`),
      txHash,
      confirmedDate: confirmedAt && localMinuteText(calendar.timeZone, confirmedAt),
      error,
      note: noteOf(instruction, error, again.get(id), calendar),
    };
  });
}

/**
 * What a row waits for; for an accepted payment, how it was found (not an error). Never says "not paid": the sender
 * would submit the row again, and it may be paid already, or be sent by treasury.
 */
function noteOf(
  { standing, reason, fields }: Instruction,
  error: string | undefined,
  again: string | undefined,
  calendar: SendingCalendar,
): string | undefined {
  if (again !== undefined) return `treasury pays it again as ${again}: do not submit it again`;
  const { payOn } = fields;
  if (standing === "approved" && payOn !== undefined) {
    const goesOn = calendar.workingDayFrom(payOn);
    return `waits until ${goesOn}${goesOn === payOn ? "" : `, because ${payOn} is a day off`}`;
  }
  if (error !== undefined && standing !== "withdrawn") return "ask treasury before you submit it again";
  return standing === "accepted" ? reason : undefined;
}

function errorOf(
  { standing, reason }: Instruction,
  payout: ObservedPayout | undefined,
  departure: Departure | undefined,
): string | undefined {
  if (standing === "in doubt" || standing === "held")
    return `it is not known yet whether the payee is paid: ${reason ?? standing}`;
  if (standing !== "accepted") return reason;
  const meaning = payout && payoutStateMeaning(payout.state);
  if (payout === undefined || (meaning !== "failed" && meaning !== "unknown")) return undefined;
  if (meaning === "unknown") return `the payout does not show whether the payee is paid (${payout.state})`;
  return departure === undefined
    ? `the payout failed (${payout.state}): the payee was not paid by it`
    : `the payout failed (${payout.state}), yet ${departureText(departure)}: the payee may have been paid`;
}
