/**
 * The archive: a sent file is copied there once, while it is hashed. Everything else reads the copy, including the
 * code that writes the answers of its batch.
 */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Config } from "../../config/index.ts";
import { Draft, unlessGone } from "../../context/files.ts";
import { Fault, fault } from "../../faults/index.ts";
import type { BatchReading } from "../../model/batch-reading.ts";
import type { Grid } from "../../model/grid.ts";
import { type Batch, singleByteEncodings } from "../../model/index.ts";
import { present } from "../../model/present.ts";
import { fileChunks, openSentFile, sha256Of } from "../../readers/index.ts";
import { findFile, type TakenFile } from "../../store/batches.ts";
import { refuseRemoved } from "../../store/retention.ts";
import type { Workplace } from "../../workplace/workplace.ts";
import { fileLimitsOf, tooLarge } from "./sent-file.ts";
import { copyTotalsFiles } from "./totals-file.ts";

/** The bytes of a sent file, which no longer change. */
export interface SentBytes {
  readonly path: string;
  /** Lower-case hex. */
  readonly sha256: string;
  /** Moves them into the archive, and returns the path there. */
  keep(): Promise<string>;
}

/**
 * Copies the file at `path` under its hash, with its totals file beside it; the same bytes are kept once, and an
 * accepted file keeps the totals file that proved it. Throws FILE_CHANGED if the file was written to meanwhile,
 * FILE_TOO_LARGE, and the faults of a file that cannot be read.
 */
export async function copyToArchive(
  { config, store }: Workplace,
  path: string,
  name: string,
): Promise<SentBytes> {
  const { archive } = config.folders;
  const draft = new Draft(join(archive, "copy"));
  try {
    const hash = createHash("sha256");
    const before = await versionOf(path);
    let bytes = 0;
    await draft.append(Buffer.alloc(0));
    for await (const chunk of fileChunks(path)) {
      bytes += chunk.length;
      const oversized = tooLarge(config, bytes, name);
      if (oversized !== undefined) throw new Fault(oversized);
      hash.update(chunk);
      await draft.append(chunk);
    }
    if ((await versionOf(path)) !== before) throw fault("FILE_CHANGED", {}, { file: name });
    const sha256 = hash.digest("hex");
    const copy = copyPath(config, { sha256, name });
    const known = await store.read(() => findFile(sha256));
    const isProven = known?.verdict === "accepted" && existsSync(copy);
    // Replaces an existing copy, because it may have been edited.
    await draft.place(copy);
    if (!isProven) await copyTotalsFiles(path, copy);
    return { path: copy, sha256, keep: () => Promise.resolve(copy) };
  } catch (error) {
    await draft.drop();
    throw error;
  }
}

/** As `copyToArchive`, for a file that only Paydrop has: it is copied to the archive only when `keep` is called. */
export async function ownFile(workplace: Workplace, path: string, name: string): Promise<SentBytes> {
  const sha256 = await sha256Of(path);
  const keep = async () => {
    const copy = await copyToArchive(workplace, path, name);
    if (copy.sha256 !== sha256) throw fault("FILE_CHANGED", {}, { file: name });
    return copy.path;
  };
  return { path, sha256, keep };
}

/** The path of a file's copy. */
export function copyPath({ folders }: Config, { sha256, name }: Pick<TakenFile, "sha256" | "name">): string {
  return join(folders.archive, `${sha256.slice(0, 16)}-${basename(name)}`);
}

/**
 * A text that is equal for equal versions of a file. Includes the time of the last change of the inode, because
 * anybody may set the time of the last write.
 */
async function versionOf(path: string): Promise<string> {
  const found = await unlessGone(stat(path, { bigint: true }));
  return found === undefined ? "" : `${found.ino} ${found.size} ${found.mtimeNs} ${found.ctimeNs}`;
}

/**
 * The sheet from which the batch was read. The file must be unchanged, because answers beside another file's rows
 * would mislead. Throws REMOVED_BY_RETENTION, ARCHIVED_FILE_MISSING, or what reading it throws.
 */
export async function openArchived(
  workplace: Workplace,
  batch: Batch,
  { csv, sheet = "" }: BatchReading,
): Promise<Grid> {
  const encoding = singleByteEncodings.find((label) => label === csv?.encoding);
  const sent = await openSentFile(await archivedPath(workplace, batch), {
    limits: fileLimitsOf(workplace.config.files),
    ...present({ encoding, delimiter: csv?.delimiter }),
  });
  return sent.readSheet(sheet).finally(() => sent.close());
}

/**
 * The path where it was archived; otherwise its path in the present archive folder, because the folder may have
 * moved. Throws REMOVED_BY_RETENTION and ARCHIVED_FILE_MISSING.
 */
export async function archivedPath(
  workplace: Workplace,
  { id, fileName, fileSha256, archivedAs }: Batch,
): Promise<string> {
  const inPresentArchive = join(workplace.config.folders.archive, basename(archivedAs));
  for (const path of [archivedAs, inPresentArchive])
    if (existsSync(path) && (await sha256Of(path)) === fileSha256) return path;
  const file = { name: fileName, sha256: fileSha256 };
  await refuseRemovedFile(workplace, file, "archive", `the file of batch ${id}`);
  throw fault("ARCHIVED_FILE_MISSING", { batch: id, path: inPresentArchive }, { file: fileName });
}

/** Throws REMOVED_BY_RETENTION if retention removed the sent file or its answers; `what`: its name in messages. */
export async function refuseRemovedFile(
  { config, store }: Workplace,
  { name, sha256 }: Pick<TakenFile, "name" | "sha256">,
  kind: "archive" | "answers",
  what: string,
): Promise<void> {
  const wanted = { kind, about: sha256, what, timeZone: config.ledger.timeZone, where: { file: name } };
  await store.read(() => refuseRemoved(wanted));
}

/** The archived copy of a file that was taken in; undefined if it is gone or was changed. */
export async function findArchived({ config }: Workplace, file: TakenFile): Promise<string | undefined> {
  const path = copyPath(config, file);
  return existsSync(path) && (await sha256Of(path)) === file.sha256 ? path : undefined;
}

/**
 * Whether the archive has its bytes. It has no copy of a file that could not be read, or that contains a private
 * key.
 */
export function isKept({ config }: Workplace, file: TakenFile): boolean {
  return existsSync(copyPath(config, file));
}
