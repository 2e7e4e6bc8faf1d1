/**
 * The kill switch: while a person's order to stop lies beside the database, nothing new is sent, whoever runs. It is a file, so
 * that it also works while a run is under way, and can be put there by hand.
 */
import { existsSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { removeForGood, writeWhole } from "../context/files.ts";
import { appendAudit } from "../store/audit.ts";
import type { Workplace } from "./workplace.ts";

export interface StopOrder {
  /** Why, and by whom, in words. */
  readonly reason: string;
}

/** The order that stands, if any: asked before every intent and again right before every send. */
export function stopOrder(databasePath: string): StopOrder | undefined {
  const path = pathOf(databasePath);
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
  const { config, context } = workplace;
  const order = `stopped by ${person} at ${context.clock.now()}: ${reason}`;
  await writeWhole(pathOf(config.databasePath), (temporaryPath) => writeFile(temporaryPath, `${order}\n`));
  await record(workplace, person, "stop", reason);
}

/** Payments may go out again. Returns the order that was lifted, if one stood. */
export async function liftStopOrder(
  workplace: Workplace,
  person: string,
  reason: string,
): Promise<StopOrder | undefined> {
  const { config } = workplace;
  const order = stopOrder(config.databasePath);
  if (order === undefined) return undefined;
  await record(workplace, person, "go", reason);
  await removeForGood(pathOf(config.databasePath));
  return order;
}

function pathOf(databasePath: string): string {
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
