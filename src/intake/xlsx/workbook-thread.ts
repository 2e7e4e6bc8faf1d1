/**
 * A worker thread that reads workbooks (workbook-worker.ts), seen from the thread that uses them. Whatever happens in it, even
 * its end for want of memory, is a fault of the file that it was reading. The guards of the reader are the defence; this is the net.
 */
import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { Fault } from "../../faults/index.ts";
import { malformed, refused } from "./archive.ts";
import type { Replies, Reply, Request } from "./worker-messages.ts";

export class WorkbookThread {
  readonly heapMebibytesMax: number;
  /** Whether it can be asked again. */
  isAlive = true;
  /** The file of which faults speak. */
  private path = "";
  private readonly worker: Worker;
  private readonly waiting: PromiseWithResolvers<unknown>[] = [];

  constructor(heapMebibytesMax: number) {
    this.heapMebibytesMax = heapMebibytesMax;
    this.worker = new Worker(WORKER_MODULE, {
      // It needs neither this process's secrets nor its options.
      env: {},
      execArgv: [],
      resourceLimits: {
        maxOldGenerationSizeMb: heapMebibytesMax,
        maxYoungGenerationSizeMb: YOUNG_MEBIBYTES_MAX,
      },
    });
    this.worker.on("message", (reply: Reply) => this.take(reply));
    this.worker.on("messageerror", (error) => this.die(error));
    this.worker.on("error", (error) => this.die(error));
    this.worker.on("exit", () => this.die(new Error("the thread that read it has ended")));
  }

  /** The reply; requests may be asked ahead of earlier replies. Throws the reader's Faults, XLSX_MALFORMED and XLSX_REFUSED. */
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
    const asked = this.waiting.shift();
    if ("result" in reply) asked?.resolve(reply.result);
    else if ("problem" in reply) asked?.reject(new Fault(reply.problem));
    else asked?.reject(malformed(`the reader failed on it (${reply.failure})`, this.path));
  }

  private die(error: unknown): void {
    this.isAlive = false;
    for (const asked of this.waiting.splice(0)) asked.reject(this.asFault(error));
  }

  private asFault(error: unknown): Fault {
    if (error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY") {
      return refused(`reading it takes more than ${this.heapMebibytesMax} MiB of memory`, this.path);
    }
    return malformed(`the reader failed on it (${String(error)})`, this.path, { cause: error });
  }
}

// The compiler rewrites the extensions of imports, but not of this.
const WORKER_MODULE = new URL(`./workbook-worker${extname(import.meta.url)}`, import.meta.url);

/** A quarter of what V8 takes by itself: as fast, since hardly anything outlives the pack that it is read for. */
const YOUNG_MEBIBYTES_MAX = 12;
