/**
 * The kill switch: while a person's stop order is in force, no run sends anything new. It is a file beside the
 * database, so that it works during a run and can be created by hand. A shared database stores the order itself, for
 * all machines; the file there stops only its own machine.
 */
import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Config } from "../../config/index.ts";
import { removeForGood, writeWhole } from "../../context/files.ts";
import { fault, readFailure } from "../../faults/index.ts";
import { applying } from "../../model/applying.ts";
import { appendAudit } from "../../store/audit.ts";
import { findStopOrder, removeStopOrder, setStopOrder } from "../../store/engines/shared-stop-order.ts";
import type { Transaction } from "../../store/sql.ts";
import { proveDecision } from "../people/prove.ts";
import type { Workplace } from "../workplace/workplace.ts";

export interface StopOrder {
  /** Who gave the order, and why. */
  readonly reason: string;
}

/** The order in force, if any: that of this machine's file, and that of all machines. */
export async function stopOrder({
  config,
  store,
}: Pick<Workplace, "config" | "store">): Promise<StopOrder | undefined> {
  return together(localStopOrder(stopFilesOf(config)), await store.read(() => findStopOrder()));
}

function together(local: StopOrder | undefined, shared: string | undefined): StopOrder | undefined {
  const reasons = applying(local?.reason, shared);
  return reasons.length === 0 ? undefined : { reason: reasons.join("; ") };
}

/** Where an order may be; the first one is where `paydrop stop` writes it. */
export type StopFiles = readonly [string, ...string[]];

/**
 * Beside the file that is the database; and where the configuration names a link to it, beside that link as well, where
 * a person may create one. Other configurations may lead to the same file.
 */
export function stopFilesOf({ databasePath }: Pick<Config, "databasePath">): StopFiles {
  if (!existsSync(databasePath)) return [`${databasePath}.stop`];
  const file = realpathSync.native(databasePath);
  const named = join(realpathSync.native(dirname(databasePath)), basename(databasePath));
  return file === named ? [`${file}.stop`] : [`${file}.stop`, `${named}.stop`];
}

/** The order in this machine's files, if any; asked before every intent and again right before every send. */
export function localStopOrder(files: StopFiles): StopOrder | undefined {
  const reasons = files.filter((path) => existsSync(path)).map(reasonIn);
  return reasons.length === 0 ? undefined : { reason: reasons.join("; ") };
}

function reasonIn(path: string): string {
  try {
    // Reading a pipe would wait for its writer.
    const text = statSync(path).isFile() ? readFileSync(path, "utf8").trim() : "";
    return text === "" ? "a stop order is given without a reason" : text;
  } catch (error) {
    return `the stop order cannot be read: ${readFailure(error)}`;
  }
}

/** Gives the stop order: nothing more is sent from now on. Requests in flight are awaited by whoever sent them. */
export async function giveStopOrder(workplace: Workplace, person: string, reason: string): Promise<void> {
  const { config, context, store } = workplace;
  const at = context.clock.now();
  const order = `stopped by ${person} at ${at}: ${reason}`;
  if (store.isShared) await store.write(() => setStopOrder(order));
  else await writeWhole(stopFilesOf(config)[0], (temporaryPath) => writeFile(temporaryPath, `${order}\n`));
  await store.write(() => appendAudit({ at, person, action: "stop", subject: ALL, detail: { reason } }));
}

/**
 * Lifts the stop order; returns the order that was in force, if any. Throws STOP_ORDER_CHANGED where another one is given
 * meanwhile: nobody has looked at that yet.
 */
export async function liftStopOrder(
  workplace: Workplace,
  person: string,
  reason: string,
): Promise<StopOrder | undefined> {
  const { config, store, context } = workplace;
  const files = stopFilesOf(config);
  const local = localStopOrder(files);
  const shared = await store.read(() => findStopOrder());
  const lifted = together(local, shared);
  if (lifted === undefined) return undefined;
  await proveDecision(workplace, {
    decision: "go",
    person,
    subject: ALL,
    reason,
    detail: { order: lifted.reason },
  });
  const at = context.clock.now();
  const detail = { reason, order: lifted.reason };
  const standing = await store.write(function* (): Transaction<string | undefined> {
    // This very commit may have noticed that the database is on another server.
    const now = yield* findStopOrder();
    if (now !== undefined && now !== shared) return now;
    yield* removeStopOrder();
    yield* appendAudit({ at, person, action: "go", subject: ALL, detail });
    return undefined;
  });
  const another = standing ?? localStopOrder(files)?.reason;
  if (another !== undefined && another !== local?.reason)
    throw fault("STOP_ORDER_CHANGED", { order: another });
  for (const path of files) await removeForGood(path);
  return lifted;
}

const ALL = "all payments";
