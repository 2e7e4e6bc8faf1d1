/** The interface to a workbook that is read in a worker thread: its sheets, and the rows of each. */
import type { FileLimits } from "../file-limits.ts";
import type { ForbiddenContent } from "./forbidden-content.ts";
import { type SheetRow, unpackRows } from "./packed-rows.ts";
import type { SheetFeature } from "./sheet-features.ts";
import type { Workbook, Worksheet } from "./workbook.ts";
import { WorkbookThread } from "./workbook-thread.ts";

export interface OpenWorkbook extends Pick<Workbook, "path" | "sheets" | "dateSystem"> {
  /** Lazy, in batches, one sheet at a time. `found` is called before the rows beside which a feature was found. */
  rows(sheet: Worksheet, found?: (feature: SheetFeature) => void): AsyncGenerator<Iterable<SheetRow>>;
  /** A private key or active content outside the cells of `sheetRead`, whose rows were just read, or anywhere. */
  forbiddenContent(sheetRead?: Worksheet): Promise<ForbiddenContent | undefined>;
  close(): Promise<void>;
}

/** The caller must close it. Faults: those of `readWorkbook`, and while rows are read of `sheetRows`. */
export async function openWorkbook(path: string, limits: FileLimits): Promise<OpenWorkbook> {
  const thread = takeThread(limits.workerHeapMebibytesMax);
  try {
    const { sheets, dateSystem } = await thread.ask({ kind: "open", path, limits });
    return {
      path,
      sheets,
      dateSystem,
      rows: (sheet, found) => rowsOf(thread, sheet, found),
      forbiddenContent: (sheetRead) => thread.ask({ kind: "forbidden content", sheetRead }),
      close: () => giveBack(thread),
    };
  } catch (error) {
    await giveBack(thread);
    throw error;
  }
}

async function* rowsOf(
  thread: WorkbookThread,
  sheet: Worksheet,
  found: ((feature: SheetFeature) => void) | undefined,
): AsyncGenerator<Iterable<SheetRow>> {
  await thread.ask({ kind: "sheet", sheet });
  let request = thread.ask({ kind: "rows" });
  for (;;) {
    const batch = await request;
    if (batch === undefined) return;
    // Requests one batch ahead, so that both threads are busy.
    request = thread.ask({ kind: "rows" });
    request.catch(() => "awaited in the next round, or by nobody who needs it");
    for (const feature of batch.features) found?.(feature);
    yield unpackRows(batch.rows);
  }
}

/**
 * The thread of the last reading, kept because starting one takes longer than reading a small workbook, and a file's
 * rows are usually requested right after its header. Does not keep the process alive.
 */
let idle: WorkbookThread | undefined;

/** A thread with a larger heap still holds a large workbook's texts, or what a hostile one left, and is ended. */
const IDLE_HEAP_BYTES_MAX = 48 * 1024 * 1024;

function takeThread(heapMebibytesMax: number): WorkbookThread {
  const kept = idle;
  if (kept?.isAlive !== true || kept.heapMebibytesMax !== heapMebibytesMax) {
    return new WorkbookThread(heapMebibytesMax);
  }
  idle = undefined;
  kept.setAwaited(true);
  return kept;
}

async function giveBack(thread: WorkbookThread): Promise<void> {
  if (!thread.isAlive) return;
  const { heapBytes } = await thread.ask({ kind: "close" });
  if (heapBytes > IDLE_HEAP_BYTES_MAX || idle !== undefined) return await thread.end();
  thread.setAwaited(false);
  idle = thread;
}
