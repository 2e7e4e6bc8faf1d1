/** The files that were taken in, with their results. */
import { type FileFilter, listFiles, type TakenFile } from "../store/batches.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { type BatchStatus, statusOfBatches } from "./batch-status.ts";

export interface ListedFile {
  readonly file: TakenFile;
  /** Absent without a batch. */
  readonly status?: BatchStatus;
}

/** Newest first. Leaves out files that were not accepted and were sent again. */
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
