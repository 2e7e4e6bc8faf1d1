/** Opens a workbook in a thread of its own: its sheets' heads at once, one sheet whole when it was chosen. */
import { fault } from "../../faults/index.ts";
import { columnIndex, lineOf } from "../../model/cell-reference.ts";
import type { Grid, Line, SentFile } from "../../model/grid.ts";
import type { FileLimits } from "../file-limits.ts";
import { onceKept } from "../once-kept.ts";
import { withFlaw } from "./cell-value.ts";
import { WorkbookThread } from "./workbook-thread.ts";

/** The caller must close it. Faults: XLSX_MALFORMED, XLSX_REFUSED, WORKBOOK_HAS_MACROS, WORKBOOK_IS_ACTIVE, ... */
export async function openXlsx(path: string, limits: FileLimits): Promise<SentFile> {
  const thread = takeThread(path, limits.workerHeapMebibytesMax);
  try {
    const { dialect, sheets } = await thread.ask("open", path, limits);
    return {
      format: "xlsx",
      sheets,
      readSheet: (name) => readSheet(thread, name, dialect, path),
      readAgain: (cells) => thread.ask("readAgain", cells),
      close: () => giveBack(thread),
    };
  } catch (error) {
    await giveBack(thread);
    throw error;
  }
}

/** That of the last reading, since starting one takes longer than reading a small workbook. */
let idle: WorkbookThread | undefined;

function takeThread(path: string, heapMebibytesMax: number): WorkbookThread {
  const thread = idle;
  if (thread?.isAlive !== true || thread.heapMebibytesMax !== heapMebibytesMax)
    return new WorkbookThread(path, heapMebibytesMax);
  idle = undefined;
  thread.takeUp(path);
  return thread;
}

async function giveBack(thread: WorkbookThread): Promise<void> {
  if (!(await thread.putDown())) return;
  if (idle === undefined) idle = thread;
  else await thread.end();
}

/** Faults besides those of the workbook: VALUE_IS_SECRET for a private key outside the sheet. */
async function readSheet(thread: WorkbookThread, name: string, dialect: string, file: string): Promise<Grid> {
  await thread.ask("startSheet", name);
  const lines: Line[] = [];
  const once = onceKept();
  let request = thread.ask("nextLines");
  for (let batch = await request; batch !== undefined; batch = await request) {
    // Requests one batch ahead, so that both threads are busy.
    request = thread.ask("nextLines");
    for (const line of batch)
      lines.push({
        ...line,
        cells: line.cells.map((cell, at) => (typeof cell === "string" ? once(cell, at) : cell)),
      });
  }
  const { mergedRanges, ...frame } = await thread.ask("readFrame");
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
      const cells = [...found.cells];
      while (cells.length < left) cells.push("");
      for (let at = left; at <= Math.min(right, left + MERGED_COLUMNS_MAX); at += 1)
        cells[at] = withFlaw(cells[at] ?? "", "merged");
      marked.set(line, { ...found, cells });
    }
  }
  return [...marked.values()];
}

/** Nothing larger is marked whole: its first cell is enough for its rows to be refused. */
const MERGED_LINES_MAX = 200;
const MERGED_COLUMNS_MAX = 50;
