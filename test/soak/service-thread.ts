/** A sandbox in a thread of its own, by the soak's clock: reached over HTTP, and inspected by messages. */
import { parentPort, workerData } from "node:worker_threads";
import { type FaultScript, type RunningSandbox, startSandbox } from "../../src/sandbox/index.ts";
import { NOBODY_ELSE } from "../quiet-seed.ts";

export interface ServicePlace {
  readonly clock: BigInt64Array;
  readonly database: string;
}

/** `open` and `close`: whether anything listens at its port. */
export type ServiceOrder = "open" | "close" | "creations" | readonly FaultScript[];

/** How long a payout stays in each of its states. */
const STEP_MS = 10 * 60_000;

const { clock, database } = workerData as ServicePlace;
let port = 0;
let sandbox: RunningSandbox | undefined;

async function carriedOut(order: ServiceOrder): Promise<unknown> {
  if (order === "open") {
    const options = { clock: () => Number(Atomics.load(clock, 0)), stepMs: STEP_MS, seed: NOBODY_ELSE };
    sandbox ??= await startSandbox({ ...options, database, port });
    port = Number(new URL(sandbox.url).port);
    return sandbox.url;
  }
  if (order === "close") {
    await sandbox?.close();
    sandbox = undefined;
  } else if (order === "creations") return sandbox?.creations().map(({ reference }) => reference);
  else sandbox?.setFaults(order);
  return undefined;
}

let before: Promise<unknown> = Promise.resolve();
parentPort?.on("message", (order: ServiceOrder) => {
  before = before.then(async () => parentPort?.postMessage(await carriedOut(order)));
});
