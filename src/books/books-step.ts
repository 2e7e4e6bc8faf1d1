/**
 * The state of the books, without reading all entries: what is held, sums, periods, and the ERPs' answers to the
 * last batches.
 */
import { answeringTargets } from "../model/ledger-table.ts";
import { countAnswers, listUnanswered } from "../store/erp-answers.ts";
import { type ExportBatch, type IssuedFile, listExportBatches } from "../store/export-batches.ts";
import { type Held, listHeld } from "../store/held.ts";
import { countEntries } from "../store/ledger-entries.ts";
import { listLedgerSums } from "../store/ledger-sums.ts";
import { countNotBooked } from "../store/unposted.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { type Periods, periodsIn } from "./periods-step.ts";
import { LedgerSums, type TrialBalance } from "./rules/trial-balance.ts";

/** With what its ERP has answered. */
export interface AnsweredBatch extends ExportBatch {
  readonly files: readonly IssuedFile[];
  /** Entries by the ERP's verdict. */
  readonly posted: number;
  readonly refused: number;
  /** Whether its target's answers are read. */
  readonly isAnswered: boolean;
  /** How many entries the ERP has not answered yet; 0 if it is excused or need not answer. */
  readonly unanswered: number;
}

export interface Books extends Periods {
  readonly entries: number;
  readonly held: readonly Held[];
  readonly notBooked: number;
  readonly trialBalance: TrialBalance;
  /** Newest first. */
  readonly batches: readonly AnsweredBatch[];
}

/** `count`: the maximum of batches. Changes nothing. */
export function booksStep({ store, config, context }: Workplace, count: number): Promise<Books> {
  const answering = new Set(answeringTargets(config.ledger.exports));
  return store.read(function* () {
    const batches = yield* listExportBatches(count);
    const answers = yield* countAnswers(batches.map(({ id }) => id));
    const waiting = yield* listUnanswered([...answering], context.clock.now());
    const waitingOf = ({ target, number }: ExportBatch) =>
      waiting.find((each) => each.target === target && each.number === number)?.entries ?? 0;
    const countOf = (id: number, verdict: string) =>
      answers.find((each) => each.batch === id && each.verdict === verdict)?.count ?? 0;
    return {
      ...(yield* periodsIn(config)),
      entries: yield* countEntries(),
      held: yield* listHeld(),
      notBooked: yield* countNotBooked(),
      trialBalance: new LedgerSums(config.ledger.functionalCurrency, yield* listLedgerSums()).trialBalance(),
      batches: batches.map((batch) => ({
        ...batch,
        posted: countOf(batch.id, "posted"),
        refused: countOf(batch.id, "refused"),
        isAnswered: answering.has(batch.target),
        unanswered: waitingOf(batch),
      })),
    };
  });
}
