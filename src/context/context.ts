/** The only access to clock, randomness, network and logs, so that all of them can be simulated. */
import { fault } from "../faults/index.ts";
import type { Clock } from "./clock.ts";
import type { Log } from "./log.ts";
import type { Random } from "./random.ts";
import type { Transport } from "./transport.ts";

export interface Context {
  readonly clock: Clock;
  readonly random: Random;
  readonly transport: Transport;
  readonly log: Log;
  /** When it aborts, the process is about to end, and look-ups are not repeated. */
  readonly stop?: AbortSignal;
}

/**
 * Call between two parts of long work: lets other work have its turn, and throws INTERRUPTED once the process is to
 * stop. SQLite answers synchronously, so without this call the work would notice the signal only at its end.
 */
export async function giveWay(context: Context): Promise<void> {
  await new Promise((resume) => setImmediate(resume));
  unlessStopped(context);
}

/** Throws INTERRUPTED once the process is to end. For long work that the next run can do instead. */
export function unlessStopped({ stop }: Context): void {
  if (stop?.aborted === true) throw fault("INTERRUPTED", {});
}
