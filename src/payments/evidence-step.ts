/**
 * Writes the signed statements about a batch as files that an auditor verifies without Paydrop (docs/verifying.md).
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { listFolder, makeFolder, writeFailure, writeOnce } from "../context/files.ts";
import { fault } from "../faults/index.ts";
import type { BatchId } from "../model/index.ts";
import { listDecisions, listRosterChanges, type StoredStatement } from "../store/statements.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { CHANGE_DIGITS, signedFiles } from "./evidence/signed.ts";
import { batchNamed } from "./named/named.ts";

export interface EvidenceReport {
  readonly batch: BatchId;
  /** One folder for each root under which the batch was approved, oldest first. */
  readonly folders: readonly EvidenceFolder[];
}

export interface EvidenceFolder {
  readonly folder: string;
  /** The hash of the root from which its statements follow. */
  readonly root: string;
  readonly changes: number;
  readonly submissions: number;
  readonly approvals: number;
}

/**
 * Writes the roster's changes and the submissions and approvals of a batch, with their signatures exactly as
 * stored: the auditor checks whether they are valid. Each root under which it was submitted or approved gets a
 * folder.
 * Throws OUTPUT_EXISTS for a folder that is not empty, OUTPUT_UNWRITABLE, BATCH_UNKNOWN, and USAGE if there is no
 * signed statement.
 */
export async function evidenceStep(
  { store }: Workplace,
  idOrDigest: string,
  folder: string,
): Promise<EvidenceReport> {
  const { id, approvals, submissions } = await store.read(() => signedAbout(idOrDigest));
  const roots = [...new Set([...submissions, ...approvals].map(({ root }) => root))];
  if (roots.length === 0)
    throw fault("USAGE", {
      what: `there is no signed statement about ${id}`,
      how: "A file from the inbox has no submitter who signs, and nobody has approved it yet.",
    });
  await makeEmpty(folder);
  const folders: EvidenceFolder[] = [];
  for (const [index, root] of roots.entries()) {
    const into = roots.length === 1 ? folder : join(folder, `${index + 1}`);
    const ofRoot = (all: readonly StoredStatement[]) => all.filter((statement) => statement.root === root);
    const changes = await store.read(() => listRosterChanges(root));
    folders.push({
      folder: into,
      root,
      changes: await writeAll(join(into, "statements"), changes, CHANGE_DIGITS),
      submissions: await writeAll(join(into, "submissions"), ofRoot(submissions)),
      approvals: await writeAll(join(into, "approvals"), ofRoot(approvals)),
    });
  }
  return { batch: id, folders };
}

function* signedAbout(idOrDigest: string) {
  const { id, fileSha256 } = yield* batchNamed(idOrDigest);
  const approvals = yield* listDecisions("approve", id);
  const submissions = yield* listDecisions("submit", fileSha256);
  return { id, approvals, submissions };
}

async function makeEmpty(folder: string): Promise<void> {
  await makeFolder(folder).catch((cause: unknown) => {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
    if (code === "EEXIST") throw fault("OUTPUT_EXISTS", { path: folder }, { file: folder }, { cause });
    throw fault("OUTPUT_UNWRITABLE", { path: folder, reason: writeFailure(code) }, {}, { cause });
  });
  const [first] = await listFolder(folder);
  if (first !== undefined) throw fault("OUTPUT_EXISTS", { path: join(folder, first.name) });
}

/** Returns how many files were written. An RSA passkey's signature is JSON, so its file is named `.json`. */
async function writeAll(folder: string, all: readonly StoredStatement[], digits = 1): Promise<number> {
  if (all.length > 0) await makeFolder(folder);
  for (const { name, text } of signedFiles(all, digits)) await writeText(join(folder, name), text);
  return all.length;
}

function writeText(path: string, text: string): Promise<void> {
  return writeOnce(path, (temporaryPath) => writeFile(temporaryPath, text));
}
