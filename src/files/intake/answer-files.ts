/**
 * Writes the answers in the outbox. Every file has one current answer, under its own name. A second file of that
 * name gets a number, so that its answer does not replace the first one's.
 */
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { dirname, extname, join } from "node:path";
import { removeForGood, writeWhole } from "../../context/files.ts";
import { applying } from "../../model/applying.ts";
import type { BatchReading } from "../../model/batch-reading.ts";
import type { Grid } from "../../model/grid.ts";
import { type Batch, type BatchId, STANDING_WORDS } from "../../model/index.ts";
import { present } from "../../model/present.ts";
import { hasOwnReferences } from "../../model/sheet-reading.ts";
import {
  findBatchReading,
  findFile,
  getBatch,
  isAnswerStemTaken,
  listLines,
  listReferences,
} from "../../store/batches.ts";
import { listByBatch } from "../../store/instructions.ts";
import { removedAt } from "../../store/retention.ts";
import type { Transaction } from "../../store/sql.ts";
import { openFolder } from "../../workplace/folders.ts";
import type { Workplace } from "../../workplace/workplace.ts";
import { oneLine } from "../../writing/cell-text.ts";
import {
  keptAsideSentence,
  type LineResult,
  type SummaryGroup,
  writeAcceptedAnswer,
  writeRejectedAnswer,
} from "../answers/index.ts";
import { firstPaymentText, lastTimeFacts, lastTimeTitle, type NewDestinations } from "../reading/index.ts";
import { lastTimeOfBatch } from "../screening/last-time.ts";
import { screenBatch } from "../screening/screening.ts";
import { openArchived } from "./archive.ts";
import type { CheckedFile } from "./check-file.ts";
import { type CorrectedFile, type FileReport, holdsSecret } from "./file-report.ts";
import { sentStem } from "./sent-file.ts";
import { copyTotalsFiles, removeWithTotals } from "./totals-file.ts";

export type AnswerKind = "accepted" | "rejected" | "results";

interface AnsweredFile extends Pick<Batch, "fileName" | "fileSha256"> {
  readonly corrects?: CorrectedFile | undefined;
}

/** Writes `NAME.accepted.*`. The caller removes the answer of a file that it corrects. */
export async function writeAcceptance(
  workplace: Workplace,
  batch: Batch,
  grid: Grid,
  reading: BatchReading,
  found: Pick<FileReport, "newDestinations" | "repeatedRows" | "lookAlikeRows" | "lastTime">,
): Promise<string[]> {
  const path = await answerPath(workplace, batch, "accepted");
  const results = await acceptedResults(workplace, batch.id, reading, found);
  const { lastTime, newDestinations } = found;
  const compared = lastTime && { heading: lastTimeTitle(lastTime), facts: lastTimeFacts(lastTime) };
  const groups = applying(compared, newDestinations && newDestinationsGroup(newDestinations));
  return writeAcceptedAnswer({ path, grid, reading, batch, results }, groups);
}

/** By line, what each payment waits for, and its reference if Paydrop assigned it. */
async function acceptedResults(
  { store }: Workplace,
  id: BatchId,
  reading: BatchReading,
  found: Pick<FileReport, "repeatedRows" | "lookAlikeRows">,
): Promise<ReadonlyMap<number, LineResult>> {
  const lines = await store.read(() => listLines(id));
  const references = hasOwnReferences(reading) ? await store.read(() => listReferences(id)) : undefined;
  const repeated = new Set(found.repeatedRows);
  const lookAlike = new Set(found.lookAlikeRows);
  const moved = new Map(
    reading.warnings.flatMap(({ code, line, message }) =>
      code === "PAY_ON_DAY_OFF" && line !== undefined ? [[line, message] as const] : [],
    ),
  );
  const standingOf = (row: number, line: number) =>
    applying(
      STANDING_WORDS.received,
      moved.get(line),
      repeated.has(row) && "repeats an earlier payment",
      lookAlike.has(row) && "the address must be compared",
    ).join("; ");
  const results = new Map<number, LineResult>();
  for (const [row, line] of lines)
    results.set(line, { standing: standingOf(row, line), reference: references?.get(row) });
  return results;
}

