/**
 * Which payment holds which reference, compared folded. A reference belongs to one payment for ever, with one
 * exception: a payment that was withdrawn and never sent gives its reference up when another file uses it. So a
 * batch that its approver rejected can be corrected and submitted again under the company's own references.
 */

import { chunks } from "../model/chunks.ts";
import { foldedReference, type Instruction } from "../model/index.ts";
import { instructionsIn } from "./instructions.ts";
import { all, finds, ITEMS_PER_STATEMENT, run, type Transaction } from "./sql.ts";

export interface ReferenceUse {
  readonly instruction: Instruction;
  /** Another payment may take the reference. */
  readonly isFree: boolean;
}

export function* findUses(references: readonly string[]): Transaction<readonly ReferenceUse[]> {
  const used = yield* instructionsIn({
    text: `select * from instruction where ${IS_AMONG}`,
    values: [JSON.stringify(references.map(foldedReference))],
  });
  const withdrawn = used.filter(({ standing }) => standing === "withdrawn").map(({ id }) => id);
  if (withdrawn.length === 0) return used.map((instruction) => ({ instruction, isFree: false }));
  const free = yield* all<{ id: string }>({
    text: `select id from instruction where id in (select value from json_each(?)) and ${IS_FREE}`,
    values: [JSON.stringify(withdrawn)],
  });
  const freeIds = new Set(free.map(({ id }) => id));
  return used.map((instruction) => ({ instruction, isFree: freeIds.has(instruction.id) }));
}

/** Whether another payment holds one of these references and does not give it up. */
export function* isAnyReferenceUsed(references: readonly string[]): Transaction<boolean> {
  for (const some of chunks(references, ITEMS_PER_STATEMENT)) {
    const text = `select 1 from instruction where ${IS_AMONG} and not (${IS_FREE}) limit 1`;
    if (yield* finds({ text, values: [JSON.stringify(some.map(foldedReference))] })) return true;
  }
  return false;
}

/**
 * Takes these references from withdrawn payments; returns how many. Those payments are then found only by id and
 * batch; their fields keep the reference.
 */
export function* freeReferences(references: readonly string[]): Transaction<number> {
  let freed = 0;
  for (const some of chunks(references, ITEMS_PER_STATEMENT))
    freed += yield* run({
      text: `update instruction set reference = reference || ' (withdrawn ' || id || ')',
        folded_reference = folded_reference || ' (withdrawn ' || id || ')' where ${IS_AMONG} and ${IS_FREE}`,
      values: [JSON.stringify(some.map(foldedReference))],
    });
  return freed;
}

const IS_AMONG = "folded_reference in (select value from json_each(?))";

/**
 * A payment that replaces another one is found by its reference, so it keeps the reference while the two are
 * linked.
 */
const IS_FREE = `standing = 'withdrawn'
  and not exists (select 1 from submission where instruction_id = instruction.id
    and (outcome is null or outcome <> 'not sent'))
  and not exists (select 1 from again where again.reference = instruction.reference)`;
