/** The only durable state. No statement runs outside `read` and `write`; what `write` returned is on the disk. */
import type { Transaction } from "./sql.ts";

export interface Store {
  /** Runs a transaction that only reads, on one consistent snapshot. */
  read<Result>(transaction: () => Transaction<Result>): Promise<Result>;
  /**
   * Runs a transaction; when the promise resolves it is committed and flushed, when it rejects nothing of it happened. It may be
   * carried out more than once until then, so it changes nothing but the database.
   */
  write<Result>(transaction: () => Transaction<Result>): Promise<Result>;
  close(): Promise<void>;
}
