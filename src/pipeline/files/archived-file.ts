/** Opens the archived file of a batch if it is unchanged: answers beside another file's rows would mislead. */
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { fault } from "../../faults/index.ts";
import type { Batch, Table } from "../../model/index.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { reopenTable } from "./payout-table.ts";
import { sha256Of } from "./sha256-of.ts";

/** Throws ARCHIVED_FILE_MISSING, or what reading it throws. */
export async function openArchivedTable(workplace: Workplace, batch: Batch): Promise<Table> {
  return reopenTable(workplace, await pathOf(workplace, batch), batch.fileName);
}

/** The path where it was archived, otherwise in the present archive folder, which may have been moved. */
async function pathOf(
  { config }: Workplace,
  { id, fileName, fileSha256, archivedAs }: Batch,
): Promise<string> {
  const inPresentArchive = join(config.folders.archive, basename(archivedAs));
  for (const path of [archivedAs, inPresentArchive])
    if (existsSync(path) && (await sha256Of(path)) === fileSha256) return path;
  throw fault("ARCHIVED_FILE_MISSING", { batch: id, path: inPresentArchive }, { file: fileName });
}
