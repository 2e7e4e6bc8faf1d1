/** `NAME.results.*`: the sender's file with what became of every row. */
import { ANSWER_COLUMNS, type Instant, type PayoutId, type Row, type Table } from "../../model/index.ts";
import type { Amount } from "../../money/index.ts";
import { oneLine } from "../one-line.ts";
import { writeAnswer } from "./answer.ts";

/** What became of one row; only what is known. */
export interface RowResult {
  /** The instruction's standing, in words. */
  readonly standing: string;
  readonly payoutId?: PayoutId;
  /** The service's payoutState. */
  readonly state?: string;
  readonly sentAmount?: Amount;
  readonly fee?: Amount;
  readonly txHash?: string;
  readonly confirmedAt?: Instant;
  /** Why the money did not go, or is not known to have gone, in words. */
  readonly error?: string;
  /** What it waits for. */
  readonly note?: string;
}

export interface ResultsAnswer {
  readonly table: Table;
  readonly path: string;
  /** Undefined for a row that never became an instruction; its columns stay empty. */
  resultOf(row: Row): RowResult | undefined;
}

const COLUMNS = [
  ANSWER_COLUMNS.standing,
  ANSWER_COLUMNS.payoutId,
  ANSWER_COLUMNS.state,
  ANSWER_COLUMNS.sentAmount,
  ANSWER_COLUMNS.currency,
  ANSWER_COLUMNS.fee,
  ANSWER_COLUMNS.txHash,
  ANSWER_COLUMNS.confirmedDate,
  ANSWER_COLUMNS.error,
  ANSWER_COLUMNS.note,
];

/** Amounts are texts with all their digits; the service's words are one visible line each. Throws OUTPUT_UNWRITABLE. */
export async function writeResultsAnswer({ table, path, resultOf }: ResultsAnswer): Promise<string[]> {
  return writeAnswer({
    table,
    path,
    columns: COLUMNS,
    addTo: (row) => ({ added: textsOf(resultOf(row)).map(oneLine) }),
    summary: () => [],
  });
}

function textsOf(result: RowResult | undefined): readonly string[] {
  if (result === undefined) return COLUMNS.map(() => "");
  const { standing, payoutId, state, sentAmount, fee, txHash, confirmedAt, error, note } = result;
  return [
    standing,
    payoutId ?? "",
    state ?? "",
    sentAmount?.value.toString() ?? "",
    sentAmount?.currency ?? "",
    feeText(fee, sentAmount),
    txHash ?? "",
    confirmedAt ?? "",
    error ?? "",
    note ?? "",
  ];
}

/** The currency column is that of the sent amount; a fee in another currency names its own. */
function feeText(fee: Amount | undefined, sentAmount: Amount | undefined): string {
  if (fee === undefined) return "";
  return fee.currency === sentAmount?.currency ? fee.value.toString() : `${fee.value} ${fee.currency}`;
}