/**
 * Writes the acceptance of a batch again if an interrupted run did not write it, or somebody removed it. Does not
 * if retention removed it: the batch is finished, and an acceptance would say that it waits.
 */
export async function writeMissingAcceptance(workplace: Workplace, batchId: BatchId): Promise<string[]> {
  const { store } = workplace;
  const batch = await store.read(() => getBatch(batchId));
  const reading = await store.read(() => findBatchReading(batchId));
  const isAnswered = async (kind: AnswerKind) => existsSync(await answerPath(workplace, batch, kind));
  if (reading === undefined || (await isAnswered("accepted")) || (await isAnswered("results"))) return [];
  if ((await store.read(() => removedAt("answers", batch.fileSha256))) !== undefined) return [];
  const grid = await openArchived(workplace, batch, reading);
  const lastTime = await lastTimeOfBatch(workplace, batch, await store.read(() => listByBatch(batchId)));
  const screened = await screenBatch(workplace, batchId);
  return writeAcceptance(workplace, batch, grid, reading, { ...screened, ...present({ lastTime }) });
}

/** Writes the rejection. An unreadable file gets a text answer, because it has no rows to write reasons beside. */
export async function writeRejection(
  workplace: Workplace,
  report: FileReport,
  found: CheckedFile | undefined,
  archivedAs: string,
): Promise<string[]> {
  const { file, fileProblems, warnings, verdict, sentBefore } = report;
  const sent = { fileName: file, fileSha256: report.sha256, corrects: report.corrects };
  const path = await answerPath(workplace, sent, "rejected");
  if (found?.reading === undefined) return [await writeRefusal(`${path}.txt`, report)];
  const { grid, rows, reading } = found;
  const isSecret = holdsSecret(report);
  const totalsFiles = isSecret ? [] : await copyTotalsFiles(archivedAs, path);
  const answers = await writeRejectedAnswer({
    path,
    grid,
    reading,
    file,
    rows,
    fileProblems,
    warnings,
    rowsAccepted: verdict === "accepted" ? report.rowsAccepted : 0,
    sentBefore,
    holdsSecret: isSecret,
    ...present({ keptAside: report.keptAside }),
  });
  return [...answers, ...totalsFiles];
}

/**
 * The path of an answer: `outbox/NAME.accepted.xlsx`, in its sender's subfolder if there is one. Uses the stem on
 * the file's record, or a free one.
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
 * The stem of a file's answer names: as recorded; otherwise that of the file which it corrects, if that became no
 * batch and has the same name; otherwise the first free one of `NAME`, `NAME (2)`, ...
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

/** Removes an answer that a newer one replaces, and the files beside it. */
export async function removeAnswer(path: string): Promise<void> {
  await removeWithTotals(path);
  await removeForGood(`${path}.txt`);
}

function newDestinationsGroup({ destinations, count }: NewDestinations): SummaryGroup {
  const facts = destinations.map((each) => {
    const amounts = each.totals.map(({ currency, amount }) => `${amount.normalized()} ${currency}`);
    const name = each.name === undefined ? "" : `${each.name}: `;
    return [each.destination, `${name}${amounts.join(" and ")}, ${firstPaymentText(each)}`] as const;
  });
  const left = count - facts.length;
  const more = left === 0 ? [] : [[`and ${left} others with smaller sums`, ""] as const];
  const heading = `First-time destinations: ${count}${count > 1 ? ", the largest first" : ""}`;
  return { heading, facts: [...facts, ...more] };
}

/** Writes the answer to a file that was sent before: `NAME.known.txt`. It replaces no other answer. */
export async function writeKnown({ config }: Workplace, report: FileReport): Promise<string> {
  const path = join(config.folders.outbox, `${sentStem(report.file)}.known.txt`);
  await openFolder(dirname(path), "folders.outbox");
  return writeRefusal(path, report);
}

async function writeRefusal(path: string, { file, problems, keptAside }: FileReport): Promise<string> {
  const words = problems.map(
    ({ message, fix }) =>
      `${oneLine(`${file} was not taken in: ${message}.`)}\n${oneLine(`What to do: ${fix}`)}\n`,
  );
  if (keptAside !== undefined) words.push(`${keptAsideSentence(keptAside)}\n`);
  await writeWhole(path, (temporaryPath) => writeFile(temporaryPath, words.join("\n")));
  return path;
}
