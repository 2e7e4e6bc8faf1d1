/**
 * The thread that unpacks and parses workbooks, so that none can take the process down. It answers requests in order
 * (worker-messages.ts) and keeps the last workbook, whose rows are usually requested after its header.
 */
import { getHeapStatistics } from "node:v8";
import { parentPort } from "node:worker_threads";
import { Fault, invariant } from "../../faults/index.ts";
import type { FileLimits } from "../file-limits.ts";
import { versionOf } from "../file-version.ts";
import { type Archive, openArchive } from "./archive.ts";
import { ContentScan } from "./content-scan.ts";
import { type ForbiddenContent, findForbiddenContent, type ScannedSheet } from "./forbidden-content.ts";
import { RowPacker } from "./packed-rows.ts";
import { SharedTexts } from "./shared-texts.ts";
import type { SheetFeature } from "./sheet-features.ts";
import { sheetRows } from "./sheet-rows.ts";
import { readWorkbook, type Workbook, type Worksheet } from "./workbook.ts";
import { type Replies, type Reply, type Request, type SheetBatch, STARTED } from "./worker-messages.ts";

const NO_TEXTS = new SharedTexts(0);

class WorkbookReading {
  private known: { readonly version: string; readonly workbook: Workbook } | undefined;
  private archive: Archive | undefined;
  private scanned: ScannedSheet | undefined;
  private rows: AsyncGenerator<void> | undefined;
  private packer = new RowPacker(NO_TEXTS);
  private features: SheetFeature[] = [];

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

  async forbiddenContent(sheetRead: Worksheet | undefined): Promise<ForbiddenContent | undefined> {
    const { archive, known, scanned } = this;
    invariant(archive !== undefined && known !== undefined, "an open workbook is searched");
    const isScanned = scanned?.sheet.partName === sheetRead?.partName;
    return findForbiddenContent(archive, known.workbook, isScanned ? scanned : undefined);
  }

  async startSheet(sheet: Worksheet): Promise<undefined> {
    await this.leaveSheet();
    const { archive, known } = this;
    invariant(archive !== undefined && known !== undefined, "a sheet is read from an open workbook");
    const scan = new ContentScan();
    this.scanned = { sheet, scan };
    const listener = { found: (feature: SheetFeature) => this.features.push(feature), scan };
    known.workbook.sharedTexts.forgetShown();
    this.packer = new RowPacker(known.workbook.sharedTexts);
    this.rows = sheetRows(archive, known.workbook, sheet, listener, this.packer);
    return undefined;
  }

  async nextRows(): Promise<SheetBatch | undefined> {
    const { packer } = this;
    let isEnd = false;
    while (!isEnd && !packer.isFull) isEnd = (await this.rows?.next())?.done ?? true;
    const batch = { rows: packer.take(), features: this.features.splice(0) };
    return isEnd && batch.rows.rows.length + batch.features.length === 0 ? undefined : batch;
  }

  async close(): Promise<Replies["close"]> {
    await this.leaveSheet();
    this.archive?.close();
    this.archive = undefined;
    // `process.memoryUsage()` opens a file, which may be impossible.
    return { heapBytes: getHeapStatistics().used_heap_size };
  }

  private async leaveSheet(): Promise<void> {
    await this.rows?.return(undefined);
    this.rows = undefined;
    this.scanned = undefined;
    this.packer = new RowPacker(NO_TEXTS);
    this.features = [];
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
    case "forbidden content":
      return reading.forbiddenContent(request.sheetRead);
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
