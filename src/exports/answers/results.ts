/** `NAME.results.*`: the sender's file with what became of every row. */
import { ANSWER_COLUMNS, type ControlTotal, type Instant, type PayoutId } from "../../model/index.ts";
import type { SheetReading } from "../../model/sheet-reading.ts";
import type { Amount } from "../../money/index.ts";
import { oneLine } from "../cell-text.ts";
import type { Answer } from "./answer.ts";
import { readingGroups, totalFacts } from "./reading-summary.ts";
import { writeAnswer } from "./write-answer.ts";

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

export interface ResultsAnswer extends Pick<Answer, "grid" | "path"> {
  readonly reading: SheetReading;
  readonly file: string;
  /** By line. */
  readonly results: ReadonlyMap<number, RowResult>;
  /** How many payments have which standing, and their sums. */
  readonly standings: ReadonlyMap<string, readonly ControlTotal[]>;
  /** Shows an instant in the company's time zone. */
  readonly localTime: (instant: Instant) => string;
}

const COLUMNS: readonly (readonly [
  name: string,
  textOf: (result: RowResult, localTime: ResultsAnswer["localTime"]) => string | undefined,
])[] = [
  [ANSWER_COLUMNS.standing, ({ standing }) => standing],
  [ANSWER_COLUMNS.payoutId, ({ payoutId }) => payoutId],
  [ANSWER_COLUMNS.state, ({ state }) => state],
  [ANSWER_COLUMNS.sentAmount, ({ sentAmount }) => sentAmount?.value.toString()],
  [ANSWER_COLUMNS.currency, ({ sentAmount }) => sentAmount?.currency],
  [ANSWER_COLUMNS.fee, feeText],
  [ANSWER_COLUMNS.txHash, ({ txHash }) => txHash],
  [ANSWER_COLUMNS.confirmedDate, ({ confirmedAt }, localTime) => confirmedAt && localTime(confirmedAt)],
  [ANSWER_COLUMNS.error, ({ error }) => error],
  [ANSWER_COLUMNS.note, ({ note }) => note],
];

/** Amounts are texts with all digits; texts from the service are single visible lines. Throws OUTPUT_UNWRITABLE. */
export function writeResultsAnswer(answer: ResultsAnswer): Promise<string[]> {
  const { path, grid, reading, file, results, standings, localTime } = answer;
  const textsOf = (result: RowResult) =>
    COLUMNS.map(([, textOf]) => oneLine(textOf(result, localTime) ?? ""));
  return writeAnswer({
    path,
    grid,
    reading,
    columns: COLUMNS.map(([name]) => name),
    added: new Map([...results].map(([line, result]) => [line, textsOf(result)])),
    marked: new Map(),
    holdsSecret: false,
    summary: {
      sentence: `${file}: what became of every payment.`,
      groups: [
        ...[...standings].map(([heading, totals]) => ({ heading, facts: totalFacts(totals) })),
        ...readingGroups(reading, []),
      ],
      findings: [],
    },
  });
}

/** The currency column belongs to the sent amount, so a fee in another currency names its own. */
function feeText({ fee, sentAmount }: RowResult): string | undefined {
  if (fee === undefined) return undefined;
  return fee.currency === sentAmount?.currency ? fee.value.toString() : `${fee.value} ${fee.currency}`;
}
