/**
 * Writes the answers in the outbox. Every file has one current answer, under its own name; a second file of that name
 * gets a number, so that no answer replaces that of another file.
 */
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { dirname, extname, join } from "node:path";
import { removeForGood, writeWhole } from "../../context/files.ts";
import { type SummaryGroup, writeAcceptedAnswer, writeRejectedAnswer } from "../../exports/answers/index.ts";
import { oneLine } from "../../exports/cell-text.ts";
import { firstPaymentText, type NewDestinations } from "../../initiation/index.ts";
import { applying } from "../../model/applying.ts";
import type { BatchReading } from "../../model/batch-reading.ts";
import type { Grid } from "../../model/grid.ts";
import type { Batch, BatchId } from "../../model/index.ts";
import { findBatchReading, findFile, getBatch, isAnswerStemTaken, listLines } from "../../store/batches.ts";
import type { Transaction } from "../../store/sql.ts";
import { type BatchScreening, screenBatch } from "../screening/screening.ts";
import { openFolder } from "../workplace/folders.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { openArchived } from "./archive.ts";
import type { CheckedFile } from "./check-file.ts";
import { sentStem } from "./file-names.ts";
import { type CorrectedFile, type FileReport, holdsSecret } from "./file-report.ts";
import { copyTotalsFiles, removeWithTotals } from "./totals-file.ts";

export type AnswerKind = "accepted" | "rejected" | "results";

interface AnsweredFile extends Pick<Batch, "fileName" | "fileSha256"> {
  readonly corrects?: CorrectedFile | undefined;
}

/** What an accepted answer says besides the reading. */
type Screened = Partial<Pick<BatchScreening, "newDestinations" | "repeatedRows" | "lookAlikeRows">>;

/** Writes `NAME.accepted.*`; the answer of a file that it corrects is gone then. */
export async function writeAcceptance(
  workplace: Workplace,
  batch: Batch,
  grid: Grid,
  reading: BatchReading,
  { newDestinations, repeatedRows = [], lookAlikeRows = [] }: Screened,
): Promise<string[]> {
  const path = await answerPath(workplace, batch, "accepted");
  const lines = await workplace.store.read(() => listLines(batch.id));
  const repeated = new Set(repeatedRows);
  const lookAlike = new Set(lookAlikeRows);
  const standings = new Map<number, string>(standingsOfOthers(reading));
  for (const [row, line] of lines)
    standings.set(
      line,
      applying(
        "received, awaits approval",
        repeated.has(row) && "repeats an earlier payment",
        lookAlike.has(row) && "the address must be compared",
      ).join("; "),
    );
  const { id: batchId, fileName: file, fileSha256: sha256, digest, controlTotals } = batch;
  const groups = newDestinationGroups(newDestinations);
  const { warnings } = reading;
  const answer = {
    path,
    grid,
    reading,
    file,
    sha256,
    batchId,
    digest,
    controlTotals,
    standings,
    warnings,
    groups,
  };
  return writeAcceptedAnswer(answer);
}

/** What the lines are that are no payments of the batch, in words, by line. */
export function standingsOfOthers({
  totals,
  notes,
  sections,
  otherLines,
}: BatchReading): (readonly [line: number, standing: string])[] {
  return [
    ...totals.map(
      ({ line, firstLine, lastLine }) => [line, `the total of lines ${firstLine} to ${lastLine}`] as const,
    ),
    ...notes.flatMap(({ line }) => (line === undefined ? [] : [[line, "a note: shown, not paid"] as const])),
    ...sections.map(({ line }) => [line, "the heading of a section"] as const),
    ...otherLines,
  ];
}

/** Writes the acceptance of a batch again if an interrupted run, or somebody, has taken it away. */
export async function writeMissingAcceptance(workplace: Workplace, batchId: BatchId): Promise<string[]> {
  const { store } = workplace;
  const batch = await store.read(() => getBatch(batchId));
  const reading = await store.read(() => findBatchReading(batchId));
  const isAnswered = async (kind: AnswerKind) => existsSync(await answerPath(workplace, batch, kind));
  if (reading === undefined || (await isAnswered("accepted")) || (await isAnswered("results"))) return [];
  const grid = await openArchived(workplace, batch, reading);
  return writeAcceptance(workplace, batch, grid, reading, await screenBatch(workplace, batchId));
}

