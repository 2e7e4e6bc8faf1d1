/**
 * Which payment holds which reference, compared folded. A reference belongs to one payment for ever, with one
 * exception: a payment that was withdrawn and never sent gives its reference up when another file uses it. So a
 * batch that its approver rejected can be corrected and submitted again under the company's own references.
 */

import { chunks } from "../model/chunks.ts";
import { foldedReference, type Instruction, type InstructionId } from "../model/index.ts";
import { instructionsWhere } from "./instructions.ts";
import { column, finds, ITEMS_PER_STATEMENT, run, type Statement, sql, type Transaction } from "./sql.ts";

export interface ReferenceUse {
  readonly instruction: Instruction;
  /** Another payment may take the reference. */
  readonly isFree: boolean;
}

export function* findUses(references: readonly string[]): Transaction<readonly ReferenceUse[]> {
  const used = yield* instructionsWhere(isAmong(references));
  const withdrawn = used.filter(({ standing }) => standing === "withdrawn").map(({ id }) => id);
  const free = new Set(withdrawn.length === 0 ? [] : yield* listFree(withdrawn));
  return used.map((instruction) => ({ instruction, isFree: free.has(instruction.id) }));
}

function listFree(ids: readonly InstructionId[]): Transaction<InstructionId[]> {
  return column(sql`select id from instruction where id in ${ids} and ${IS_FREE}`);
}

/** Whether another payment holds one of these references and does not give it up. */
export function* isAnyReferenceUsed(references: readonly string[]): Transaction<boolean> {
  for (const some of chunks(references, ITEMS_PER_STATEMENT))
    if (yield* finds(sql`select 1 from instruction where ${isAmong(some)} and not (${IS_FREE}) limit 1`))
      return true;
  return false;
}

/**
 * Takes these references from withdrawn payments; returns how many. Those payments are then found only by id and
 * batch; their fields keep the reference.
 */
export function* freeReferences(references: readonly string[]): Transaction<number> {
  let freed = 0;
  for (const some of chunks(references, ITEMS_PER_STATEMENT))
    freed += yield* run(sql`update instruction set reference = reference || ' (withdrawn ' || id || ')',
        folded_reference = folded_reference || ' (withdrawn ' || id || ')' where ${isAmong(some)} and ${IS_FREE}`);
  return freed;
}

function isAmong(references: readonly string[]): Statement {
  return sql`folded_reference in ${references.map(foldedReference)}`;
}

/**
 * A payment that replaces another one is found by its reference, so it keeps the reference while the two are
 * linked.
 */
const IS_FREE = sql`standing = 'withdrawn'
  and not exists (select 1 from submission where instruction_id = instruction.id
    and (outcome is null or outcome <> 'not sent'))
  and not exists (select 1 from again where again.reference = instruction.reference)`;
