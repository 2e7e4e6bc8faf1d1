/**
 * The kill switch: while a person's stop order is in force, no run sends anything new. It is a file beside the
 * database, so that it works during a run and can be created by hand. A shared database stores the order itself, for
 * all machines; the file there stops only its own machine.
 */
import { existsSync, readFileSync, statSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import type { Config } from "../../config/index.ts";
import { removeForGood, writeWhole } from "../../context/files.ts";
import { readFailure } from "../../faults/index.ts";
import { appendAudit } from "../../store/audit.ts";
import { findStopOrder, removeStopOrder, setStopOrder } from "../../store/engines/shared-stop-order.ts";
import type { Workplace } from "../workplace/workplace.ts";

export interface StopOrder {
  /** Who gave the order, and why. */
  readonly reason: string;
}

/** The order in force, if any. */
export async function stopOrder({
  config,
  store,
}: Pick<Workplace, "config" | "store">): Promise<StopOrder | undefined> {
  const order = localStopOrder(config);
  if (order !== undefined || !store.isShared) return order;
  const reason = await store.read(() => findStopOrder());
  return reason === undefined ? undefined : { reason };
}

/** The order in this machine's file, if any; asked before every intent and again right before every send. */
export function localStopOrder(config: Pick<Config, "databasePath">): StopOrder | undefined {
  const path = pathOf(config);
  if (!existsSync(path)) return undefined;
  try {
    // Reading a pipe would wait for its writer.
    const text = statSync(path).isFile() ? readFileSync(path, "utf8").trim() : "";
    return { reason: text === "" ? "a stop order is given without a reason" : text };
  } catch (error) {
    return { reason: `the stop order cannot be read: ${readFailure(error)}` };
  }
}

/** Gives the stop order: nothing more is sent from now on. Requests in flight are awaited by whoever sent them. */
export async function giveStopOrder(workplace: Workplace, person: string, reason: string): Promise<void> {
  const { config, context, store } = workplace;
  const order = `stopped by ${person} at ${context.clock.now()}: ${reason}`;
  if (store.isShared) await store.write(() => setStopOrder(order));
  else await writeWhole(pathOf(config), (temporaryPath) => writeFile(temporaryPath, `${order}\n`));
  await record(workplace, person, "stop", reason);
}

/** Lifts the stop order; returns the order that was in force, if any. */
export async function liftStopOrder(
  workplace: Workplace,
  person: string,
  reason: string,
): Promise<StopOrder | undefined> {
  const { config, store } = workplace;
  const order = await stopOrder(workplace);
  if (order === undefined) return undefined;
  await record(workplace, person, "go", reason);
  if (store.isShared) await store.write(() => removeStopOrder());
  await removeForGood(pathOf(config));
  return order;
}

function pathOf({ databasePath }: Pick<Config, "databasePath">): string {
  return `${databasePath}.stop`;
}

function record(
  { store, context }: Workplace,
  person: string,
  action: string,
  reason: string,
): Promise<void> {
  const at = context.clock.now();
  return store.write(() => appendAudit({ at, person, action, subject: "all payments", detail: { reason } }));
}
