/** The thread that unpacks and parses a workbook, so that no workbook can take the process down. */
import { getHeapStatistics } from "node:v8";
import { parentPort } from "node:worker_threads";
import { Fault, invariant, type Problem } from "../../faults/index.ts";
import type { Grid, Line, SecondReading, SheetHead } from "../../model/grid.ts";
import { type FileLimits, HEAD_LINES } from "../file-limits.ts";
import { type Archive, openArchive, reasonOf } from "./archive.ts";
import { readOutside, refuseOtherParts } from "./other-parts.ts";
import { type PackedCells, type PackedLine, packLine } from "./packed-cells.ts";
import { readByExceljs } from "./second-reader.ts";
import { SheetFrame, sheetLines } from "./sheet-lines.ts";
import { readWorkbook, type Workbook, type Worksheet } from "./workbook.ts";

export interface Frame
  extends Pick<Grid, "hiddenColumns" | "columnWidths" | "outside" | "pictureCount">,
    Pick<SheetFrame, "mergedRanges"> {}

/** `failure`: the message of an unexpected error, which is not a Fault. */
export type Reply =
  | { readonly result: unknown }
  | { readonly problem: Problem }
  | { readonly failure: string };

/** The requests to the thread; each gets one reply, in order. */
export class WorkbookReading {
  private archive: Archive | undefined;
  private workbook: Workbook | undefined;
  private sheet: Worksheet | undefined;
  private frame = new SheetFrame();
  private lines: AsyncGenerator<readonly Line[]> | undefined;

  async open(path: string, limits: FileLimits) {
    this.archive = await openArchive(path, limits);
    this.workbook = await readWorkbook(this.archive);
    const sheets: SheetHead[] = [];
    for (const sheet of this.workbook.sheets) {
      const { name, visibility } = sheet;
      sheets.push({ name, visibility, lines: await this.headOf(sheet) });
    }
    return { dialect: this.workbook.dialect, sheets };
  }

  /** Starts at the sheet's first line, even if another sheet was being read. */
  async startSheet(name: string): Promise<void> {
    const { archive, workbook } = this.opened();
    await this.lines?.return(undefined);
    const sheet = workbook.sheets.find((candidate) => candidate.name === name);
    invariant(sheet !== undefined, `there is no sheet ${name}`);
    this.sheet = sheet;
    this.frame = new SheetFrame();
    this.lines = sheetLines(archive, workbook, sheet, this.frame);
  }

  /** Undefined after the last line. */
  async nextLines(): Promise<readonly PackedLine[] | undefined> {
    const batch: PackedLine[] = [];
    while (batch.length < LINES_AT_ONCE) {
      const next = await this.lines?.next();
      if (next?.done !== false) return batch.length === 0 ? undefined : batch;
      for (const line of next.value) batch.push(packLine(line));
    }
    return batch;
  }

  /** The facts of the sheet other than its lines. Call it after the last line. */
  async readFrame(): Promise<Frame> {
    const { archive, workbook, sheet } = this.started();
    const { hiddenColumns, columnWidths, mergedRanges, shownTexts } = this.frame;
    await refuseOtherParts(archive, workbook, sheet, shownTexts);
    const outside = await readOutside(archive, sheet, this.frame);
    return { hiddenColumns, columnWidths, mergedRanges, ...outside };
  }

  /** Reads the same sheet a second time, with the second reader. */
  async readAgain(cells: PackedCells): Promise<SecondReading> {
    const { archive, workbook, sheet } = this.started();
    // Drops our shared texts, perhaps hundreds of thousands, because the second reader holds them once more.
    this.workbook = { ...workbook, sharedTexts: [] };
    try {
      const disagreements = await readByExceljs(archive, this.workbook, sheet, cells);
      return { kind: "read", disagreements };
    } catch (error) {
      if (error instanceof Fault) throw error;
      return { kind: "unreadable", reason: reasonOf(error) };
    }
  }

  /** Returns how many bytes of the heap are still used. */
  async close(): Promise<number> {
    await this.lines?.return(undefined);
    this.archive?.close();
    this.archive = undefined;
    this.workbook = undefined;
    this.sheet = undefined;
    this.lines = undefined;
    this.frame = new SheetFrame();
    // `process.memoryUsage()` opens a file, which may be impossible.
    return getHeapStatistics().used_heap_size;
  }

  private async headOf(sheet: Worksheet): Promise<Line[]> {
    const { archive, workbook } = this.opened();
    const head: Line[] = [];
    try {
      for await (const lines of sheetLines(archive, workbook, sheet, new SheetFrame())) {
        head.push(...lines);
        if (head.length >= HEAD_LINES) break;
      }
    } catch (error) {
      // A sheet that is too wide is refused when it is read.
      if (!(error instanceof Fault) || error.problem.code !== "FILE_TOO_LARGE") throw error;
    }
    return head.slice(0, HEAD_LINES);
  }

  private opened(): { readonly archive: Archive; readonly workbook: Workbook } {
    const { archive, workbook } = this;
    invariant(archive !== undefined && workbook !== undefined, "a sheet is read from an open workbook");
    return { archive, workbook };
  }

  private started(): ReturnType<WorkbookReading["opened"]> & { readonly sheet: Worksheet } {
    invariant(this.sheet !== undefined, "only what was read has a frame, or is read again");
    return { ...this.opened(), sheet: this.sheet };
  }
}

/** Few enough that a batch is collected early in both threads. */
const LINES_AT_ONCE = 500;

/** The message that `WorkbookThread.ask` posts. */
interface Request {
  readonly method: keyof WorkbookReading;
  readonly given: readonly unknown[];
}

async function replyTo(reading: WorkbookReading, { method, given }: Request): Promise<Reply> {
  try {
    const asked = reading[method] as (...given: readonly unknown[]) => Promise<unknown>;
    return { result: await asked.apply(reading, [...given]) };
  } catch (error) {
    return error instanceof Fault ? { problem: error.problem } : { failure: reasonOf(error) };
  }
}

const reading = new WorkbookReading();
let turn = Promise.resolve();
parentPort?.on("message", (request: Request) => {
  turn = turn.then(async () => parentPort?.postMessage(await replyTo(reading, request)));
});
