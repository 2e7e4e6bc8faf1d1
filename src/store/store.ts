/** The only durable state. No statement runs outside `read` and `write`; what `write` returned is on the disk. */
import type { Transaction } from "./sql.ts";

export interface Store {
  /** Whether other machines may work with the same state. */
  readonly isShared: boolean;
  /** Runs a transaction that only reads, on one consistent snapshot. */
  read<Result>(transaction: () => Transaction<Result>): Promise<Result>;
  /**
   * Runs a transaction; when the promise resolves it is committed and flushed, when it rejects nothing of it happened. It may be
   * carried out more than once until then, so it changes nothing but the database.
   */
  write<Result>(transaction: () => Transaction<Result>): Promise<Result>;
  /**
   * Makes this process the only sender of a key, or the only one to do what else has a lane (pipeline/sending/alone.ts); `sendingMs` is how long a
   * request may be on its way. Throws LANE_TAKEN while another process is, or may still be sending what it had in hand.
   */
  takeLane(keyId: string, sendingMs: number): Promise<Lane>;
  close(): Promise<void>;
}

/** The right to send under a key. */
export interface Lane {
  /** Throws LANE_LOST once another process has taken the lane: part of each transaction that its holder writes with. */
  fence(): Transaction<void>;
  /** Why nothing may be sent any more although the work goes on: asked right before each request. Undefined while the lane is surely held. */
  whyClosed(): string | undefined;
  /** The order to stop that another machine gave, as far as the holder has heard of it. */
  stopOrder(): string | undefined;
  release(): Promise<void>;
}

/** A store for the holder of a lane, in which a former holder writes nothing any more. */
export function fencedStore(store: Store, lane: Lane): Store {
  return {
    isShared: store.isShared,
    read: (transaction) => store.read(transaction),
    write: (transaction) =>
      store.write(function* () {
        yield* lane.fence();
        return yield* transaction();
      }),
    takeLane: (keyId, sendingMs) => store.takeLane(keyId, sendingMs),
    close: () => store.close(),
  };
}
