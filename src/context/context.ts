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
  /** When it aborts, look-ups are not repeated: the process is to end. */
  readonly stop?: AbortSignal;
}

/**
 * Between two parts of long work: lets others have their turn, among them the signal that asks to stop. Throws
 * INTERRUPTED once it has come. Without this, work on SQLite, which answers at once, would hear of it only at its
 * end.
 */
export async function giveWay(context: Context): Promise<void> {
  await new Promise((resume) => setImmediate(resume));
  unlessStopped(context);
}

/** Throws INTERRUPTED once the process is to end. For long work that the next run does as well. */
export function unlessStopped({ stop }: Context): void {
  if (stop?.aborted === true) throw fault("INTERRUPTED", {});
}
