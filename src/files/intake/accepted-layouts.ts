/**
 * What people accepted for a sender's layout: read when a file of the layout is checked, and extended when a batch
 * is released.
 */
import { hash } from "node:crypto";
import type { BatchReading } from "../../model/batch-reading.ts";
import type { ColumnMeanings } from "../../model/columns.ts";
import { type Grid, textOf } from "../../model/grid.ts";
import { type Batch, headerTexts, personKey } from "../../model/index.ts";
import { present } from "../../model/present.ts";
import { isAnsweredBy, type Question } from "../../model/sheet-reading.ts";
import { Decimal } from "../../money/index.ts";
import { type LayoutAnswers, listLargest, listLayouts, recordLargest } from "../../store/layouts.ts";
import type { Transaction } from "../../store/sql.ts";
import { visitBatch } from "../../store/windows.ts";
import type { Workplace } from "../../workplace/workplace.ts";
import { type AcceptedLayout, HEADER_LINE_MAX } from "../reading/index.ts";

/** The owner of the acceptances that count for a file: its named sender's layout, and this file alone. */
export interface LayoutOwner {
  readonly sender?: string;
  readonly sha256: string;
  /** The submitter, whose own acceptances do not count for the file. */
  readonly submittedBy?: string;
  /** Whether it is a single payment that does not come from a file. */
  readonly isSingle?: boolean;
}

/** A person's acceptance is kept for the named sender; without one, for this file alone. */
export function ownerName({ sender, sha256 }: LayoutOwner): string {
  return sender ?? `file ${sha256}`;
}

/**
 * The owner of the largest payment and file so far, with which a file is compared; undefined if no sender is known.
 */
function largestOwner({ sender, submittedBy, isSingle }: Omit<LayoutOwner, "sha256">): string | undefined {
  if (isSingle === true) return undefined;
  return sender ?? (submittedBy === undefined ? undefined : `person ${personKey(submittedBy)}`);
}

/** The accepted or paid layout whose header equals one of the file's first lines. */
export async function acceptedLayout(
  { store }: Workplace,
  owner: LayoutOwner,
  sheet: Pick<Grid, "lines">,
): Promise<AcceptedLayout | undefined> {
  const heads = headsOf(sheet);
  return store.read(function* (): Transaction<AcceptedLayout | undefined> {
    const { header, columns, answers } = yield* answersFor(owner, heads);
    const largest = yield* listLargest(largestOwner(owner) ?? "", heads.map(headerTexts));
    if (header === undefined && largest.length === 0) return undefined;
    const answered = (wanted: "pay" | "do not pay") =>
      new Set(Object.keys(answers).filter((id) => answers[id] === wanted));
    return {
      columns,
      accepted: answered("pay"),
      notPaid: answered("do not pay"),
      largest: Object.fromEntries(
        largest.map(({ currency, row, sum }) => [currency, { row: Decimal.of(row), sum: Decimal.of(sum) }]),
      ),
    };
  });
}

/** The texts of the first lines; the header is one of them. */
export function headsOf({ lines }: Pick<Grid, "lines">): (readonly string[])[] {
  return lines.slice(0, HEADER_LINE_MAX).map(({ cells }) => cells.map(textOf));
}

/**
 * The answers that people have accepted for one of these headers. If a question has two answers, the newer one
 * counts. No `header` if nothing was accepted.
 */
export function* answersFor(owner: LayoutOwner, headers: readonly (readonly string[])[]) {
  const known = new Set(headers.map((texts) => JSON.stringify(headerTexts(texts))));
  const submitter = personKey(owner.submittedBy ?? "");
  const layouts = (yield* listLayouts([`file ${owner.sha256}`, ownerName(owner)])).filter(
    ({ header, acceptedBy }) => known.has(JSON.stringify(header)) && personKey(acceptedBy) !== submitter,
  );
  const columns: ColumnMeanings = Object.assign({}, ...layouts.map((each) => each.columns));
  const answers: LayoutAnswers = Object.assign({}, ...layouts.map((each) => each.answers));
  return { header: layouts.at(-1)?.header, columns, answers };
}

/** The open questions about how a batch's file was read, and the SHA-256 of what was accepted for its layout. */
export function* openQuestions(
  owner: LayoutOwner,
  { header, questions }: Pick<BatchReading, "header" | "questions">,
): Transaction<{ readonly open: readonly Question[]; readonly layout?: string }> {
  const accepted = yield* answersFor(owner, [header]);
  const open = questions.filter((each) => !isAnsweredBy(each, (id) => accepted.answers[id] === "pay"));
  if (accepted.header === undefined) return { open };
  return { open, layout: hash("sha256", JSON.stringify(accepted)) };
}

/** Records the largest payment and sum of a released batch, with which later files of its layout are compared. */
export function* growLargest(
  { id, controlTotals, submittedBy }: Pick<Batch, "id" | "controlTotals" | "submittedBy">,
  { sender, header, isSingle }: Pick<BatchReading, "sender" | "header" | "isSingle">,
): Transaction<void> {
  const owner = largestOwner({ ...present({ sender, isSingle }), submittedBy });
  if (owner === undefined) return;
  const names = headerTexts(header);
  const known = new Map((yield* listLargest(owner, [names])).map((each) => [each.currency, each]));
  const rows = new Map<string, Decimal>();
  yield* visitBatch(id, (window) => {
    for (const { fields } of window) {
      const { currency, value } = fields.amount;
      rows.set(currency, largerOf(value, rows.get(currency)));
    }
  });
  for (const { currency, amount } of controlTotals) {
    const before = known.get(currency);
    const row = largerOf(rows.get(currency) ?? amount, before && Decimal.of(before.row));
    const sum = largerOf(amount, before && Decimal.of(before.sum));
    yield* recordLargest(owner, names, { currency, row: row.toString(), sum: sum.toString() });
  }
}

function largerOf(value: Decimal, other: Decimal | undefined): Decimal {
  return other !== undefined && other.compare(value) > 0 ? other : value;
}
