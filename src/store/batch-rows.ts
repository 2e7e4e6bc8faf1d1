/** A page of a batch's payments, found and ordered by the database: there may be a hundred thousand. */
import {
  type BatchId,
  comparableDestination,
  comparedName,
  type Day,
  foldedReference,
  type Instruction,
  type PayoutEnd,
  type ShownStanding,
  STANDINGS,
  type Standing,
} from "../model/index.ts";
import type { TextsBeside } from "../model/sheet-reading.ts";
import { type InstructionRow, instructionFrom, instructionsWhere, standsAt } from "./instructions.ts";
import {
  all,
  allOf,
  column,
  finds,
  first,
  insertRows,
  type Statement,
  sql,
  type Transaction,
} from "./sql.ts";

type RowOrder = "largest" | "file" | "payee";

export interface RowsWanted {
  /** Part of a reference, payee or destination; "" for any. */
  readonly find: string;
  /** Row numbers; undefined for any. */
  readonly among?: readonly number[] | undefined;
  /** Undefined for any. */
  readonly standing?: ShownStanding | undefined;
  readonly order: RowOrder;
  readonly skip: number;
  readonly count: number;
}

/** The payments that match, in the requested order. */
export function* listRows(batch: BatchId, wanted: RowsWanted): Transaction<Instruction[]> {
  const numbers = yield* column<number>(rowsOf(batch, wanted));
  const found = yield* instructionsWhere(sql`batch_id = ${batch} and row in ${numbers}`);
  const byRow = new Map(found.map((each) => [each.row, each]));
  return numbers.flatMap((row) => byRow.get(row) ?? []);
}

function rowsOf(batch: BatchId, { find, among, standing, order, skip, count }: RowsWanted): Statement {
  const wanted = [sql`batch_id = ${batch}`];
  if (find !== "")
    wanted.push(sql`(instr(folded_reference, ${foldedReference(find)}) > 0
      or instr(coalesce(payee, ''), ${comparedName(find) ?? find}) > 0
      or instr(destination, ${comparableDestination(find)}) > 0)`);
  if (among !== undefined) wanted.push(sql`row in ${among}`);
  if (standing !== undefined) wanted.push(standsAt(standing));
  const by = order === "largest" && wanted.length === 1 ? LARGEST : ORDERS[order];
  return sql`select row from instruction where ${allOf(wanted)}
    order by ${by}, row limit ${count} offset cast(${skip} as bigint)`;
}

/** Amounts as floating-point numbers, used only to sort. This expression has an index. */
const LARGEST = sql`(-cast(amount as double precision))`;

const ORDERS: Readonly<Record<RowOrder, Statement>> = {
  // The plus disables the index for sorting; SQLite uses the filter's index instead.
  largest: sql`+${LARGEST}`,
  file: sql`row`,
  payee: sql`coalesce(payee, '')`,
};

/** The number of payments of a batch per standing; standings that do not occur are left out. */
export function* countStandingsOf(batch: BatchId): Transaction<ReadonlyMap<ShownStanding, number>> {
  const rows = yield* all<{ standing: Standing } & Record<"count" | PayoutEnd, number>>(
    sql`select standing, count(*) as count, count(case payout_end when 'arrived' then 1 end) as arrived,
        count(case payout_end when 'failed' then 1 end) as failed from instruction
      where standing in ${STANDINGS} and batch_id = ${batch} group by standing`,
  );
  const counts = new Map<ShownStanding, number>();
  for (const { standing, count, arrived, failed } of rows) {
    counts.set(standing, count - arrived - failed);
    if (standing === "accepted") counts.set("arrived", arrived).set("failed", failed);
  }
  return new Map([...counts].filter(([, count]) => count > 0));
}

const REJECTIONS_MAX = 5;

/** Who rejected payments of the batch and why: "rejected by carol: not ours"; the five most frequent first. */
export function listRejections(batch: BatchId): Transaction<string[]> {
  return column(sql`select reason from instruction
    where standing = ${"withdrawn" satisfies Standing} and batch_id = ${batch} and reason is not null
    group by reason order by count(*) desc, reason limit ${REJECTIONS_MAX}`);
}

