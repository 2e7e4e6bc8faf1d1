/** The bytes of issued files in the database: deflated, part by part, and compared with their hashes when read. */
import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { Draft } from "../../context/files.ts";
import { invariant } from "../../faults/index.ts";
import { type IssuedFile, keepPart, readPart } from "../../store/export-batches.ts";
import type { Store } from "../../store/store.ts";

const PART_BYTES = 1_048_576;

/** Makes a journal's file 3 % larger than the default level 6, in half the time. */
const DEFLATE_LEVEL = 2;

/** The hash and size of a draft. */
export async function hashedFile(draft: Draft): Promise<Required<IssuedFile>> {
  return { path: draft.path, ...(await hashOf(draft.temporaryPath)) };
}

/** SHA-256 in lower-case hex, and bytes. Throws the system's error. */
export async function hashOf(path: string): Promise<{ readonly sha256: string; readonly size: number }> {
  const hash = createHash("sha256");
  let size = 0;
  for await (const part of partsOf(path)) {
    hash.update(part);
    size += part.length;
  }
  return { sha256: hash.digest("hex"), size };
}

/** Keeps the drafts of a batch under the number of this attempt. */
export async function keepFiles(
  store: Store,
  batch: number,
  attempt: number,
  drafts: readonly Draft[],
): Promise<void> {
  for (const [file, { temporaryPath }] of drafts.entries()) {
    let part = 0;
    for await (const bytes of partsOf(temporaryPath)) {
      const content = deflateRawSync(bytes, { level: DEFLATE_LEVEL }).toString("base64");
      const at = { batch, attempt, file, part };
      await store.write(() => keepPart(at, content));
      part += 1;
    }
  }
}

/**
 * Writes a kept file as a draft for `path`. Throws OUTPUT_UNWRITABLE, and INVARIANT_BROKEN if the bytes in the
 * database are not those that were issued.
 */
export async function draftKept(
  store: Store,
  batch: number,
  file: number,
  { sha256 }: IssuedFile,
  path: string,
): Promise<Draft> {
  const draft = new Draft(path);
  const hash = createHash("sha256");
  try {
    await draft.append(Buffer.alloc(0));
    for (let part = 0; ; part += 1) {
      const at = { batch, file, part };
      const content = await store.read(() => readPart(at));
      if (content === undefined) break;
      const bytes = inflateRawSync(Buffer.from(content, "base64"));
      hash.update(bytes);
      await draft.append(bytes);
    }
    invariant(
      hash.digest("hex") === sha256,
      `the database does not keep the bytes of ${path} as they were issued`,
    );
    return draft;
  } catch (error) {
    await draft.drop();
    throw error;
  }
}

/** Each part is valid until the next is asked for: they share their memory. */
async function* partsOf(path: string): AsyncGenerator<Buffer> {
  const handle = await open(path, "r");
  const buffer = Buffer.alloc(PART_BYTES);
  try {
    for (;;) {
      const { bytesRead } = await handle.read(buffer, 0, PART_BYTES);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}
