/**
 * Which batches' result files are due. The file of a batch at rest becomes due again as soon as something changes.
 */
import { type Batch, type BatchId, compareText, type InstructionId, type Standing } from "../model/index.ts";
import { getBatch } from "./batches.ts";
import { all, finds, mapOf, run, sql, type Transaction } from "./sql.ts";

/** A batch's standings as one text, different after any change that matters: "accepted 198, refused 2". */
type StandingsText = string;

/** Marks a result file being written. If the process dies, the mark stays and the file is due. */
const BEING_WRITTEN = "being written";

/** Batches past approval whose result file may be out of date; with `isForced`, every batch past approval. */
export function* listResultsDue(isForced: boolean): Transaction<Batch[]> {
  const standings = yield* standingsOfAll();
  const written = yield* writtenByBatch();
  const due: Batch[] = [];
  for (const [id, now] of standings)
    if (hasLeftApproval(now) && (isForced || written.get(id) !== now)) due.push(yield* getBatch(id));
  return due.sort((left, right) => compareText(left.id, right.id));
}

/**
 * Records that a batch's result file is about to be written. Returns the standings that it will show if the batch
 * is at rest: no payment awaits a decision or a request, and each accepted payment's payout is in one of the states
 * `ended`. Returns undefined otherwise.
 */
export function* beginResults(
  batch: BatchId,
  ended: readonly string[],
): Transaction<StandingsText | undefined> {
  const isMoving = yield* finds(sql`select 1 from instruction
    left join observed on kind = 'payout' and observed.id = payout_id
    where batch_id = ${batch} and standing not in ${AT_REST}
      and (standing <> ${"accepted" satisfies Standing}
        or state is null or state not in ${ended})
    limit 1`);
  if (isMoving) return undefined;
  yield* run(sql`update batch set results_of = ${BEING_WRITTEN} where id = ${batch}`);
  return yield* standingsOf(batch);
}

const AT_REST = ["refused", "withdrawn", "abandoned"] as const satisfies readonly Standing[];

/** The file shows `standings`. It is due again at once if a payout has changed since `beginResults`. */
export function* endResults(batch: BatchId, standings: StandingsText): Transaction<void> {
  yield* run(
    sql`update batch set results_of = ${standings} where id = ${batch} and results_of = ${BEING_WRITTEN}`,
  );
}

/** Makes the result files of these batches due again, because the service shows some of their payouts differently. */
export function* markResultsDue(batchIds: readonly BatchId[]): Transaction<void> {
  yield* run(sql`update batch set results_of = null where results_of is not null and id in ${batchIds}`);
}

/**
 * Makes the result file of a payment's batch due again: the batch may come to rest with the same standings but
 * different results.
 */
export function* markResultDue(id: InstructionId): Transaction<void> {
  yield* run(sql`update batch set results_of = null where results_of is not null
    and id = (select batch_id from instruction where id = ${id})`);
}

/** Makes the result files of payments due again that this batch pays again, so that the files say so. */
export function* markPaidAgainDue(batch: BatchId): Transaction<void> {
  yield* run(sql`update batch set results_of = null where results_of is not null and id in
    (select earlier.batch_id from again cross join instruction as earlier cross join instruction as later
      where earlier.id = earlier_id and later.reference = again.reference and later.batch_id = ${batch})`);
}

interface StandingCount {
  readonly batch_id: BatchId;
  readonly standing: Standing;
  readonly count: number;
}

/** Reads only the index of standings. */
function* standingsOfAll(): Transaction<ReadonlyMap<BatchId, StandingsText>> {
  return textsByBatch(
    yield* all<StandingCount>(sql`select batch_id, standing, count(*) as count from instruction
      group by standing, batch_id order by standing, batch_id`),
  );
}

function* standingsOf(batch: BatchId): Transaction<StandingsText | undefined> {
  const counts = yield* all<StandingCount>(sql`select batch_id, standing, count(*) as count from instruction
    where batch_id = ${batch} group by standing, batch_id order by standing`);
  return textsByBatch(counts).get(batch);
}

function textsByBatch(counts: readonly StandingCount[]): ReadonlyMap<BatchId, StandingsText> {
  const texts = new Map<BatchId, StandingsText>();
  for (const { batch_id, standing, count } of counts) {
    const before = texts.get(batch_id);
    texts.set(batch_id, `${before === undefined ? "" : `${before}, `}${standing} ${count}`);
  }
  return texts;
}

function hasLeftApproval(standings: StandingsText): boolean {
  return !/^received \d+$/.test(standings);
}

function writtenByBatch(): Transaction<ReadonlyMap<string, string>> {
  return mapOf(sql`select id, results_of from batch where results_of is not null`);
}