/** Whether a run held back approved payments of the batch. */
export function isAnyHeldBack(batch: BatchId): Transaction<boolean> {
  return finds(
    sql`select 1 from instruction where standing = 'approved' and reason is not null and batch_id = ${batch} limit 1`,
  );
}

/** The payment days of the batch's payments that an approval lets leave, or leave again; undefined without one. */
export function* listApprovedDays(batch: BatchId): Transaction<(Day | undefined)[]> {
  const standings: readonly Standing[] = ["approved", "in doubt"];
  const days = yield* column<Day | null>(
    sql`select distinct pay_on from instruction where standing in ${standings} and batch_id = ${batch}`,
  );
  return days.map((day) => day ?? undefined);
}

/** The values by which a payment is compared with payments of another file. */
interface TimedRow {
  readonly row: number;
  /** In comparable form. */
  readonly payee: string | null;
  readonly destination: string;
  readonly currency: string;
  readonly amount: string;
}

/** The payments of a batch after `row` that were not rejected, at most `count`. */
export function listTimedRows(batch: BatchId, row: number, count: number): Transaction<readonly TimedRow[]> {
  return all(sql`select row, payee, destination, currency, amount from instruction
    where batch_id = ${batch} and row > ${row} and standing || '' <> 'withdrawn' order by row limit ${count}`);
}

/** The payments of a batch after `row`, each with its values from the file, at most `count`. */
export function* listPlacedRows(
  batch: BatchId,
  row: number,
  count: number,
): Transaction<readonly (Instruction & { readonly line: number; readonly fieldsText: string })[]> {
  const rows = yield* all<InstructionRow & { readonly line: number }>(
    sql`select id, batch_id, row, line, fields, standing, reason, payout_id from instruction
      where batch_id = ${batch} and row > ${row} order by row limit ${count}`,
  );
  return rows.map((each) => ({ ...instructionFrom(each), line: each.line, fieldsText: each.fields }));
}

/** The payees of some rows of a batch, as written in the file. */
export function* listPayeeNames(
  batch: BatchId,
  rows: readonly number[],
): Transaction<ReadonlyMap<number, string | undefined>> {
  const found = yield* all<{ row: number; name: string | null }>(
    sql`select row, json_extract(fields, '$.customerId') as name from instruction
      where batch_id = ${batch} and row in ${rows}`,
  );
  return new Map(found.map(({ row, name }) => [row, name ?? undefined]));
}

/** How many different payees and how many different destinations a batch has in a currency. */
export function* countNamesOf(
  batch: BatchId,
): Transaction<{ readonly names: number; readonly pairs: number }> {
  const counted = yield* first<{ names: number; pairs: number }>(sql`
    select count(distinct currency || ' ' || payee) as names,
      count(distinct currency || ' ' || payee || ' at ' || destination) as pairs
    from instruction where batch_id = ${batch} and payee is not null`);
  return counted ?? { names: 0, pairs: 0 };
}

/** Stores the texts of columns that are not read, for each payment. */
export function insertTextsBeside(
  batch: BatchId,
  rows: readonly { readonly row: number; readonly texts: readonly string[] }[],
): Transaction<void> {
  return insertRows(
    "insert into text_beside (batch_id, row, texts)",
    rows.map(({ row, texts }) => [batch, row, JSON.stringify(texts)]),
  );
}

/** The texts of columns that are not read, for these rows of a batch, in file order. */
export function* listTextsBeside(batch: BatchId, rows: readonly number[]): Transaction<TextsBeside["rows"]> {
  const found = yield* all<{ row: number; texts: string }>(
    sql`select row, texts from text_beside where batch_id = ${batch} and row in ${rows} order by row`,
  );
  return found.map(({ row, texts }) => ({ row, texts: JSON.parse(texts) as string[] }));
}
