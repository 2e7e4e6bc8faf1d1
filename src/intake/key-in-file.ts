/**
 * Searches a file that is not a table for private keys before it is archived: in its raw bytes, and in those of a zip
 * archive's parts. Encrypted or otherwise packed content cannot be searched.
 */
import { Fault } from "../faults/index.ts";
import { fileChunks } from "./file-chunks.ts";
import type { FileLimits } from "./file-limits.ts";
import { chunksHoldKey } from "./key-in-chunks.ts";
import { openArchive } from "./xlsx/archive.ts";

/**
 * Whether there is a private key in the first 64 MiB of the file, or in 16 MiB of an archive's parts: no file of
 * payments is longer, and searching must not take minutes. Faults: those of a file that cannot be read.
 */
export async function fileHoldsKey(path: string, limits: FileLimits): Promise<boolean> {
  return (await chunksHoldKey(fileChunks(path))) || (await partsHoldKey(path, limits));
}

async function partsHoldKey(path: string, limits: FileLimits): Promise<boolean> {
  const archive = (await isArchive(path)) ? await unlessRefused(openArchive(path, limits)) : undefined;
  if (archive === undefined) return false;
  let bytesLeft = UNPACKED_BYTES_MAX;
  try {
    for (const name of archive.partNames) {
      bytesLeft -= archive.inflatedBytes(name);
      if (bytesLeft < 0) return false;
      if (await unlessRefused(chunksHoldKey(archive.read(name)))) return true;
    }
    return false;
  } finally {
    archive.close();
  }
}

async function isArchive(path: string): Promise<boolean> {
  for await (const chunk of fileChunks(path)) return chunk.toString("latin1", 0, 2) === "PK";
  return false;
}

/** Undefined if an archive, or a part of it, is damaged or refused; its raw bytes have been searched already. */
async function unlessRefused<Found>(looking: Promise<Found>): Promise<Found | undefined> {
  try {
    return await looking;
  } catch (error) {
    if (error instanceof Fault) return undefined;
    throw error;
  }
}

const UNPACKED_BYTES_MAX = 16 * 1024 * 1024;
