/** A payout that a look does not show is taken for one that never left. */
import { moveInstruction } from "../../../src/store/instructions.ts";
import * as original from "../../../src/store/looks.ts";
import { all, sql } from "../../../src/store/sql.ts";

export * from "../../../src/store/looks.ts";

export const recordLook: typeof original.recordLook = function* (id, look, at) {
  yield* original.recordLook(id, look, at);
  if (look.saw.includes("incomplete")) return;
  const [row] = yield* all<{ instruction_id: string }>(
    sql`update submission set outcome = 'not sent' where id = ${id} returning instruction_id`,
  );
  if (row === undefined) return;
  const instruction = row.instruction_id as Parameters<typeof moveInstruction>[0];
  yield* moveInstruction(instruction, { to: "held", at: "2026-11-20T09:30:00.000Z" });
  yield* moveInstruction(instruction, { to: "approved", at: "2026-11-20T09:30:00.000Z" });
};
