/**
 * The thread that unpacks and parses workbooks, so that none can take the process down. It answers requests in order
 * (worker-messages.ts) and keeps the last workbook, whose rows are usually requested after its header.
 */
import { parentPort } from "node:worker_threads";
import { Fault, invariant } from "../../faults/index.ts";
import type { FileLimits } from "../file-limits.ts";
import { versionOf } from "../file-version.ts";
import { type Archive, openArchive } from "./archive.ts";
import { BesideSearch } from "./beside-search.ts";
import type { ConditionalFormat } from "./conditional-formats.ts";
import { readCoveredCells } from "./covered-cells.ts";
import { findStray, type SearchedSheet, type Stray } from "./find-stray.ts";
import { RowPacker } from "./packed-rows.ts";
import { SharedTexts } from "./shared-texts.ts";
import { sheetRows } from "./sheet-rows.ts";
import { readWorkbook, type Workbook, type Worksheet } from "./workbook.ts";
import type { Replies, Reply, Request, SheetBatch } from "./worker-messages.ts";

const NO_TEXTS = new SharedTexts(0);

class WorkbookReading {
  private known: { readonly version: string; readonly workbook: Workbook } | undefined;
  private archive: Archive | undefined;
  private searched: SearchedSheet | undefined;
  private rows: AsyncGenerator<void> | undefined;
  private packer = new RowPacker(NO_TEXTS);
  private hiddenColumns: [first: number, last: number][] = [];
  private mergedCells: string[] = [];
  private conditionalFormats: ConditionalFormat[] = [];
  /** Undefined once they have been requested. */
  private readCovered: (() => Promise<readonly string[]>) | undefined;

  async open(path: string, limits: FileLimits): Promise<Replies["open"]> {
    const version = `${path} ${await versionOf(path)} ${JSON.stringify(limits)}`;
    const archive = await openArchive(path, limits);
    this.archive = archive;
    if (this.known?.version !== version) {
      this.known = undefined;
      this.known = { version, workbook: await readWorkbook(archive) };
    }
    const { sheets, dateSystem } = this.known.workbook;
    return { sheets, dateSystem };
  }

  async stray(besides: Worksheet | undefined): Promise<Stray | undefined> {
    const { archive, known, searched } = this;
    invariant(archive !== undefined && known !== undefined, "an open workbook is searched");
    const isSearched = searched?.sheet.partName === besides?.partName;
    return findStray(archive, known.workbook, isSearched ? searched : undefined);
  }

  async startSheet(sheet: Worksheet): Promise<undefined> {
    await this.leaveSheet();
    const { archive, known } = this;
    invariant(archive !== undefined && known !== undefined, "a sheet is read from an open workbook");
    const search = new BesideSearch();
    this.searched = { sheet, search };
    const listener = {
      hiddenColumns: (first: number, last: number) => this.hiddenColumns.push([first, last]),
      mergedCells: (range: string) => this.mergedCells.push(range),
      conditionalFormat: (format: ConditionalFormat) => this.conditionalFormats.push(format),
      beside: search,
    };
    known.workbook.sharedTexts.forgetShown();
    this.packer = new RowPacker(known.workbook.sharedTexts);
    this.readCovered = () => readCoveredCells(archive, sheet.partName);
    this.rows = sheetRows(archive, known.workbook, sheet, listener, this.packer);
    return undefined;
  }

  /** Sends hidden columns before or with the rows that follow them, and merged cells once no earlier row is left. */
  async nextRows(): Promise<SheetBatch | undefined> {
    const { packer } = this;
    let isEnd = false;
    const mayWait = () => packer.isInRow || this.hiddenColumns.length + this.mergedCells.length === 0;
    while (!isEnd && !packer.isFull && mayWait()) {
      isEnd = (await this.rows?.next())?.done ?? true;
    }
    const rows = packer.take();
    const hiddenColumns = this.hiddenColumns.splice(0);
    const mergedCells = packer.isEmpty ? this.mergedCells.splice(0) : [];
    const conditionalFormats = this.conditionalFormats.splice(0);
    const coveredCells = (await this.readCovered?.()) ?? [];
    this.readCovered = undefined;
    const others =
      hiddenColumns.length + mergedCells.length + conditionalFormats.length + coveredCells.length;
    if (isEnd && rows.rows.length + others === 0) return undefined;
    return { rows, hiddenColumns, mergedCells, conditionalFormats, coveredCells };
  }

  async close(): Promise<Replies["close"]> {
    await this.leaveSheet();
    this.archive?.close();
    this.archive = undefined;
    return { heapBytes: process.memoryUsage().heapUsed };
  }

  private async leaveSheet(): Promise<void> {
    await this.rows?.return(undefined);
    this.rows = undefined;
    this.searched = undefined;
    this.packer = new RowPacker(NO_TEXTS);
    this.hiddenColumns = [];
    this.mergedCells = [];
    this.conditionalFormats = [];
    this.readCovered = undefined;
  }
}

function answer(reading: WorkbookReading, request: Request): Promise<Replies[Request["kind"]]> {
  switch (request.kind) {
    case "open":
      return reading.open(request.path, request.limits);
    case "sheet":
      return reading.startSheet(request.sheet);
    case "rows":
      return reading.nextRows();
    case "stray":
      return reading.stray(request.besides);
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
}

serve();
