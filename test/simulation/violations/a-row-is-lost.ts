/** A refused row is taken out of the batch. */
import * as original from "../../../src/payments/sending/settle.ts";
import { run, sql } from "../../../src/store/sql.ts";

export * from "../../../src/payments/sending/settle.ts";

export const settleAll: typeof original.settleAll = function* (all) {
  const outcomes = yield* original.settleAll(all);
  for (const [index, { instruction }] of all.entries()) {
    if (outcomes[index]?.kind !== "refused") continue;
    yield* run(sql`delete from submission where instruction_id = ${instruction.id}`);
    yield* run(sql`delete from instruction where id = ${instruction.id}`);
  }
  return outcomes;
};
