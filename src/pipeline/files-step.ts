/** The files that were taken in, with what became of each; what was sent, and its answer; and files that come in by upload. */
import { createReadStream, existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { Draft, UNFINISHED_PREFIX } from "../context/files.ts";
import { Fault, fault } from "../faults/index.ts";
import { type FileFilter, listFiles, type TakenFile } from "../store/batches.ts";
import { type AnswerKind, answerPath } from "./files/answer-files.ts";
import { safeName, tooLarge } from "./files/sent-file.ts";
import { removeWithTotals } from "./files/totals-file.ts";
import { fileSeenBy, findArchived } from "./repair-step.ts";
import { type BatchStatus, statusOfBatches } from "./status/batch-status.ts";
import { type SubmitReport, submitFile } from "./submit-step.ts";
import { templateStep } from "./template-step.ts";
import { openFolders } from "./workplace/folders.ts";
import type { Workplace } from "./workplace/workplace.ts";

export interface ListedFile {
  readonly file: TakenFile;
  /** Absent without a batch. */
  readonly status?: BatchStatus;
}

/** Newest first. Files that were not accepted and came again are left out. */
export async function listFilesStep(
  workplace: Workplace,
  filter: FileFilter,
  count: number,
): Promise<ListedFile[]> {
  const files = await workplace.store.read(() => listFiles(filter, count));
  const batches = new Set(files.flatMap(({ batchId }) => batchId ?? []));
  const statuses = new Map((await statusOfBatches(workplace, batches)).map((each) => [each.batch.id, each]));
  return files.map((file) => {
    const status = file.batchId && statuses.get(file.batchId);
    return { file, ...(status && { status }) };
  });
}

export interface FileContent {
  readonly name: string;
  readonly bytes: Buffer | NodeJS.ReadableStream;
}

/** A file as it was sent, or its newest answer. Throws NAME_UNKNOWN for what is not there, or not for this person. */
export async function fileContent(
  workplace: Workplace,
  sha256: string,
  which: "sent" | "answer",
  person: string,
): Promise<FileContent> {
  const { file } = await fileSeenBy(workplace, sha256, person);
  const path = which === "sent" ? await findArchived(workplace, file) : await newestAnswer(workplace, file);
  if (path === undefined)
    throw fault("NAME_UNKNOWN", { what: `${which} file of ${file.name}`, how: "Ask whoever runs Paydrop." });
  return {
    name: which === "sent" ? basename(file.name) : basename(path),
    bytes: createReadStream(path),
  };
}

async function newestAnswer(workplace: Workplace, { sha256, name }: TakenFile): Promise<string | undefined> {
  const kinds: readonly AnswerKind[] = ["results", "accepted", "rejected"];
  const sent = { fileName: name, fileSha256: sha256 };
  const paths = await Promise.all(kinds.map((kind) => answerPath(workplace, sent, kind)));
  return paths.flatMap((path) => [path, `${path}.txt`]).find((path) => existsSync(path));
}

export async function templateContent({ config }: Workplace, name: string): Promise<FileContent> {
  const folder = await mkdtemp(join(tmpdir(), "paydrop-template-"));
  try {
    const { path } = await templateStep(join(folder, name), config);
    return { name, bytes: await readFile(path) };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/**
 * Keeps an uploaded file until it is submitted, for two days at most. Returns its key. Throws FILE_TOO_LARGE and
 * OUTPUT_UNWRITABLE.
 */
export async function keepUpload(
  workplace: Workplace,
  name: string,
  chunks: AsyncIterable<Buffer>,
): Promise<string> {
  await openFolders(workplace, "archive");
  const draft = new Draft(join(workplace.config.folders.archive, "upload"));
  try {
    let bytes = 0;
    await draft.append(Buffer.alloc(0));
    for await (const chunk of chunks) {
      bytes += chunk.length;
      const oversized = tooLarge(workplace.config, bytes, safeName(name));
      if (oversized !== undefined) throw new Fault(oversized);
      await draft.append(chunk);
    }
  } catch (error) {
    await draft.drop();
    throw error;
  }
  return basename(draft.temporaryPath).slice(UNFINISHED_PREFIX.length);
}

const UPLOAD_KEY = /^[0-9a-f-]{36}\.part$/;

export interface Upload {
  /** Of `keepUpload`. */
  readonly key: string;
  /** The sender's name of the file. */
  readonly name: string;
}

/** As `submitFile`, for an uploaded file, which is removed once it was taken in. Throws NAME_UNKNOWN for an old upload. */
export async function submitUpload(
  workplace: Workplace,
  { key, name }: Upload,
  person: string,
): Promise<SubmitReport> {
  const path = join(workplace.config.folders.archive, `${UNFINISHED_PREFIX}${key}`);
  if (!UPLOAD_KEY.test(key) || !existsSync(path))
    throw fault("NAME_UNKNOWN", {
      what: `upload of ${safeName(name)} any more`,
      how: "Send the file in again.",
    });
  const report = await submitFile(workplace, path, person, safeName(name));
  await removeWithTotals(path);
  return report;
}
