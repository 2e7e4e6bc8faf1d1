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

/** The numbers of all rows in this order. Amounts as floating-point numbers only put them in order. */
export function* listRowNumbers(batch: BatchId, order: RowOrder): Transaction<number[]> {
  const rows = yield* all<{ row: number }>(sql`select row from instruction where batch_id = ${batch}
    order by case when ${order} = 'largest' then -cast(amount as double precision) end,
      case when ${order} = 'payee' then coalesce(payee, '') end, row`);
  return rows.map(({ row }) => row);
}

/** The numbers of all rows with this text in their reference, payee or destination. */
export function* findRowNumbers(batch: BatchId, find: string): Transaction<Set<number>> {
  const rows = yield* all<{ row: number }>(sql`select row from instruction where batch_id = ${batch}
      and (instr(folded_reference, ${foldedReference(find)}) > 0 or instr(destination, ${comparableDestination(find)}) > 0
        or instr(coalesce(payee, ''), ${comparedName(find) ?? find}) > 0)`);
  return new Set(rows.map(({ row }) => row));
}

/** Those with these numbers, in their order. */
export function* listRows(batch: BatchId, rows: readonly number[]): Transaction<Instruction[]> {
  const found = yield* instructionsIn(
    sql`select * from instruction where batch_id = ${batch} and row in ${rows}`,
  );
  const byRow = new Map(found.map((each) => [each.row, each]));
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
