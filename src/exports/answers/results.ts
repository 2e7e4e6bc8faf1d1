/** `NAME.results.*`: the sender's file with what became of every row. */
import { ANSWER_COLUMNS, type Instant, type PayoutId, type Row } from "../../model/index.ts";
import type { Amount } from "../../money/index.ts";
import { oneLine } from "../cell-text.ts";
import { type Answer, writeAnswer } from "./answer.ts";

/** What became of one row, as far as known. */
export interface RowResult {
  readonly standing: string;
  readonly payoutId?: PayoutId;
  readonly state?: string;
  readonly sentAmount?: Amount;
  readonly fee?: Amount;
  readonly txHash?: string;
  readonly confirmedAt?: Instant;
  /** Why the money was not sent, or is not known to have been sent. */
  readonly error?: string;
  readonly note?: string;
}

interface ResultsAnswer extends Pick<Answer, "table" | "path"> {
  resultOf(row: Row): RowResult;
}

const COLUMNS: readonly (readonly [name: string, textOf: (result: RowResult) => string | undefined])[] = [
  [ANSWER_COLUMNS.standing, ({ standing }) => standing],
  [ANSWER_COLUMNS.payoutId, ({ payoutId }) => payoutId],
  [ANSWER_COLUMNS.state, ({ state }) => state],
  [ANSWER_COLUMNS.sentAmount, ({ sentAmount }) => sentAmount?.value.toString()],
  [ANSWER_COLUMNS.currency, ({ sentAmount }) => sentAmount?.currency],
  [ANSWER_COLUMNS.fee, feeText],
  [ANSWER_COLUMNS.txHash, ({ txHash }) => txHash],
  [ANSWER_COLUMNS.confirmedDate, ({ confirmedAt }) => confirmedAt],
  [ANSWER_COLUMNS.error, ({ error }) => error],
  [ANSWER_COLUMNS.note, ({ note }) => note],
];

/** Amounts are texts with all digits; texts from the service are single visible lines. Throws OUTPUT_UNWRITABLE. */
export async function writeResultsAnswer({ table, path, resultOf }: ResultsAnswer): Promise<string[]> {
  return writeAnswer({
    table,
    path,
    columns: COLUMNS.map(([name]) => name),
    addTo: (row) => {
      const result = resultOf(row);
      return { added: COLUMNS.map(([, textOf]) => oneLine(textOf(result) ?? "")) };
    },
    summary: () => [],
  });
}

/** The currency column belongs to the sent amount, so a fee in another currency names its own. */
function feeText({ fee, sentAmount }: RowResult): string | undefined {
  if (fee === undefined) return undefined;
  return fee.currency === sentAmount?.currency ? fee.value.toString() : `${fee.value} ${fee.currency}`;
}
