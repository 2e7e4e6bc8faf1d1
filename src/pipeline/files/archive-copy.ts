/** The archive comes first: a sent file is copied there once while it is hashed, and everything else reads the copy. */
import { createHash } from "node:crypto";
import { rm, stat, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { Draft, unlessGone, writeWhole } from "../../context/files.ts";
import { Fault, fault } from "../../faults/index.ts";
import { fileChunks } from "../../intake/index.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { tooLarge } from "./inbox-scan.ts";
import { sha256Of } from "./sha256-of.ts";
import { copyTotalsFiles, removeTotalsFile } from "./totals-file.ts";

export interface ArchivedCopy {
  readonly path: string;
  /** Lower-case hex. */
  readonly sha256: string;
}

/**
 * Copies the file at `path` under its hash, with its totals file beside it; the same bytes are kept once. Throws
 * FILE_CHANGED if it was written to meanwhile, FILE_TOO_LARGE, and the faults of a file that cannot be read.
 */
export async function copyToArchive(
  { config }: Workplace,
  path: string,
  name: string,
): Promise<ArchivedCopy> {
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
    const copy = { path: join(archive, `${sha256.slice(0, 16)}-${basename(name)}`), sha256 };
    await draft.placeOnce(copy.path);
    await replaceIfChanged(copy, path, name);
    await copyTotalsFiles(path, copy.path);
    return copy;
  } catch (error) {
    await draft.drop();
    throw error;
  }
}

/** The copy of the same bytes that was there may have been changed by hand; its name holds only part of the hash. */
async function replaceIfChanged({ path, sha256 }: ArchivedCopy, from: string, name: string): Promise<void> {
  if ((await sha256Of(path)) === sha256) return;
  await writeWhole(path, (temporaryPath) => writeFile(temporaryPath, fileChunks(from)));
  if ((await sha256Of(path)) !== sha256) throw fault("FILE_CHANGED", {}, { file: name });
}

/** Removes a copy that must not be kept, because it holds a private key. */
export async function forgetCopy({ path }: ArchivedCopy): Promise<void> {
  await rm(path, { force: true });
  await removeTotalsFile(path);
}

/** Equal for equal versions of a file; with the time of its last change, since anybody may set that of the last write. */
async function versionOf(path: string): Promise<string> {
  const found = await unlessGone(stat(path, { bigint: true }));
  return found === undefined ? "" : `${found.ino} ${found.size} ${found.mtimeNs} ${found.ctimeNs}`;
}
