/** A refused row is taken out of the batch. */
import * as original from "../../../src/execution/settle.ts";
import { run, sql } from "../../../src/store/sql.ts";

export * from "../../../src/execution/settle.ts";

export const settle: typeof original.settle = function* (submissionId, instruction, ...others) {
  const outcome = yield* original.settle(submissionId, instruction, ...others);
  if (outcome.kind !== "refused") return outcome;
  yield* run(sql`delete from submission where instruction_id = ${instruction.id}`);
  yield* run(sql`delete from instruction where id = ${instruction.id}`);
  return outcome;
};
