/** The thread that unpacks and parses workbooks, so that none can take the process down. */
import { getHeapStatistics } from "node:v8";
import { parentPort } from "node:worker_threads";
import { Fault, invariant } from "../../faults/index.ts";
import type { ComparedCells, Line, SecondReading, SheetHead } from "../../model/grid.ts";
import { type FileLimits, HEAD_LINES } from "../file-limits.ts";
import { type Archive, openArchive } from "./archive.ts";
import { refuseOtherParts } from "./other-parts.ts";
import { readOutside } from "./outside-texts.ts";
import { readByExceljs } from "./second-reader.ts";
import { newFrame, type SheetFrame, sheetLines } from "./sheet-lines.ts";
import { dialectOf, readWorkbook, type Workbook, type Worksheet } from "./workbook.ts";
import { type Frame, type Replies, type Reply, type Request, STARTED } from "./worker-messages.ts";

class WorkbookReading {
  private archive: Archive | undefined;
  private workbook: Workbook | undefined;
  private sheet: Worksheet | undefined;
  private frame: SheetFrame = newFrame();
  private lines: AsyncGenerator<readonly Line[]> | undefined;

  async open(path: string, limits: FileLimits): Promise<Replies["open"]> {
    this.archive = await openArchive(path, limits);
    this.workbook = await readWorkbook(this.archive);
    const sheets: SheetHead[] = [];
    for (const sheet of this.workbook.sheets) {
      const { name, visibility } = sheet;
      sheets.push({ name, visibility, lines: await this.headOf(sheet) });
    }
    return { dialect: dialectOf(this.workbook), sheets };
  }

  async startSheet(name: string): Promise<undefined> {
    const { archive, workbook } = this.opened();
    await this.lines?.return(undefined);
    const sheet = workbook.sheets.find((candidate) => candidate.name === name);
    invariant(sheet !== undefined, `there is no sheet ${name}`);
    this.sheet = sheet;
    this.frame = newFrame();
    this.lines = sheetLines(archive, workbook, sheet, this.frame);
    return undefined;
  }

  async nextLines(): Promise<Replies["lines"]> {
    const batch: Line[] = [];
    while (batch.length < LINES_AT_ONCE) {
      const next = await this.lines?.next();
      if (next?.done !== false) return batch.length === 0 ? undefined : batch;
      batch.push(...next.value);
    }
    return batch;
  }

  async readFrame(): Promise<Frame> {
    const { archive, workbook } = this.opened();
    const { sheet, frame } = this;
    invariant(sheet !== undefined, "a frame belongs to a sheet that was read");
    const { hiddenColumns, columnWidths, mergedRanges, pageTexts, shownTexts } = frame;
    await refuseOtherParts(archive, workbook, sheet, shownTexts);
    const { texts: outside, pictureCount } = await readOutside(archive, sheet, pageTexts);
    return { hiddenColumns, columnWidths, mergedRanges, outside, pictureCount };
  }

  async readAgain(cells: ComparedCells): Promise<SecondReading> {
    const { archive } = this.opened();
    invariant(this.sheet !== undefined, "only a sheet that was read is read again");
    // Without hundreds of thousands of texts, which the second reader holds once more.
    const workbook = { ...this.opened().workbook, sharedTexts: [] };
    this.workbook = workbook;
    try {
      return { kind: "read", disagreements: await readByExceljs(archive, workbook, this.sheet, cells) };
    } catch (error) {
      if (error instanceof Fault) throw error;
      return { kind: "unreadable", reason: String(error) };
    }
  }

  async close(): Promise<Replies["close"]> {
    await this.lines?.return(undefined);
    this.archive?.close();
    this.archive = undefined;
    this.workbook = undefined;
    this.lines = undefined;
    this.frame = newFrame();
    // `process.memoryUsage()` opens a file, which may be impossible.
    return { heapBytes: getHeapStatistics().used_heap_size };
  }

  private async headOf(sheet: Worksheet): Promise<Line[]> {
    const { archive, workbook } = this.opened();
    const head: Line[] = [];
    try {
      for await (const lines of sheetLines(archive, workbook, sheet, newFrame())) {
        head.push(...lines);
        if (head.length >= HEAD_LINES) break;
      }
    } catch (error) {
      // A sheet that is too wide is refused once it is to be read.
      if (!(error instanceof Fault) || error.problem.code !== "FILE_TOO_LARGE") throw error;
    }
    return head.slice(0, HEAD_LINES);
  }

  private opened(): { archive: Archive; workbook: Workbook } {
    const { archive, workbook } = this;
    invariant(archive !== undefined && workbook !== undefined, "a sheet is read from an open workbook");
    return { archive, workbook };
  }
}

/** Few enough that a batch dies young in both threads. */
const LINES_AT_ONCE = 500;

function answer(reading: WorkbookReading, request: Request): Promise<Replies[Request["kind"]]> {
  switch (request.kind) {
    case "open":
      return reading.open(request.path, request.limits);
    case "sheet":
      return reading.startSheet(request.name);
    case "lines":
      return reading.nextLines();
    case "frame":
      return reading.readFrame();
    case "again":
      return reading.readAgain(request.cells);
    case "close":
      return reading.close();
  }
}

async function replyTo(reading: WorkbookReading, request: Request): Promise<Reply> {
  try {
    return { result: await answer(reading, request) };
  } catch (error) {
    return error instanceof Fault ? { problem: error.problem } : { failure: String(error) };
  }
}

function serve(): void {
  const port = parentPort;
  invariant(port !== null, "the workbook worker runs as a worker");
  const reading = new WorkbookReading();
  let turn = Promise.resolve();
  port.on("message", (request: Request) => {
    turn = turn.then(async () => port.postMessage(await replyTo(reading, request)));
  });
  port.postMessage(STARTED);
}

serve();
