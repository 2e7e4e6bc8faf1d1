/** The refusal of a repeated send is taken for the truth about the payout. */
import { all, run, sql } from "../../../src/store/sql.ts";
import * as original from "../../../src/store/submissions.ts";

export * from "../../../src/store/submissions.ts";

export const recordSendEnded: typeof original.recordSendEnded = function* (id, evidence, ...others) {
  yield* original.recordSendEnded(id, evidence, ...others);
  if (!/answered 4\d\d/.test(evidence)) return;
  const [row] = yield* all<{ instruction_id: string }>(
    sql`update submission set outcome = 'refused' where id = ${id} returning instruction_id`,
  );
  yield* run(sql`update instruction set standing = 'refused' where id = ${row?.instruction_id}`);
};
