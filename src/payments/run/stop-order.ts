/**
 * The kill switch: while a stop order is in force, no run sends anything new. An order is in the record, or in a
 * file beside the database; either one stops sending. The file also works while the database is locked or its disk
 * is full, and a person can create it by hand. Only a `go` that an operator has signed lifts both: Paydrop enters a
 * file that it sees into the record, so removing the file lifts nothing. A file stops its own machine; the record
 * stops all machines that share the database.
 */
import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Config } from "../../config/index.ts";
import { removeForGood, writeWhole } from "../../context/files.ts";
import { Fault, fault, readFailure } from "../../faults/index.ts";
import { applying } from "../../model/applying.ts";
import { readDecision } from "../../people/index.ts";
import { readRosterIfAny } from "../../proof/identity.ts";
import { proveDecision } from "../../proof/prove.ts";
import {
  DecisionsRead,
  heldAfter,
  isChangeOf,
  listProofs,
  type RecordedDecision,
  readDetail,
} from "../../proof/recorded-decisions.ts";
import { appendAudit, listStops, type RecordedEntry, verifyAudit } from "../../store/audit.ts";
import { findStopOrder, removeStopOrder, setStopOrder } from "../../store/engines/shared-stop-order.ts";
import type { Transaction } from "../../store/sql.ts";
import { listDecisionsOf } from "../../store/statements.ts";
import { wakeMachines } from "../../store/wake.ts";
import { refuseAnothers } from "../../workplace/bound-store.ts";
import type { Workplace } from "../../workplace/workplace.ts";

export interface StopOrder {
  /** Who gave the order, and why. */
  readonly reason: string;
}

/**
 * The orders in force, if any: the one in this machine's files, and those of the record that no proven `go` has
 * lifted.
 */
export async function stopOrder({
  config,
  store,
}: Pick<Workplace, "config" | "store">): Promise<StopOrder | undefined> {
  const local = localStopOrder(stopFilesOf(config))?.reason;
  return together(local, await store.read(() => recordedOrders(config)));
}

function together(local: string | undefined, recorded: readonly string[]): StopOrder | undefined {
  const orders = [...new Set(applying(local, ...recorded))];
  // An order that was entered from a file, or while another one was in force, contains the other's text.
  const reasons = orders.filter((order) => !orders.some((other) => other !== order && other.includes(order)));
  return reasons.length === 0 ? undefined : { reason: reasons.join("; ") };
}

/** The stored order, and those in the record that no `go` by an operator of the roster has lifted since. */
function* recordedOrders(config: Pick<Config, "people">): Transaction<string[]> {
  return [...applying(yield* findStopOrder()), ...(yield* unliftedOrders(config))];
}

function* unliftedOrders(config: Pick<Config, "people">): Transaction<string[]> {
  const entries = yield* listStops();
  if (!entries.some(({ action }) => action === "stop")) return [];
  const isAnyLifted = entries.some(({ action }) => action === "go");
  const roster = isAnyLifted ? yield* readRosterIfAny(config) : undefined;
  const lifting = isAnyLifted ? yield* listDecisionsOf("go") : [];
  let orders: string[] = [];
  let changes = 0;
  for (const entry of entries) {
    if (entry.action === "stop") orders.push(orderOf(entry));
    else if (entry.action === "go") {
      const { order } = readDetail(entry.detail);
      const isProven = lifting.some(
        (each) =>
          each.person === entry.person &&
          readDecision(each.text)?.detail["order"] === order &&
          heldAfter(roster, changes, each) !== undefined,
      );
      if (isProven && typeof order === "string") orders = orders.filter((each) => !order.includes(each));
    } else if (isChangeOf(roster, entry)) changes += 1;
  }
  return orders;
}

/** Earlier versions stored only the parts of an order. */
function orderOf({ person, at, detail }: RecordedEntry): string {
  const { order, reason } = readDetail(detail);
  return typeof order === "string" ? order : orderText(person, at, String(reason));
}

function orderText(person: string, at: string, reason: string): string {
  return `stopped by ${person} at ${at}: ${reason}`;
}

/** The possible places of a stop file; `paydrop stop` writes to the first. */
export type StopFiles = readonly [string, ...string[]];

/**
 * A stop file is beside the database file. If the configured path is a link, also beside that link, because a
 * person may create the file there. Other configurations may lead to the same database file.
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

export interface StopWatch {
  /** The order in this machine's files. The first call that finds one enters it into the record. */
  order(): string | undefined;
  /** Resolves once the orders seen are in the record. Throws the error that prevented it. */
  noted(): Promise<void>;
}

export function watchStopFiles(workplace: Pick<Workplace, "config" | "store" | "context">): StopWatch {
  const files = stopFilesOf(workplace.config);
  const seen = new Set<string>();
  const noting: Promise<void>[] = [];
  const look = () => {
    const found = localStopOrder(files)?.reason;
    if (found === undefined || seen.has(found)) return found;
    seen.add(found);
    const entered = noteOrder(workplace, { reason: found, since: sinceOf(files) });
    // The caller of `noted` receives the failure.
    entered.catch(() => undefined);
    noting.push(entered);
    return found;
  };
  return {
    order: look,
    noted: async () => {
      look();
      await Promise.all(noting);
    },
  };
}

