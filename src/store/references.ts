/**
 * Which payments have which references. A reference is one payment's for ever, with one exception: a payment that was withdrawn and of
 * which nothing ever left gives its reference up when a file asks for it again, so that a batch whose approver said no can come back
 * corrected under its own names.
 */
import type { Instruction } from "../model/index.ts";
import { findByReferences } from "./instructions.ts";
import type { ReadingId } from "./readings.ts";
import { all, first, run, type Transaction } from "./sql.ts";

export interface ReferenceUse {
  readonly instruction: Instruction;
  /** The reference can be had again. */
  readonly isFree: boolean;
}

/** Of each reference that was used before, by which payment. */
export function* findUses(references: readonly string[]): Transaction<readonly ReferenceUse[]> {
  const used = yield* findByReferences(references);
  const withdrawn = used.filter(({ standing }) => standing === "withdrawn").map(({ id }) => id);
  if (withdrawn.length === 0) return used.map((instruction) => ({ instruction, isFree: false }));
  const free = yield* all<{ id: string }>({
    text: `select id from instruction where id in (select value from json_each(?)) and ${IS_FREE}`,
    values: [JSON.stringify(withdrawn)],
  });
  const freeIds = new Set(free.map(({ id }) => id));
  return used.map((instruction) => ({ instruction, isFree: freeIds.has(instruction.id) }));
}

/** Whether a reference of one of the reading's drafts is another payment's and cannot be had. */
export function* isKeptReferenceUsed(reading: ReadingId): Transaction<boolean> {
  const used = yield* first({
    text: `select 1 from instruction where ${IS_KEPT} and not (${IS_FREE}) limit 1`,
    values: [reading],
  });
  return used !== undefined;
}

/**
 * Takes the references of the reading's drafts from withdrawn payments; returns of how many. Those are found by their ids and batches from
 * then on, and their fields keep the reference that they had.
 */
export function freeReferences(reading: ReadingId): Transaction<number> {
  return run({
    text: `update instruction set reference = reference || ' (withdrawn ' || id || ')' where ${IS_KEPT} and ${IS_FREE}`,
    values: [reading],
  });
}

const IS_KEPT = "reference in (select reference from reading_draft where reading = ?)";

/** A payment that pays another one once more is found by its reference, as long as it is to do so. */
const IS_FREE = `standing = 'withdrawn'
  and not exists (select 1 from submission where instruction_id = instruction.id and (outcome is null or outcome <> 'not sent'))
  and not exists (select 1 from again where again.reference = instruction.reference)`;
