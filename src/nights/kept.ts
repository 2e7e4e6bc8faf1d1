/**
 * The results that a comparison keeps for the next one. A payout or deposit without differences, which time alone
 * cannot change, adds its figures once. It is compared again only when it or a neighbour has changed.
 */

import type { InstructionId } from "../model/index.ts";
import { amountOf } from "../money/index.ts";
import { noteNamesOfHistory } from "../observation/index.ts";
import {
  type ComparedRow,
  compareEverythingAgain,
  isAnythingKept,
  isHistoryUnnamed,
  keepBatches,
  keepCompared,
  listBatchesNotCompared,
  listCompared,
  readKept,
  takeWaitingFromKept,
  waitIfNamedByPaymentsOf,
  waitIfOwned,
  waitIfPaying,
  waitWithNeighbours,
  writeKept,
} from "../store/compared.ts";
import { type ObservedKind, sortPayoutNames } from "../store/observed.ts";
import type { Transaction } from "../store/sql.ts";
import type { Store } from "../store/store.ts";
import { inWindows } from "../store/windows.ts";
import { accountsIn, KeptSums, type Share, type ShareClass, shareText } from "./rules/index.ts";
import { KINDS } from "./sweep-keys.ts";

/**
 * Discards the results of a comparison by another policy. `policy`: everything that a comparison depends on, except
 * sightings.
 */
export async function openKept(store: Store, policy: string): Promise<void> {
  if (await store.read(() => isHistoryUnnamed())) await noteNamesOfHistory(store);
  await store.write(function* (): Transaction<void> {
    const kept = yield* readKept();
    if (kept?.policy !== policy) yield* compareEverythingAgain(policy, new KeptSums().toText());
  });
}

/**
 * Puts everything that may differ now on the waiting list, and returns the sums of the rest. `payments`: those
 * whose payouts must be compared in any case.
 */
export async function takeWhatMayDiffer(
  store: Store,
  payments: readonly InstructionId[],
): Promise<{ readonly sums: KeptSums; readonly isAnythingKept: boolean }> {
  const batches = await store.read(() => listBatchesNotCompared());
  if (await store.read(() => isAnythingKept()))
    await store.write(function* (): Transaction<void> {
      yield* waitIfOwned();
      yield* sortPayoutNames();
      if (batches.length > 0) yield* waitIfNamedByPaymentsOf(batches);
      if (payments.length > 0) yield* waitIfPaying(payments);
    });
  do {
    while (await store.write(() => takeSomeFromKept()));
  } while ((await store.write(() => waitWithNeighbours())) > 0);
  await store.write(() => keepBatches(batches));
  return store.read(function* () {
    return { sums: yield* readSums(), isAnythingKept: yield* isAnythingKept() };
  });
}

/** Puts the payouts of these payments on the waiting list; returns whether any of them was kept. */
export async function letWait(store: Store, payments: readonly InstructionId[]): Promise<boolean> {
  return payments.length > 0 && (await store.write(() => waitIfPaying(payments))) > 0;
}

export interface Keepable {
  readonly id: string;
  readonly seq: number;
  readonly share: Share;
}

/** Keeps elements many at a time: the more, the fewer transactions a first comparison needs. */
export class Keeping {
  private readonly store: Store;
  private readonly kind: ObservedKind;
  private waiting: Keepable[] = [];

  constructor(store: Store, kind: ObservedKind) {
    this.store = store;
    this.kind = kind;
  }

  async add(some: readonly Keepable[]): Promise<void> {
    this.waiting.push(...some);
    if (this.waiting.length >= KEPT_TOGETHER) await this.end();
  }

  /** To be called after the last element. */
  async end(): Promise<void> {
    const all = this.waiting;
    this.waiting = [];
    await keep(this.store, this.kind, all);
  }
}

const KEPT_TOGETHER = 500;

/** Keeps these elements, except those that have changed since they were read. */
async function keep(store: Store, kind: ObservedKind, all: readonly Keepable[]): Promise<void> {
  if (all.length === 0) return;
  await store.write(function* (): Transaction<void> {
    const kept = yield* keepCompared(all.map((each) => ({ ...rowOf(kind, each), seq: each.seq })));
    const shares = new Map(all.map(({ id, share }) => [id, share]));
    const sums = yield* readSums();
    for (const row of kept) sums.add(shares.get(row.id) ?? shareOf(row), 1);
    yield* writeKept(sums.toText());
  });
}

const TAKEN_TOGETHER = 1_000;

function* takeSomeFromKept(): Transaction<boolean> {
  const rows = yield* takeWaitingFromKept(TAKEN_TOGETHER);
  if (rows.length === 0) return false;
  const sums = yield* readSums();
  for (const row of rows) sums.add(shareOf(row), -1);
  yield* writeKept(sums.toText());
  return rows.length === TAKEN_TOGETHER;
}

/** Whether the kept sums are those of the kept elements. To be called while nothing is compared. */
export async function doKeptAddUp(store: Store): Promise<boolean> {
  const sums = await store.read(readSums);
  for (const kind of KINDS) {
    const windows = inWindows<ComparedRow>(store, (last) =>
      listCompared(kind, last?.id ?? "", TAKEN_TOGETHER),
    );
    for await (const rows of windows) for (const row of rows) sums.add(shareOf(row), -1);
  }
  return sums.isNothing();
}

function* readSums(): Transaction<KeptSums> {
  const kept = yield* readKept();
  return kept === undefined ? new KeptSums() : KeptSums.from(kept.sums);
}

function rowOf(kind: ObservedKind, { id, share }: Keepable): ComparedRow {
  const { shareClass, amount } = share;
  return {
    kind,
    id,
    class: shareClass,
    amount: amount?.value.toString() ?? null,
    currency: amount?.currency ?? null,
    accounts: shareText(share),
  };
}

function shareOf({ class: shareClass, amount, currency, accounts }: ComparedRow): Share {
  return {
    shareClass: shareClass as ShareClass,
    accounts: accountsIn(accounts),
    ...(amount !== null && currency !== null && { amount: amountOf(amount, currency) }),
  };
}
