/** Reads and checks one file: returns everything that would be paid, or every problem. Stores nothing. */
import { Fault, fault, type Problem, problem, SECRET_CODES } from "../faults/index.ts";
import { type CheckedWindow, initiate, type ScreenedDraft } from "../initiation/index.ts";
import { fileHoldsKey } from "../intake/index.ts";
import { BatchDigest, type BatchId, correctedFile, type Table } from "../model/index.ts";
import { present } from "../model/present.ts";
import { findBatchByDigest, findFileByName, isWithdrawn, listBatches } from "../store/batches.ts";
import type { Transaction } from "../store/sql.ts";
import { isNameWithheld, sentStem } from "./files/file-names.ts";
import { type FileReport, unreadReport } from "./files/file-report.ts";
import { initiationPolicy, openPayoutTable } from "./files/payout-table.ts";
import { fileLimitsOf, fileNameAt, layoutOf } from "./files/sender-layout.ts";
import { sha256Of } from "./files/sha256-of.ts";
import { readTotalsFile, totalsFileBeside } from "./files/totals-file.ts";
import { openHistory } from "./screening/history.ts";
import { openScreening } from "./screening/screening.ts";
import type { Workplace } from "./workplace/workplace.ts";

type TakeWindow = (window: CheckedWindow) => void | Promise<void>;

/**
 * Reads and checks one file without keeping its rows: `take` is given the drafts and problems of a hundred rows at a
 * time, and the drafts count only if the verdict is accepted. Throws what is not the file's fault (a missing path, a
 * folder, an unreadable disk), and what `take` throws. The hash is taken last: a caller who has taken it before can tell
 * whether the file was changed meanwhile.
 */
export async function validateFile(
  workplace: Workplace,
  path: string,
  name = fileNameAt(workplace.config, path),
  take: TakeWindow = () => undefined,
): Promise<FileReport> {
  try {
    if (isNameWithheld(name)) throw fault("FILE_NAME_IS_SECRET", {});
    const checked = await checkedRows(workplace, path, name, take);
    return { file: name, sha256: await sha256Of(path), ...checked };
  } catch (error) {
    if (!(error instanceof Fault) || error.problem.next !== "correct-file") throw error;
    const key = SECRET_CODES.has(error.problem.code) ? undefined : await unreadKey(workplace, path);
    const why = { file: name, ...(key ?? underOwnName(error.problem, path, name)) };
    return unreadReport("refused", await sha256Of(path), name, why);
  }
}

async function checkedRows(
  workplace: Workplace,
  path: string,
  name: string,
  take: TakeWindow,
): Promise<Omit<FileReport, "file" | "sha256">> {
  const digest = new BatchDigest();
  const layout = layoutOf(workplace.config, name);
  const table = await openPayoutTable(path, layout);
  const totalsFile = await readTotalsFile(path, name);
  const corrected = await correctedBatches(workplace, table);
  const history = openHistory(workplace);
  const { perDay, perDestination } = workplace.config.limits;
  const { screening, ...opened } = await openScreening(workplace, history, { perDay, perDestination });
  const warnings = [...opened.warnings, ...unreadSheets(table)];
  const policy = {
    ...initiationPolicy(workplace, layout, history, corrected),
    ...present({ totalsFile }),
    screen: (drafts: readonly ScreenedDraft[]) => screening.screen(drafts),
  };
  const result = await initiate(table, policy, (window) => {
    digest.add(window.drafts);
    return take(window);
  });
  const hex = digest.hex();
  const unchanged = result.verdict === "accepted" ? await unchangedSince(workplace, hex) : [];
  const isAccepted = result.verdict === "accepted" && unchanged.length === 0;
  const named = (found: readonly Problem[]) => found.map((each) => underOwnName(each, path, name));
  return {
    format: table.format,
    ...present({ sheet: table.sheet, sender: layout.sender }),
    dialect: table.dialect,
    ...(await correctionOf(workplace, table)),
    ...result,
    verdict: isAccepted ? "accepted" : "rejected",
    problems: named([...result.problems, ...unchanged]),
    fileProblems: named([...result.fileProblems, ...unchanged]),
    problemCounts: { ...result.problemCounts, ...onceEach(unchanged) },
    warningCounts: { ...result.warningCounts, ...onceEach(warnings) },
    warnings: [...warnings, ...named(result.warnings)],
    ...(isAccepted ? { ...screening.report(), digest: hex } : {}),
  };
}

function onceEach(problems: readonly Problem[]): Record<string, number> {
  return Object.fromEntries(problems.map(({ code }) => [code, 1]));
}

/** A problem if a batch had the same payments in the same rows; it was withdrawn, or its references would not be free. */
async function unchangedSince({ store }: Workplace, digest: string): Promise<readonly Problem[]> {
  const before = await store.read(() => findBatchByDigest(digest));
  return before === undefined ? [] : [problem("BATCH_UNCHANGED", { batch: before.id })];
}

/** The problem of a private key in an unreadable file, which would be archived with unchecked cells. */
async function unreadKey({ config }: Workplace, path: string): Promise<Problem | undefined> {
  const limits = fileLimitsOf(config.files);
  for (const file of [path, await totalsFileBeside(path)])
    if (file !== undefined && (await fileHoldsKey(file, limits)))
      return problem("VALUE_IS_SECRET", { field: file === path ? "the file" : "its totals file" });
  return undefined;
}

async function correctionOf({ store }: Workplace, { header }: Table): Promise<Pick<FileReport, "corrects">> {
  const file = correctedFile(header);
  if (file === undefined) return {};
  const known = await store.read(() => findFileByName(file));
  if (known === undefined) return { corrects: { file } };
  const { takenAt, verdict, batchId } = known;
  return { corrects: { file, takenAt, verdict, ...present({ batchId }) } };
}

/** Warns about other sheets with payouts that were not read. */
function unreadSheets({ sheet = "", unreadSheets = [] }: Table): readonly Problem[] {
  const [first, ...more] = unreadSheets;
  if (first === undefined) return [];
  const sheets =
    more.length === 0 ? `the sheet ${first} holds` : `the sheets ${unreadSheets.join(", ")} hold`;
  return [problem("SHEET_NOT_READ", { sheets, sheet })];
}

/** The batches of the file that this one corrects, and of earlier corrections; without batches withdrawn as a whole. */
async function correctedBatches({ store }: Workplace, { header }: Table): Promise<ReadonlySet<BatchId>> {
  const file = correctedFile(header);
  if (file === undefined) return new Set();
  return store.read(function* (): Transaction<ReadonlySet<BatchId>> {
    const corrected = new Set<BatchId>();
    for (const { id, fileName } of yield* listBatches())
      if (sentStem(fileName) === sentStem(file) && !(yield* isWithdrawn(id))) corrected.add(id);
    return corrected;
  });
}

/** Puts the sender's file name into a problem: a claimed file is read under another name. */
function underOwnName(found: Problem, path: string, name: string): Problem {
  return found.file === path ? { ...found, file: name } : found;
}
