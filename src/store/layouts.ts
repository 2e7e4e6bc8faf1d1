/**
 * What people have accepted about senders' layouts: how columns are read, and which questions are answered for
 * good.
 */
import type { ColumnMeanings } from "../model/columns.ts";
import type { Instant } from "../model/index.ts";
import { all, run, sql, type Transaction } from "./sql.ts";

/** By the id of a question: whether the rows in question are paid. */
export type LayoutAnswers = Readonly<Record<string, "pay" | "do not pay">>;

/** What one person accepted. */
interface StoredLayout {
  /** A named sender; or `file SHA-256`, for one file alone. */
  readonly sender: string;
  /** The header's texts. */
  readonly header: readonly string[];
  readonly columns: ColumnMeanings;
  readonly answers: LayoutAnswers;
  readonly acceptedBy: string;
  readonly acceptedAt: Instant;
}

/** Adds to what the person has already accepted for the layout. */
export function* recordLayout(layout: StoredLayout): Transaction<void> {
  const { sender, header, acceptedBy, acceptedAt } = layout;
  const earlier = (yield* listLayouts([sender])).find(
    (each) => each.acceptedBy === acceptedBy && JSON.stringify(each.header) === JSON.stringify(header),
  );
  const columns = { ...earlier?.columns, ...layout.columns };
  const answers = { ...earlier?.answers, ...layout.answers };
  const texts = [header, columns, answers].map((each) => JSON.stringify(each));
  yield* run(sql`insert into layout (sender, header, columns, answers, accepted_by, accepted_at)
    values (${sender}, ${texts[0]}, ${texts[1]}, ${texts[2]}, ${acceptedBy}, ${acceptedAt})
    on conflict (sender, header, accepted_by) do update set columns = excluded.columns, answers = excluded.answers,
      accepted_at = excluded.accepted_at`);
}

/** The layouts of these senders, the newest last. */
export function* listLayouts(senders: readonly string[]): Transaction<StoredLayout[]> {
  const rows = yield* all<
    Record<"sender" | "header" | "columns" | "answers" | "accepted_by" | "accepted_at", string>
  >(sql`select * from layout where sender in ${senders} order by accepted_at`);
  return rows.map((row) => ({
    sender: row.sender,
    header: JSON.parse(row.header) as string[],
    columns: JSON.parse(row.columns) as ColumnMeanings,
    answers: JSON.parse(row.answers) as StoredLayout["answers"],
    acceptedBy: row.accepted_by,
    acceptedAt: row.accepted_at,
  }));
}

/** The largest payment and the largest file so far of a layout, by currency; each is decimal text. */
interface LargestSoFar {
  readonly currency: string;
  readonly row: string;
  readonly sum: string;
}

/** The largest amounts of the layouts with these headers. */
export function* listLargest(
  sender: string,
  headers: readonly (readonly string[])[],
): Transaction<readonly LargestSoFar[]> {
  const texts = headers.map((header) => JSON.stringify(header));
  return yield* all<LargestSoFar>(sql`select currency, largest_row as row, largest_sum as sum from layout_largest
    where sender = ${sender} and header in ${texts}`);
}

export function* recordLargest(
  sender: string,
  header: readonly string[],
  { currency, row, sum }: LargestSoFar,
): Transaction<void> {
  yield* run(sql`insert into layout_largest (sender, header, currency, largest_row, largest_sum)
    values (${sender}, ${JSON.stringify(header)}, ${currency}, ${row}, ${sum})
    on conflict (sender, header, currency) do update set largest_row = excluded.largest_row,
      largest_sum = excluded.largest_sum`);
}
