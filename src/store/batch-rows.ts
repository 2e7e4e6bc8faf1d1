/** A page of a batch's payments, found and ordered by the database: there may be a hundred thousand. */
import {
  type BatchId,
  comparableDestination,
  comparedName,
  type Day,
  foldedReference,
  type Instruction,
  STANDINGS,
  type Standing,
} from "../model/index.ts";
import { instructionsIn } from "./instructions.ts";
import { all, finds, sql, type Transaction } from "./sql.ts";

export type RowOrder = "largest" | "file" | "payee";

export interface RowsWanted {
  /** Part of a reference, payee or destination; "" for any. */
  readonly find: string;
  /** Row numbers; undefined for any. */
  readonly among?: readonly number[] | undefined;
  readonly order: RowOrder;
  readonly skip: number;
  readonly count: number;
}

export function* listRowsWanted(batch: BatchId, wanted: RowsWanted): Transaction<Instruction[]> {
  const { find, among, order, skip, count } = wanted;
  const payee = comparedName(find) ?? find;
  const isAny = find === "" ? 1 : 0;
  // Amounts as floating-point numbers only put the rows in order.
  const found = yield* all<{ row: number }>(sql`select row from instruction where batch_id = ${batch}
      and (${among === undefined ? 1 : 0} = 1 or row in ${among ?? []})
      and (${isAny} = 1 or instr(folded_reference, ${foldedReference(find)}) > 0 or instr(coalesce(payee, ''), ${payee}) > 0
        or instr(destination, ${comparableDestination(find)}) > 0)
    order by case when ${order} = 'largest' then -cast(amount as double precision) end,
      case when ${order} = 'payee' then coalesce(payee, '') end, row limit ${count} offset ${skip}`);
  const rows = found.map(({ row }) => row);
  const instructions = yield* instructionsIn(
    sql`select * from instruction where batch_id = ${batch} and row in ${rows}`,
  );
  const byRow = new Map(instructions.map((each) => [each.row, each]));
  return rows.flatMap((row) => byRow.get(row) ?? []);
}

/** The number of payments of a batch per standing; standings that do not occur are left out. */
export function* countStandingsOf(batch: BatchId): Transaction<ReadonlyMap<Standing, number>> {
  const rows = yield* all<{ standing: Standing; count: number }>(
    sql`select standing, count(*) as count from instruction where standing in ${STANDINGS} and batch_id = ${batch} group by standing`,
  );
  return new Map(rows.map(({ standing, count }) => [standing, count]));
}

/** Whether a run held back approved payments of the batch. */
export function isAnyHeldBack(batch: BatchId): Transaction<boolean> {
  return finds(
    sql`select 1 from instruction where standing = ${"approved" satisfies Standing} and batch_id = ${batch} and reason is not null limit 1`,
  );
}

/** The days of the batch's approved payments; undefined for those without one. */
export function* listApprovedDays(batch: BatchId): Transaction<(Day | undefined)[]> {
  const rows = yield* all<{ pay_on: Day | null }>(
    sql`select distinct pay_on from instruction where standing = ${"approved" satisfies Standing} and batch_id = ${batch}`,
  );
  return rows.map(({ pay_on }) => pay_on ?? undefined);
}
