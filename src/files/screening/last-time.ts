/** Reads the last approved files of a layout, and compares a file or a stored batch with the newest of them. */
import { hash } from "node:crypto";
import {
  type Batch,
  type BatchId,
  controlTotals,
  correctedFile,
  type DraftInstruction,
  dayIn,
  headerTexts,
} from "../../model/index.ts";
import { present } from "../../model/present.ts";
import { Decimal } from "../../money/index.ts";
import { listPayeeNames, listTimedRows } from "../../store/batch-rows.ts";
import { findBatchReading, listApprovedOfLayout } from "../../store/batches.ts";
import type { Store } from "../../store/store.ts";
import { inWindows } from "../../store/windows.ts";
import type { Workplace } from "../../workplace/workplace.ts";
import {
  compareWithLast,
  type LastTime,
  named,
  type Parties,
  type Party,
  type TimedPayment,
  timedPayment,
} from "../reading/index.ts";

/** The owner and header of a file's layout: a named sender, otherwise the submitter, if that is known. */
export interface LayoutOfFile {
  readonly sender?: string | undefined;
  readonly header: readonly string[];
  readonly submittedBy?: string | undefined;
}

/** The key by which files of a layout are found. */
export function layoutKey({ sender, header }: Pick<LayoutOfFile, "sender" | "header">): string {
  return hash("sha256", JSON.stringify([sender ?? null, headerTexts(header)]));
}

const FILES_BESIDE = 3;

/**
 * Undefined if no file of the layout was approved. `draftsOf`: the file's drafts, in file order; `than`: count only
 * batches before this one.
 */
export async function lastTimeOf(
  workplace: Workplace,
  layout: LayoutOfFile,
  draftsOf: () => Iterable<DraftInstruction>,
  than?: BatchId,
): Promise<LastTime | undefined> {
  const { store, config } = workplace;
  const { sender, submittedBy } = layout;
  const of = { than, ...present({ submittedBy: sender === undefined ? submittedBy : undefined }) };
  const files = await store.read(() => listApprovedOfLayout(layoutKey(layout), of, FILES_BESIDE));
  const [last] = files;
  if (last === undefined) return undefined;
  const drafts = [...draftsOf()];
  if (drafts.length === 0) return undefined;
  const compared = compareWithLast(drafts.map(timedPayment), await timedRows(store, last.id));
  const own = new Map(drafts.map(({ row, fields }) => [row, fields.customerId]));
  const gone = compared.missing.parties.map(({ row }) => row);
  const names = await store.read(() => listPayeeNames(last.id, gone));
  const withNames = ({ count, parties }: Parties<Party>, known: ReadonlyMap<number, string | undefined>) => {
    return { count, parties: parties.map((party) => named(party, (row) => known.get(row))) };
  };
  return {
    added: withNames(compared.added, own),
    missing: withNames(compared.missing, names),
    amounts: withNames(compared.amounts, own),
    addresses: withNames(compared.addresses, own),
    totals: controlTotals(drafts.map(({ fields }) => fields.amount)),
    earlier: files.map(({ id: batchId, fileName: file, submittedAt, controlTotals: totals }) => {
      return { batchId, file, day: dayIn(config.ledger.timeZone, submittedAt), totals };
    }),
  };
}

/** For a stored batch. Undefined also for a payment that does not come from a file, and for a corrected file. */
export async function lastTimeOfBatch(
  workplace: Workplace,
  { id, submittedBy }: Batch,
  drafts: readonly DraftInstruction[],
): Promise<LastTime | undefined> {
  const reading = await workplace.store.read(() => findBatchReading(id));
  if (reading === undefined || reading.isSingle === true || correctedFile(reading.header) !== undefined)
    return undefined;
  const { sender, header } = reading;
  return lastTimeOf(workplace, { sender, header, submittedBy }, () => drafts, id);
}

const ROWS_TOGETHER = 2_000;

async function timedRows(store: Store, batch: BatchId): Promise<readonly TimedPayment[]> {
  const rows: TimedPayment[] = [];
  const list = (last: { readonly row: number } | undefined) =>
    listTimedRows(batch, last?.row ?? 0, ROWS_TOGETHER);
  for await (const window of inWindows(store, list))
    for (const { row, payee, destination, currency, amount } of window)
      rows.push({
        row,
        ...present({ payee }),
        destination,
        amount: { currency, value: Decimal.of(amount) },
      });
  return rows;
}