/** Writes the rejection. A file that cannot be read gets a text answer: it has no rows to write reasons beside. */
export async function writeRejection(
  workplace: Workplace,
  report: FileReport,
  found: CheckedFile | undefined,
  archivedAs: string,
): Promise<string[]> {
  const { file, fileProblems, warnings, rowsAccepted, verdict } = report;
  const sent = { fileName: file, fileSha256: report.sha256, corrects: report.corrects };
  const path = await answerPath(workplace, sent, "rejected");
  if (found?.reading === undefined) return [await writeRefusal(`${path}.txt`, report)];
  const { grid, rows, reading } = found;
  const isSecret = holdsSecret(report);
  const totalsFiles = isSecret ? [] : await copyTotalsFiles(archivedAs, path);
  const written = await writeRejectedAnswer({
    path,
    grid,
    reading,
    file,
    rows,
    fileProblems,
    warnings,
    rowsAccepted: verdict === "accepted" ? rowsAccepted : 0,
    holdsSecret: isSecret,
  });
  return [...written, ...totalsFiles];
}

/**
 * The path of an answer: `outbox/NAME.accepted.xlsx`, in its sender's subfolder if there is one. The file's record must
 * say under which name it is answered, or the name is free.
 */
export async function answerPath(
  { config, store }: Workplace,
  file: AnsweredFile,
  kind: AnswerKind,
): Promise<string> {
  const stem = await store.read(() => answerStem(file));
  const path = join(config.folders.outbox, `${stem}.${kind}${extname(file.fileName)}`);
  await openFolder(dirname(path), "folders.outbox");
  return path;
}

/**
 * The beginning of a file's answers' names: as it is recorded, that of a file without a batch that it corrects under the
 * same name, or the first free of `NAME`, `NAME (2)`, ...
 */
export function* answerStem({ fileName, fileSha256, corrects }: AnsweredFile): Transaction<string> {
  const known = yield* findFile(fileSha256);
  const stem = sentStem(fileName);
  if (known?.answerStem !== undefined && sentStem(known.name) === stem) return known.answerStem;
  const corrected = corrects?.batchId === undefined ? corrects?.answerStem : undefined;
  if (corrected === stem || corrected?.startsWith(`${stem} (`) === true) return corrected;
  let free = stem;
  for (let number = 2; yield* isAnswerStemTaken(free, fileSha256); number += 1) free = `${stem} (${number})`;
  return free;
}

/** Removes an answer that a newer one replaces, with what lies beside it. */
export async function removeAnswer(path: string): Promise<void> {
  await removeWithTotals(path);
  await removeForGood(`${path}.txt`);
}

function newDestinationGroups(listed: NewDestinations | undefined): SummaryGroup[] {
  if (listed === undefined || listed.destinations.length === 0) return [];
  const { destinations, isCut } = listed;
  const facts = destinations.map((each) => {
    const { destination, name, totals } = each;
    const amounts = totals.map(({ currency, amount }) => `${amount.normalized()} ${currency}`).join(" and ");
    return [
      destination,
      `${name === undefined ? "" : `${name}: `}${amounts}, ${firstPaymentText(each)}`,
    ] as const;
  });
  const count = isCut ? `more than ${destinations.length}` : String(destinations.length);
  return [{ heading: `First-time destinations: ${count}`, facts }];
}

/** The answer to a file that came before: `NAME.known.txt`. It replaces no other answer. */
export async function writeKnown({ config }: Workplace, report: FileReport): Promise<string> {
  const path = join(config.folders.outbox, `${sentStem(report.file)}.known.txt`);
  await openFolder(dirname(path), "folders.outbox");
  return writeRefusal(path, report);
}

async function writeRefusal(path: string, { file, problems }: FileReport): Promise<string> {
  const words = problems.map(
    ({ message, fix }) =>
      `${oneLine(`${file} was not taken in: ${message}.`)}\n${oneLine(`What to do: ${fix}`)}\n`,
  );
  await writeWhole(path, (temporaryPath) => writeFile(temporaryPath, words.join("\n")));
  return path;
}
