/**
 * The kill switch: while a person's order to stop stands, nothing new is sent, whatever runs. It is a file beside the database, so that
 * it also works while a run is under way, and can be put there by hand. A database that several machines share keeps it itself, for
 * all of them; a file stops its own machine there.
 */
import { existsSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import type { Config } from "../../config/index.ts";
import { removeForGood, writeWhole } from "../../context/files.ts";
import { appendAudit } from "../../store/audit.ts";
import { findStopOrder, keepStopOrder, removeStopOrder } from "../../store/engines/shared-stop-order.ts";
import type { Workplace } from "../workplace/workplace.ts";

export interface StopOrder {
  /** Why, and by whom, in words. */
  readonly reason: string;
}

/** The order that stands, if any. */
export async function stopOrder({
  config,
  store,
}: Pick<Workplace, "config" | "store">): Promise<StopOrder | undefined> {
  const order = localStopOrder(config);
  if (order !== undefined || !store.isShared) return order;
  const reason = await store.read(() => findStopOrder());
  return reason === undefined ? undefined : { reason };
}

/** The order that this machine's file gives: asked before every intent and again right before every send. */
export function localStopOrder(config: Pick<Config, "databasePath">): StopOrder | undefined {
  const path = pathOf(config);
  if (!existsSync(path)) return undefined;
  try {
    const text = readFileSync(path, "utf8").trim();
    return { reason: text === "" ? "a stop order is given without a reason" : text };
  } catch (error) {
    return { reason: `the stop order cannot be read: ${String(error)}` };
  }
}

/** Nothing more is sent from now on; what is on its way is awaited by whoever sent it. */
export async function giveStopOrder(workplace: Workplace, person: string, reason: string): Promise<void> {
  const { config, context, store } = workplace;
  const order = `stopped by ${person} at ${context.clock.now()}: ${reason}`;
  if (store.isShared) await store.write(() => keepStopOrder(order));
  else await writeWhole(pathOf(config), (temporaryPath) => writeFile(temporaryPath, `${order}\n`));
  await record(workplace, person, "stop", reason);
}

/** Payments may go out again. Returns the order that was lifted, if one stood. */
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
