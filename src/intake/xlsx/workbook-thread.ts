/**
 * The caller's side of a worker thread that reads workbooks (workbook-worker.ts). Whatever happens in it once
 * it has started, even running out of memory, becomes a fault of the file being read. The reader's own checks are the first
 * defence; this is the safety net.
 */
import { getCompileCacheDir } from "node:module";
import { dirname, extname } from "node:path";
import { Worker } from "node:worker_threads";
import { Fault, fault } from "../../faults/index.ts";
import { malformed, refused } from "./archive.ts";
import type { Replies, Reply, Request } from "./worker-messages.ts";

export class WorkbookThread {
  readonly heapMebibytesMax: number;
  /** Whether the thread can be used again. */
  isAlive = true;
  private isStarted = false;
  /** The file that faults name. */
  private path = "";
  private readonly worker: Worker;
  private readonly waiting: PromiseWithResolvers<unknown>[] = [];

  constructor(heapMebibytesMax: number) {
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
    this.worker.once("message", () => {
      this.isStarted = true;
      this.worker.on("message", (reply: Reply) => this.take(reply));
    });
    this.worker.on("messageerror", (error) => this.die(error));
    this.worker.on("error", (error) => this.die(error));
    this.worker.on("exit", () => this.die(new Error("the thread that read it has ended")));
  }

  /** Requests may overlap. Rejects with the reader's Faults, XLSX_MALFORMED, XLSX_REFUSED and WORKBOOK_READER_FAILED. */
  ask<Asked extends Request>(request: Asked): Promise<Replies[Asked["kind"]]> {
    if (request.kind === "open") this.path = request.path;
    const reply = Promise.withResolvers<unknown>();
    this.waiting.push(reply);
    if (this.isAlive) this.worker.postMessage(request);
    else this.die(new Error("the thread that read it has ended"));
    return reply.promise as Promise<Replies[Asked["kind"]]>;
  }

  /** Whether the process waits for this thread before it ends. */
  setAwaited(isAwaited: boolean): void {
    if (isAwaited) this.worker.ref();
    else this.worker.unref();
  }

  async end(): Promise<void> {
    this.isAlive = false;
    await this.worker.terminate();
  }

  private take(reply: Reply): void {
    const request = this.waiting.shift();
    if ("result" in reply) request?.resolve(reply.result);
    else if ("problem" in reply) request?.reject(new Fault(reply.problem));
    else request?.reject(malformed(`the reader failed on it (${reply.failure})`, this.path));
  }

  private die(error: unknown): void {
    this.isAlive = false;
    for (const request of this.waiting.splice(0)) request.reject(this.asFault(error));
  }

  private asFault(error: unknown): Fault {
    if (error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY") {
      return refused(`reading it takes more than ${this.heapMebibytesMax} MiB of memory`, this.path);
    }
    // A machine that has no room for a thread says nothing about the file.
    if (!this.isStarted)
      return fault(
        "WORKBOOK_READER_FAILED",
        { reason: String(error) },
        { file: this.path },
        { cause: error },
      );
    return malformed(`the reader failed on it (${String(error)})`, this.path, { cause: error });
  }
}

/**
 * Where this process keeps compiled modules; without it the thread would compile its own anew, which takes most of its
 * start.
 */
function compileCache(): { NODE_COMPILE_CACHE?: string } {
  const folder = getCompileCacheDir();
  // Node has put a folder for its version into the one that it was given.
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) };
}

// The compiler rewrites the extensions of imports but not of this URL.
const WORKER_MODULE = new URL(`./workbook-worker${extname(import.meta.url)}`, import.meta.url);

/** A third of V8's default, and as fast: hardly anything outlives the batch for which it is read. */
export const YOUNG_MEBIBYTES_MAX = 16;
