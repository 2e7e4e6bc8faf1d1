/** Opens the archived file of a batch again, as it was read when it was taken in. */
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { fault } from "../../faults/index.ts";
import { openSentFile } from "../../intake/index.ts";
import type { BatchReading } from "../../model/batch-reading.ts";
import type { Grid } from "../../model/grid.ts";
import { type Batch, singleByteEncodings } from "../../model/index.ts";
import { present } from "../../model/present.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { fileLimitsOf } from "./sender-layout.ts";
import { sha256Of } from "./sha256-of.ts";

/**
 * The sheet from which the batch was read, if the file is unchanged: answers beside another file's rows would mislead.
 * Throws ARCHIVED_FILE_MISSING, or what reading it throws.
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
  try {
    return await sent.readSheet(sheet);
  } finally {
    await sent.close();
  }
}

/** The path where it was archived, otherwise in the present archive folder, which may have been moved. */
export async function archivedPath(
  { config }: Workplace,
  { id, fileName, fileSha256, archivedAs }: Batch,
): Promise<string> {
  const inPresentArchive = join(config.folders.archive, basename(archivedAs));
  for (const path of [archivedAs, inPresentArchive])
    if (existsSync(path) && (await sha256Of(path)) === fileSha256) return path;
  throw fault("ARCHIVED_FILE_MISSING", { batch: id, path: inPresentArchive }, { file: fileName });
}
