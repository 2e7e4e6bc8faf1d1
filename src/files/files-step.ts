/** The sent bytes and the answer of files that were taken in, and files that arrive by upload. */
import { createReadStream, existsSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { Draft, inTemporaryFolder, removeForGood, UNFINISHED_PREFIX, unlessGone } from "../context/files.ts";
import { Fault, fault } from "../faults/index.ts";
import type { TakenFile } from "../store/batches.ts";
import { checkAgreement } from "../workplace/agreement.ts";
import { openFolders } from "../workplace/folders.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { type AnswerKind, answerPath } from "./intake/answer-files.ts";
import { copyPath, findArchived, refuseRemovedFile } from "./intake/archive.ts";
import { safeName, tooLarge, unusableUploadName } from "./intake/sent-file.ts";
import { removeWithTotals } from "./intake/totals-file.ts";
import { fileSeenBy } from "./repair-step.ts";
import { canBeRepaired, type SubmitReport, takeIn } from "./submit-step.ts";
import { templateStep } from "./template-step.ts";

export interface FileContent {
  readonly name: string;
  readonly bytes: Buffer | NodeJS.ReadableStream;
}

/**
 * A file as it was sent, or its newest answer. Throws NAME_UNKNOWN if it does not exist or the person may not see
 * it, and REMOVED_BY_RETENTION.
 */
export async function fileContent(
  workplace: Workplace,
  sha256: string,
  which: "sent" | "answer",
  person: string,
): Promise<FileContent> {
  const { file } = await fileSeenBy(workplace, sha256, person);
  const isSent = which === "sent";
  const path = await (isSent ? findArchived : newestAnswer)(workplace, file);
  if (path !== undefined) return { name: basename(isSent ? file.name : path), bytes: createReadStream(path) };
  const [kind, what] = isSent
    ? (["archive", "the sent file"] as const)
    : (["answers", "the answer"] as const);
  await refuseRemovedFile(workplace, file, kind, what);
  const how = "Ask the operator of Paydrop.";
  throw fault("NAME_UNKNOWN", { what: `${which} file of ${file.name}`, how });
}

async function newestAnswer(workplace: Workplace, { sha256, name }: TakenFile): Promise<string | undefined> {
  const kinds: readonly AnswerKind[] = ["results", "accepted", "rejected"];
  const sent = { fileName: name, fileSha256: sha256 };
  const paths = await Promise.all(kinds.map((kind) => answerPath(workplace, sent, kind)));
  return paths.flatMap((path) => [path, `${path}.txt`]).find((path) => existsSync(path));
}

export async function templateContent({ config }: Workplace, name: string): Promise<FileContent> {
  return inTemporaryFolder("template", async (folder) => {
    const { path } = await templateStep(join(folder, name), config);
    return { name, bytes: await readFile(path) };
  });
}

/** A file that was uploaded and not taken in yet. */
export interface Upload {
  readonly key: string;
  /** The sender's name of the file. */
  readonly name: string;
}

/**
 * Stores an uploaded file until it is submitted or dropped, for two days at most. Calls `arrived` with the bytes of
 * each part; it may throw. Throws FILE_NAME_UNUSABLE, FILE_TOO_LARGE and OUTPUT_UNWRITABLE.
 */
export async function keepUpload(
  workplace: Workplace,
  name: string,
  chunks: AsyncIterable<Buffer>,
  arrived: (bytes: number) => void = () => undefined,
): Promise<Upload> {
  requireUsable(name);
  await openFolders(workplace, "archive");
  const draft = new Draft(join(workplace.config.folders.archive, "upload"));
  try {
    let bytes = 0;
    await draft.append(Buffer.alloc(0));
    for await (const chunk of chunks) {
      bytes += chunk.length;
      arrived(chunk.length);
      const oversized = tooLarge(workplace.config, bytes, safeName(name));
      if (oversized !== undefined) throw new Fault(oversized);
      await draft.append(chunk);
    }
  } catch (error) {
    await draft.drop();
    throw error;
  }
  return { key: basename(draft.temporaryPath).slice(UNFINISHED_PREFIX.length), name };
}

/** Throws FILE_NAME_UNUSABLE. */
export function requireUsable(name: string): void {
  const unusable = unusableUploadName(name);
  if (unusable !== undefined) throw new Fault(unusable);
}

const UPLOAD_KEY = /^[0-9a-f-]{36}\.part$/;

function uploadPath({ config }: Workplace, key: string): string | undefined {
  return UPLOAD_KEY.test(key) ? join(config.folders.archive, `${UNFINISHED_PREFIX}${key}`) : undefined;
}

/**
 * The path of an upload that was not taken in yet. Throws NAME_UNKNOWN for an expired one, and FILE_NAME_UNUSABLE.
 */
export function waitingUpload(workplace: Workplace, { key, name }: Upload): string {
  requireUsable(name);
  const path = uploadPath(workplace, key);
  if (path !== undefined && existsSync(path)) return path;
  throw fault("NAME_UNKNOWN", {
    what: `upload of ${safeName(name)} any more`,
    how: "Send the file in again.",
  });
}

/**
 * As `submitFile`, for an uploaded file, which it removes afterwards. Throws NAME_UNKNOWN for an expired upload.
 */
export async function submitUpload(
  workplace: Workplace,
  { key, name }: Upload,
  person: string,
): Promise<SubmitReport> {
  const path = waitingUpload(workplace, { key, name });
  await checkAgreement(workplace);
  const submission = { submittedBy: person, signs: true, isOurs: true };
  const report = await takeIn(workplace, path, safeName(name), submission);
  await removeWithTotals(path);
  return report;
}

/** Removes an uploaded file that will not be taken in. */
export async function dropUpload(workplace: Workplace, key: string): Promise<void> {
  const path = uploadPath(workplace, key);
  if (path !== undefined) await removeForGood(path);
}

/** The size in bytes of the copy that the archive keeps so that a rejected file can be repaired. */
export async function bytesToRepair({ config }: Workplace, report: SubmitReport): Promise<number> {
  if (report.batchId !== undefined || !canBeRepaired(report)) return 0;
  return (await unlessGone(stat(copyPath(config, { sha256: report.sha256, name: report.file }))))?.size ?? 0;
}
