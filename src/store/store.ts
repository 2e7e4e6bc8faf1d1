/** The only durable state. Statements run only inside `read` and `write`; the results of `write` are on disk. */
import type { Log } from "../context/log.ts";
import { Fault } from "../faults/index.ts";
import type { Transaction } from "./sql.ts";

export interface Store {
  /** Whether other machines may use the same database. */
  readonly isShared: boolean;
  /** Runs a transaction that only reads, on one consistent snapshot. */
  read<Result>(transaction: () => Transaction<Result>): Promise<Result>;
  /**
   * Runs a transaction. When the promise resolves, it is committed and flushed; when it rejects, nothing was
   * changed. The generator may run more than once until then, so it must have no effects outside the database.
   */
  write<Result>(transaction: () => Transaction<Result>): Promise<Result>;
  /**
   * Makes this process the only sender of the key `name`, or the only one to do the work of that name
   * (workplace/exclusively.ts). `sendingMs`: the longest time that a request may be in flight. Throws LANE_TAKEN
   * while another process holds the lane, or may still have requests in flight.
   */
  takeLane(name: string, sendingMs: number): Promise<Lane>;
  /** Joins the machines that share the database; absent if the database cannot be shared. */
  join?(heard: Heard, log: Log): Machines;
  close(): Promise<void>;
}

/** Hints from other machines. A hint may be lost or arrive twice. */
export interface Heard {
  /** The jobs that this machine can be woken for. */
  readonly jobs: readonly string[];
  /** A machine (possibly this one) has work for the job. */
  wake(job: string): void;
  /** The holder of this lane died or is suspended, and another machine may take the lane over. */
  abandoned(lane: string): void;
}

/** The machines at work on a shared database, as seen by one of them. */
export interface Machines {
  /** Undefined while this machine has no connection. */
  place(): Promise<MachinesPlace | undefined>;
  leave(): Promise<void>;
}

export interface MachinesPlace {
  /** The rank of this machine, from 0; all machines count in the same order. */
  readonly position: number;
  /** How many machines are at work, including this one. */
  readonly count: number;
}

/** The right to send under a key, or to do other exclusive work. */
export interface Lane {
  /** Throws LANE_LOST once another process has taken the lane. Runs in each transaction of the lane's holder. */
  fence(): Transaction<void>;
  /**
   * Renews the lane for a whole lease from now; runs at the end of a transaction that may have taken long. Absent
   * if the lane is no lease.
   */
  extend?(): Transaction<void>;
  /** Why no more may be sent; undefined while the lane is certainly held. Asked right before each request. */
  whyClosed(): string | undefined;
  /** The stop order in the database, as far as the holder has seen it. */
  stopOrder(): string | undefined;
  release(): Promise<void>;
}

/** A store for the holder of a lane; its writes fail once the lane has another holder. */
export function fencedStore(store: Store, lane: Lane): Store {
  // Member by member, because a test's store inherits from another one.
  return {
    isShared: store.isShared,
    read: (transaction) => store.read(transaction),
    write: (transaction) =>
      store.write(function* () {
        yield* lane.fence();
        return yield* transaction();
      }),
    takeLane: (name, sendingMs) => store.takeLane(name, sendingMs),
    close: () => store.close(),
  };
}

/**
 * As `fencedStore`, for work whose transactions may take longer than a lease: no other process can take the lane
 * during such a transaction or right after it.
 */
export function extendingStore(store: Store, lane: Lane): Store {
  const fenced = fencedStore(store, lane);
  return {
    ...fenced,
    write: (transaction) =>
      fenced.write(function* () {
        const result = yield* transaction();
        if (lane.extend !== undefined) yield* lane.extend();
        return result;
      }),
  };
}

/** The lane that `taking` yields; undefined if another process holds it. */
export async function unlessTaken(taking: Promise<Lane>): Promise<Lane | undefined> {
  try {
    return await taking;
  } catch (error) {
    if (error instanceof Fault && error.problem.code === "LANE_TAKEN") return undefined;
    throw error;
  }
}

/** Does `work` with a store whose writes fail once the lane is lost, and releases the lane. */
export async function whileHeld<Result>(
  store: Store,
  lane: Lane,
  work: (fenced: Store, lane: Lane) => Promise<Result>,
): Promise<Result> {
  try {
    return await work(fencedStore(store, lane), lane);
  } finally {
    await lane.release();
  }
}
