/** Opens a workbook in a thread of its own: its sheets' heads at once, one sheet whole when it was chosen. */
import { fault } from "../../faults/index.ts";
import { columnIndex, lineOf } from "../../model/cell-reference.ts";
import { type Cell, type Grid, type Line, type SentFile, textOf } from "../../model/grid.ts";
import type { FileLimits } from "../file-limits.ts";
import { onceKept } from "../once-kept.ts";
import { WorkbookThread } from "./workbook-thread.ts";

/** The caller must close it. Faults: XLSX_MALFORMED, XLSX_REFUSED, WORKBOOK_HAS_MACROS, WORKBOOK_IS_ACTIVE, ... */
export async function openXlsx(path: string, limits: FileLimits): Promise<SentFile> {
  const thread = takeThread(limits.workerHeapMebibytesMax);
  try {
    const { dialect, sheets } = await thread.ask({ kind: "open", path, limits });
    return {
      format: "xlsx",
      sheets,
      readSheet: (name) => readSheet(thread, name, dialect, path),
      readAgain: (cells) => thread.ask({ kind: "again", cells }),
      close: () => giveBack(thread),
    };
  } catch (error) {
    await giveBack(thread);
    throw error;
  }
}

/** Faults besides those of the workbook: VALUE_IS_SECRET for a private key outside the sheet. */
async function readSheet(thread: WorkbookThread, name: string, dialect: string, file: string): Promise<Grid> {
  await thread.ask({ kind: "sheet", name });
  const lines: Line[] = [];
  const once = onceKept();
  let request = thread.ask({ kind: "lines" });
  for (let batch = await request; batch !== undefined; batch = await request) {
    // Requests one batch ahead, so that both threads are busy.
    request = thread.ask({ kind: "lines" });
    for (const line of batch)
      lines.push({
        ...line,
        cells: line.cells.map((cell, at) => (typeof cell === "string" ? once(cell, at) : cell)),
      });
  }
  const { mergedRanges, ...frame } = await thread.ask({ kind: "frame" });
  if (lines.length === 0) throw fault("FILE_EMPTY", {}, { file });
  return { format: "xlsx", dialect, sheet: name, lines: withMerged(lines, mergedRanges), ...frame };
}

/** Marks what lies in a merged range: its first cell, and the others of a small one, which look empty. */
function withMerged(lines: readonly Line[], ranges: readonly string[]): readonly Line[] {
  if (ranges.length === 0) return lines;
  const marked = new Map(lines.map((line) => [line.line, line]));
  for (const range of ranges) {
    const [first = "", last = first] = range.replaceAll("$", "").split(":");
    const [top, bottom] = [lineOf(first), lineOf(last)].toSorted((a, b) => a - b);
    const [left, right] = [columnIndex(first) ?? 0, columnIndex(last) ?? 0].toSorted((a, b) => a - b);
    if (top === undefined || bottom === undefined || left === undefined || right === undefined) continue;
    for (let line = top; line <= Math.min(bottom, top + MERGED_LINES_MAX); line += 1) {
      const found = marked.get(line);
      if (found === undefined) continue;
      const cells = Array.from(
        { length: Math.max(found.cells.length, left + 1) },
        (_, at) => found.cells[at] ?? "",
      );
      for (let at = left; at <= Math.min(right, left + MERGED_COLUMNS_MAX); at += 1)
        cells[at] = merged(cells[at] ?? "");
      marked.set(line, { ...found, cells });
    }
  }
  return [...marked.values()];
}

/** Nothing larger is marked whole: its first cell is enough for its rows to be refused. */
const MERGED_LINES_MAX = 200;
const MERGED_COLUMNS_MAX = 50;

function merged(cell: Cell): Cell {
  if (typeof cell === "string") return { kind: "text", text: cell, flaw: "merged" };
  if (cell.kind === "error") return cell;
  if (cell.kind === "formula") return { kind: "text", text: textOf(cell), flaw: "merged" };
  return { ...cell, flaw: "merged" };
}

/**
 * The thread of the last reading, kept because starting one takes longer than reading a small workbook. Does not keep
 * the process alive.
 */
let idle: WorkbookThread | undefined;

/** A thread with a larger heap still holds a large workbook's texts, or what a hostile one left, and is ended. */
const IDLE_HEAP_BYTES_MAX = 48 * 1024 * 1024;

function takeThread(heapMebibytesMax: number): WorkbookThread {
  const kept = idle;
  if (kept?.isAlive !== true || kept.heapMebibytesMax !== heapMebibytesMax)
    return new WorkbookThread(heapMebibytesMax);
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
