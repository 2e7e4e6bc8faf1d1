/** Payments that are made once more on purpose: at most one for each earlier one, under a reference of its own. */
import type { Instant, InstructionId } from "../model/index.ts";
import { first, run, sql, type Transaction } from "./sql.ts";

export interface Again {
  readonly earlierId: InstructionId;
  readonly reference: string;
  readonly reason: string;
  readonly person: string;
  readonly at: Instant;
}

export function* insertAgain({ earlierId, reference, reason, person, at }: Again): Transaction<void> {
  yield* run(sql`insert into again (earlier_id, reference, reason, person, at)
    values (${earlierId}, ${reference}, ${reason}, ${person}, ${at})`);
}

/** The reference under which a payment is made once more, if it is. */
export function* findAgain(earlierId: InstructionId): Transaction<string | undefined> {
  const row = yield* first<{ reference: string }>(
    sql`select reference from again where earlier_id = ${earlierId}`,
  );
  return row?.reference;
}

export function* removeAgain(earlierId: InstructionId): Transaction<void> {
  yield* run(sql`delete from again where earlier_id = ${earlierId}`);
}
