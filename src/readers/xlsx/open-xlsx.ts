/** Opens a workbook in a thread of its own: the heads of its sheets at once, a whole sheet once it was chosen. */
import { fault } from "../../faults/index.ts";
import { columnIndex, lineOf } from "../../model/cell-reference.ts";
import {
  type Cell,
  type Grid,
  type Line,
  type SecondReading,
  type SentFile,
  textOf,
} from "../../model/grid.ts";
import { LineTable, withCells } from "../../model/lines.ts";
import type { FileLimits } from "../file-limits.ts";
import { refused } from "./archive.ts";
import { withFlaw } from "./cell-value.ts";
import { packCells, unpackLine } from "./packed-cells.ts";
import { WorkbookThread } from "./workbook-thread.ts";

/** The caller must close it. Faults: XLSX_MALFORMED, XLSX_REFUSED, WORKBOOK_HAS_MACROS, WORKBOOK_IS_ACTIVE, ... */
export async function openXlsx(path: string, limits: FileLimits): Promise<SentFile> {
  const thread = takeThread(path, limits.workerHeapMebibytesMax);
  const readings = new Set<Promise<SecondReading>>();
  try {
    const { dialect, sheets } = await thread.ask("open", path, limits);
    return {
      format: "xlsx",
      sheets,
      readSheet: (name) => readSheet(thread, name, dialect, path),
      readAgain: (cells) => {
        const reading = thread.readAgain(packCells(cells));
        readings.add(reading);
        const end = () => readings.delete(reading);
        reading.then(end, end);
        return reading;
      },
      // A reading that nobody waits for any more would take as long as the check.
      close: () => (readings.size > 0 ? thread.end() : giveBack(thread)),
    };
  } catch (error) {
    await giveBack(thread);
    throw error;
  }
}

/** The thread of the last reading, kept because starting one takes longer than reading a small workbook. */
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

/** Faults in addition to those of the workbook: VALUE_IS_SECRET for a private key outside the sheet. */
async function readSheet(thread: WorkbookThread, name: string, dialect: string, file: string): Promise<Grid> {
  await thread.ask("startSheet", name);
  const lines: Line[] = [];
  const table = new LineTable();
  let request = thread.ask("nextLines");
  for (let batch = await request; batch !== undefined; batch = await request) {
    // Requests one batch ahead, so that both threads are busy.
    request = thread.ask("nextLines");
    for (const text of batch) lines.push(table.add(unpackLine(text)));
  }
  const { mergedRanges, ...frame } = await thread.ask("readFrame");
  if (lines.length === 0) throw fault("FILE_EMPTY", {}, { file });
  return { format: "xlsx", dialect, sheet: name, lines: withMerged(lines, mergedRanges, file), ...frame };
}

/**
 * Marks the cells of merged ranges. The cells below a range's first one hold the text that it shows, because a
 * person reads it for each of their rows. Faults: XLSX_REFUSED for ranges that cover more cells than anybody merges
 * on purpose.
 */
function withMerged(lines: readonly Line[], ranges: readonly string[], file: string): readonly Line[] {
  if (ranges.length === 0) return lines;
  const marked = [...lines];
  /** By index, the changed cells of the lines that ranges lie in. */
  const changed = new Map<number, Cell[]>();
  let left = MERGED_CELLS_MAX;
  for (const range of ranges) {
    const [first = "", last = first] = range.replaceAll("$", "").split(":");
    const [top, bottom] = [lineOf(first), lineOf(last)].toSorted((a, b) => a - b);
    const [start, end] = [columnIndex(first) ?? 0, columnIndex(last) ?? 0].toSorted((a, b) => a - b);
    if (top === undefined || bottom === undefined || start === undefined || end === undefined) continue;
    const begins = firstFrom(marked, top);
    const shown = marked[begins]?.line === top ? textOf(marked[begins].cells[start] ?? "") : "";
    for (let at = begins; (marked[at]?.line ?? Infinity) <= bottom; at += 1) {
      const cells = changed.get(at) ?? [...(marked[at]?.cells ?? [])];
      changed.set(at, cells);
      const width = Math.min(end, start + MERGED_COLUMNS_MAX);
      left -= width - start + 1;
      if (left < 0) throw refused(`has merged ranges of more than ${MERGED_CELLS_MAX} cells`, file);
      while (cells.length < start) cells.push("");
      for (let position = start; position <= width; position += 1)
        cells[position] = mergedCell(cells[position] ?? "", at > begins && position === start ? shown : "");
    }
  }
  return marked.map((line, at) => {
    const cells = changed.get(at);
    return cells === undefined ? line : withCells(line, cells);
  });
}

function mergedCell(cell: Cell, shown: string): Cell {
  const isCovered = cell === "" && shown !== "";
  return isCovered ? { kind: "text", text: "", flaw: "merged", merged: shown } : withFlaw(cell, "merged");
}

/** The index of the first line with this number or a higher one. */
function firstFrom(lines: readonly Line[], line: number): number {
  let [low, high] = [0, lines.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lines[middle]?.line ?? 0) < line) low = middle + 1;
    else high = middle;
  }
  return low;
}

const MERGED_CELLS_MAX = 2_000_000;
/** In a wider range, the first cells are enough to refuse its rows. */
const MERGED_COLUMNS_MAX = 50;
