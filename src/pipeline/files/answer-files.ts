/** Writes the answers in the outbox: chooses their names and the rows that they contain. */
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { writeWhole } from "../../context/files.ts";
import { type SummaryLine, writeAcceptedAnswer, writeRejectedAnswer } from "../../exports/answers/index.ts";
import { oneLine } from "../../exports/cell-text.ts";
import type { Problem } from "../../faults/index.ts";
import { firstPaymentText, type NewDestinations, type ScreeningReport } from "../../initiation/index.ts";
import { applying } from "../../model/applying.ts";
import { type Batch, type BatchId, correctedFile, type Row, type Table } from "../../model/index.ts";
import { getBatch, listFileNames } from "../../store/batches.ts";
import { listRows } from "../../store/instructions.ts";
import { listReadingProblems, type ReadingId } from "../../store/readings.ts";
import type { Store } from "../../store/store.ts";
import { screenBatch } from "../screening/screening.ts";
import { openFolder } from "../workplace/folders.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { answerName, sentStem } from "./file-names.ts";
import { type FileReport, holdsSecret } from "./file-report.ts";
import { openArchivedTable, reopenTable } from "./payout-table.ts";
import { copyTotalsFile } from "./totals-file.ts";

/** Writes `NAME.accepted.*`. `reading`: what was found when the file was checked, if that is still kept. */
export async function writeAcceptance(
  workplace: Workplace,
  batch: Batch,
  { newDestinations, repeatedRows = [], lookAlikeRows = [] }: Partial<ScreeningReport>,
  reading?: ReadingId,
): Promise<string[]> {
  const table = await openArchivedTable(workplace, batch);
  const acceptedRows = new Set(await workplace.store.read(() => listRows(batch.id)));
  const repeated = new Set(repeatedRows);
  const lookAlike = new Set(lookAlikeRows);
  return writeAcceptedAnswer({
    table: reading === undefined ? table : withKeptProblems(table, workplace.store, reading),
    path: await acceptancePath(workplace, batch),
    file: batch.fileName,
    sha256: batch.fileSha256,
    batchId: batch.id,
    digest: batch.digest,
    controlTotals: batch.controlTotals,
    notes: applying<SummaryLine>(
      ...newDestinationNotes(newDestinations),
      repeated.size > 0 && ["Rows that repeat an earlier payment", String(repeated.size)],
      lookAlike.size > 0 && ["Rows to an address that looks like another one", String(lookAlike.size)],
    ),
    standingOf: (sent) => {
      const { row } = sent;
      if (!acceptedRows.has(row)) return leftOutText(table, sent, reading !== undefined);
      return applying(
        "received, awaits approval",
        repeated.has(row) && "repeats an earlier payment",
        lookAlike.has(row) && "the address looks like another one",
      ).join("; ");
    },
  });
}

/** The standing of a row that is no payment of the batch. `isReadingKept`: whether the row brings what was found in it. */
export function leftOutText(
  { header }: Pick<Table, "header">,
  { isControlTotal, problems }: Row,
  isReadingKept = false,
): string {
  if (isControlTotal === true) return "control total";
  const before = problems.find(({ code }) => code === "ROW_ACCEPTED_BEFORE");
  if (before !== undefined) return before.message;
  const mayBeBefore = !isReadingKept && correctedFile(header) !== undefined;
  return mayBeBefore ? "rejected, or accepted before" : "rejected";
}

/** Writes the acceptance of a batch if an interrupted run did not. */
export async function writeMissingAcceptance(workplace: Workplace, batchId: BatchId): Promise<string[]> {
  const batch = await workplace.store.read(() => getBatch(batchId));
  if (existsSync(await acceptancePath(workplace, batch))) return [];
  return writeAcceptance(workplace, batch, await screenBatch(workplace, batchId));
}

function acceptancePath(workplace: Workplace, { fileName, id }: Batch): Promise<string> {
  return answerPath(workplace, fileName, "accepted", id);
}

/** Writes the rejection. A file that cannot be read gets a text answer: it has no rows to write reasons beside. */
export async function writeRejection(
  workplace: Workplace,
  report: FileReport,
  archivedAs: string,
  reading: ReadingId,
): Promise<string[]> {
  const path = await answerPath(workplace, report.file, "rejected");
  if (report.verdict === "refused") return [await writeRefusal(`${path}.txt`, report)];
  const isSecret = holdsSecret(report);
  const totalsFile = isSecret ? undefined : await copyTotalsFile(archivedAs, path);
  const table = await reopenTable(workplace, archivedAs, report.file);
  const written = await writeRejectedAnswer({
    table: withKeptProblems(table, workplace.store, reading, report.fileProblems),
    path,
    file: report.file,
    holdsSecret: isSecret,
    fileProblems: report.fileProblems,
  });
  return totalsFile === undefined ? written : [...written, totalsFile];
}

/** The table with all stored problems added to its rows, not only those of format. */
function withKeptProblems(
  table: Table,
  store: Store,
  reading: ReadingId,
  fileProblems: readonly Problem[] = [],
): Table {
  const inRows = Map.groupBy(fileProblems, ({ row }) => row);
  return {
    ...table,
    async *windows() {
      for await (const window of table.windows()) {
        const [first, last] = [window[0]?.row ?? 0, window.at(-1)?.row ?? 0];
        const problems = await store.read(() => listReadingProblems(reading, first, last));
        yield window.map((row) => ({
          ...row,
          problems: [...(problems.get(row.row) ?? []), ...(inRows.get(row.row) ?? [])],
        }));
      }
    },
  };
}

/**
 * The path of an answer: `outbox/NAME.accepted.xlsx`, in its sender's subfolder if there is one. A correction that came
 * back as `NAME.rejected.xlsx` gets the same path; if an earlier batch has the same name, the batch number is added.
 */
export async function answerPath(
  { config, store }: Workplace,
  file: string,
  kind: "accepted" | "rejected" | "results",
  batchId?: BatchId,
): Promise<string> {
  const earlier =
    batchId === undefined ? [] : await store.read(() => listFileNames(batchId, basename(sentStem(file))));
  const isOlderName = earlier.some((name) => answerName(name, kind) === answerName(file, kind));
  const path = join(config.folders.outbox, answerName(file, kind, isOlderName ? `.${batchId}` : ""));
  await openFolder(dirname(path), "folders.outbox");
  return path;
}

function newDestinationNotes(listed: NewDestinations | undefined): SummaryLine[] {
  if (listed === undefined || listed.destinations.length === 0) return [];
  const { destinations, isCut } = listed;
  return [
    ["First-time destinations", isCut ? `more than ${destinations.length}` : String(destinations.length)],
    ...destinations.map((listed): SummaryLine => {
      const { destination, name, totals } = listed;
      const amounts = totals
        .map(({ currency, amount }) => `${amount.normalized()} ${currency}`)
        .join(" and ");
      return [destination, `${name === undefined ? "" : `${name}: `}${amounts}, ${firstPaymentText(listed)}`];
    }),
  ];
}

async function writeRefusal(path: string, { file, problems }: FileReport): Promise<string> {
  const words = problems.map(
    ({ message, fix }) =>
      `${oneLine(`${file} was not taken in: ${message}.`)}\n${oneLine(`What to do: ${fix}`)}\n`,
  );
  await writeWhole(path, (temporaryPath) => writeFile(temporaryPath, words.join("\n")));
  return path;
}