/** Orders that are in the record but no longer in the database: somebody removed them without a `go`. */
export async function orderOnRecordOnly({
  config,
  store,
}: Pick<Workplace, "config" | "store">): Promise<string | undefined> {
  const [row = "", ...orders] = await store.read(function* (): Transaction<string[]> {
    return [(yield* findStopOrder()) ?? "", ...(yield* unliftedOrders(config))];
  });
  return orders.find((order) => !row.includes(order));
}

interface SeenOrder extends StopOrder {
  /** When its file was written. The same words written on another day are another order. */
  readonly since: string;
}

function sinceOf(files: StopFiles): string {
  const [found] = files.flatMap((path) => statSync(path, { throwIfNoEntry: false }) ?? []);
  return found?.mtime.toISOString() ?? "";
}

/** Enters an order from a file into the record, unless the record has it or a `go` has lifted it. */
async function noteOrder(
  { store, context }: Pick<Workplace, "store" | "context">,
  { reason, since }: SeenOrder,
): Promise<void> {
  const at = context.clock.now();
  const order = `${reason} (in a file since ${since})`;
  const isKnown = (entries: readonly RecordedEntry[]) =>
    entries.some((entry) => {
      if (entry.action === "stop") return [order, reason].includes(orderOf(entry));
      return (
        entry.action === "go" &&
        entry.at >= since &&
        String(readDetail(entry.detail)["order"]).includes(reason)
      );
    });
  if (isKnown(await store.read(() => listStops()))) return;
  await store.write(function* (): Transaction<void> {
    if (!isKnown(yield* listStops())) yield* enterOrder("paydrop", order, reason, at);
  });
}

function* enterOrder(person: string, order: string, reason: string, at: string): Transaction<void> {
  const standing = yield* findStopOrder();
  yield* setStopOrder(standing === undefined ? order : `${standing}; ${order}`);
  yield* appendAudit({ at, person, action: "stop", subject: ALL, detail: { reason, order } });
}

/**
 * Gives the stop order: nothing more is sent from now on. Processes with requests in flight await their answers.
 * Returns whether the record has the order. If it does not, because the database is locked or its disk full, the
 * file stops this machine, and the next process that sees the file enters it. Throws DATABASE_OF_ANOTHER_ROOT, and
 * the store's error if neither place works.
 */
export async function giveStopOrder(workplace: Workplace, person: string, reason: string): Promise<boolean> {
  const { config, context, store } = workplace;
  const at = context.clock.now();
  const order = orderText(person, at, reason);
  await refuseAnothers(workplace);
  const [path] = stopFilesOf(config);
  if (!store.isShared) await writeOrder(path, order);
  try {
    await store.write(() => enterOrder(person, order, reason, at));
    return true;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    if (store.isShared) await writeOrder(path, order);
    context.log.warn("the stop order is in a file only", { file: path, message: error.message });
    return false;
  }
}

/** On a full disk an empty file can often still be created, and an empty file stops sending as well. */
async function writeOrder(path: string, order: string): Promise<void> {
  await writeWhole(path, (temporaryPath) => writeFile(temporaryPath, `${order}\n`)).catch(
    async (error: unknown) => {
      await writeFile(path, "").catch(() => {
        throw error;
      });
    },
  );
}

export interface Lifted extends StopOrder {
  /** The unproven decisions in the record, which the operator has accepted as known. */
  readonly takenOver: readonly RecordedDecision[];
}

/**
 * Lifts every stop order in force, and accepts the unproven decisions in the record; returns both, if there were
 * any. Throws STOP_ORDER_CHANGED if another order is given meanwhile, because nobody has seen that one yet.
 */
export async function liftStopOrder(
  workplace: Workplace,
  person: string,
  reason: string,
): Promise<Lifted | undefined> {
  const { config, store, context } = workplace;
  const files = stopFilesOf(config);
  const local = localStopOrder(files)?.reason;
  const row = await store.read(() => findStopOrder());
  const inForce = together(local, await store.read(() => recordedOrders(config)));
  const { takenOver, record = [] } = await unprovenDecisions(workplace);
  if (inForce === undefined && takenOver.length === 0) return undefined;
  const order = inForce?.reason ?? "";
  const named = takenOver.map((each) => `${each.action} ${each.subject}, by ${each.person} at ${each.at}`);
  const detail = { order, ...(named.length > 0 && { record: [...record], takenOver: named }) };
  await proveDecision(workplace, { decision: "go", person, subject: ALL, reason, detail });
  const at = context.clock.now();
  const standing = await store.write(function* (): Transaction<string | undefined> {
    // This very commit may have stored an order, because it noticed that the database is on another server.
    const now = yield* findStopOrder();
    if (now !== undefined && now !== row) return now;
    yield* removeStopOrder();
    yield* appendAudit({ at, person, action: "go", subject: ALL, detail: { reason, order } });
    yield* wakeMachines("pay");
    return undefined;
  });
  const another = localStopOrder(files)?.reason;
  const changed = standing ?? (another === local ? undefined : another);
  if (changed !== undefined) throw fault("STOP_ORDER_CHANGED", { order: changed });
  for (const path of files) await removeForGood(path);
  return { reason: order, takenOver };
}

async function unprovenDecisions({ store, config }: Workplace) {
  const { roster, proofs } = await store.read(function* () {
    return { roster: yield* readRosterIfAny(config), proofs: yield* listProofs() };
  });
  const decisions = new DecisionsRead(roster, proofs);
  await verifyAudit(store, (entry) => decisions.visit(entry));
  return { takenOver: decisions.unproven, record: decisions.newest };
}

const ALL = "all payments";
