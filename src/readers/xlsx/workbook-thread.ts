/**
 * The caller's side of a worker thread that reads workbooks (workbook-worker.ts). Once it has started, every
 * failure in it, even running out of memory, becomes a fault of the file being read. The reader's own checks are
 * the first defence; this is the safety net.
 */
import { getCompileCacheDir } from "node:module";
import { dirname, extname } from "node:path";
import { Worker } from "node:worker_threads";
import { Fault, fault } from "../../faults/index.ts";
import { malformed, reasonOf, refused } from "./archive.ts";
import type { PackedCells } from "./packed-cells.ts";
import type { Reply, WorkbookReading } from "./workbook-worker.ts";

export class WorkbookThread {
  readonly heapMebibytesMax: number;
  /** The file named in faults. */
  private path: string;
  private isStarted = false;
  private readonly worker: Worker;
  private readonly waiting: PromiseWithResolvers<unknown>[] = [];
  private ended: Error | undefined;

  constructor(path: string, heapMebibytesMax: number) {
    this.path = path;
    this.heapMebibytesMax = heapMebibytesMax;
    this.worker = new Worker(WORKER_MODULE, {
      // The thread gets neither this process's secrets nor its options.
      env: compileCache(),
      execArgv: [],
      resourceLimits: {
        maxOldGenerationSizeMb: heapMebibytesMax,
        maxYoungGenerationSizeMb: YOUNG_MEBIBYTES_MAX,
      },
    });
    this.worker.once("online", () => {
      this.isStarted = true;
    });
    this.worker.on("message", (reply: Reply) => this.take(reply));
    this.worker.on("messageerror", (error) => this.die(error));
    this.worker.on("error", (error) => this.die(error));
    this.worker.on("exit", () => this.die(new Error("the thread that read it has ended")));
  }

  /**
   * Requests may overlap. Rejects with the reader's Faults, XLSX_MALFORMED, XLSX_REFUSED and
   * WORKBOOK_READER_FAILED.
   */
  ask<Method extends keyof WorkbookReading>(
    method: Method,
    ...given: Parameters<WorkbookReading[Method]>
  ): ReturnType<WorkbookReading[Method]> {
    return this.post(method, given, []);
  }

  /** As `ask`, but moves the cells to the thread: a copy would hold a long sheet's twice. */
  readAgain(cells: PackedCells): ReturnType<WorkbookReading["readAgain"]> {
    const moved = cells.windows.map(({ bytes }) => bytes.buffer);
    return this.post("readAgain", [cells], moved);
  }

  async end(): Promise<void> {
    await this.worker.terminate();
  }

  get isAlive(): boolean {
    return this.ended === undefined;
  }

  /** Prepares the thread for the next file. An idle thread does not keep the process alive. */
  takeUp(path: string): void {
    this.path = path;
    this.worker.ref();
  }

  /** Closes the workbook, and returns whether the thread can read another file. */
  async putDown(): Promise<boolean> {
    const heapBytes = this.isAlive ? await this.ask("close") : Infinity;
    if (heapBytes < IDLE_HEAP_BYTES_MAX) this.worker.unref();
    else await this.end();
    return heapBytes < IDLE_HEAP_BYTES_MAX;
  }

  private post<Method extends keyof WorkbookReading>(
    method: Method,
    given: Parameters<WorkbookReading[Method]>,
    moved: readonly ArrayBuffer[],
  ): ReturnType<WorkbookReading[Method]> {
    const reply = Promise.withResolvers<unknown>();
    this.waiting.push(reply);
    if (this.ended === undefined) this.worker.postMessage({ method, given }, moved);
    else this.die(this.ended);
    return reply.promise as ReturnType<WorkbookReading[Method]>;
  }

  private take(reply: Reply): void {
    const request = this.waiting.shift();
    if ("result" in reply) request?.resolve(reply.result);
    else if ("problem" in reply) request?.reject(new Fault(reply.problem));
    else request?.reject(malformed(`the reader failed on it (${reply.failure})`, this.path));
  }

  private die(error: Error): void {
    this.ended = error;
    for (const request of this.waiting.splice(0)) request.reject(this.asFault(error));
  }

  private asFault(error: Error): Fault {
    if ("code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY")
      return refused(`reading it takes more than ${this.heapMebibytesMax} MiB of memory`, this.path);
    const reason = reasonOf(error);
    if (this.isStarted) return malformed(`the reader failed on it (${reason})`, this.path, { cause: error });
    // If the machine has no room for a thread, the file is not to blame.
    return fault("WORKBOOK_READER_FAILED", { reason }, { file: this.path }, { cause: error });
  }
}

/** A thread with a larger heap still holds a large workbook's texts, or what a hostile one left. */
const IDLE_HEAP_BYTES_MAX = 48 * 1024 * 1024;

/**
 * The folder of this process's compiled modules. Without it the thread would compile its own, which takes most of
 * its start.
 */
function compileCache(): { NODE_COMPILE_CACHE?: string } {
  const folder = getCompileCacheDir();
  // Node has added a folder for its version to the one that it was given.
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) };
}

// The compiler rewrites the extensions of imports but not of this URL.
const WORKER_MODULE = new URL(`./workbook-worker${extname(import.meta.url)}`, import.meta.url);

/** A third of V8's default, and as fast: few objects outlive the batch for which they are read. */
export const YOUNG_MEBIBYTES_MAX = 16;
