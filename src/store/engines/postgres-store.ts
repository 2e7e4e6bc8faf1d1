/**
 * The store on a PostgreSQL database, which several machines may share. All transactions of a process run one after another on one
 * connection, and those that write wait for each other across all machines: each sees what the one before it committed. What is asked
 * for together shares one commit, as in sqlite-store.ts. Needs a connection of its own (no transaction pooling).
 */
import pLimit from "p-limit";
import { systemClock } from "../../context/clock.ts";
import { type Anchor, anchorPoint, checkAnchor } from "../anchor.ts";
import { AnchorKeeper } from "../anchor-keeper.ts";
import type { Transaction } from "../sql.ts";
import type { Lane, Store } from "../store.ts";
import { isSameServer, type KnownServer, noteServer } from "./known-server.ts";
import { takeLease } from "./lane-lease.ts";
import { PostgresConnection } from "./postgres-connection.ts";
import { openEmptyStore } from "./sqlite-store.ts";
import { rejectAll, resolveAll, type Waiting, waitIn } from "./waiting.ts";

export interface PostgresStoreOptions {
  /** Written after every commit. */
  readonly anchor?: Anchor | undefined;
  /** Aborts when the process is to end: a server that says nothing is not waited for as long as before, and sought once more at most. */
  readonly stop?: AbortSignal | undefined;
}

/** Connects on first use, and brings the database to this version. */
export function openPostgresStore(url: string, options: PostgresStoreOptions = {}): Store {
  return new PostgresStore(async () => PostgresConnection.open(url, options.stop), options);
}

/** For reading only: connects on first use. Where nothing was ever stored an empty store stands for it. */
export function openPostgresStoreForReading(url: string, stop?: AbortSignal): Store {
  let opening: Promise<Store> | undefined;
  const opened = async (): Promise<Store> => {
    const connection = await PostgresConnection.openForReading(url, stop);
    return connection === undefined ? openEmptyStore() : new PostgresStore(async () => connection, { stop });
  };
  const store = () => (opening ??= opened());
  return {
    isShared: true,
    read: async (transaction) => (await store()).read(transaction),
    write: async (transaction) => (await store()).write(transaction),
    takeLane: async (keyId, sendingMs) => (await store()).takeLane(keyId, sendingMs),
    close: async () => {
      // Why it could not be opened is told where it was asked.
      const [store] = await Promise.allSettled([opening]);
      if (store.status === "fulfilled") await store.value?.close();
    },
  };
}

class PostgresStore implements Store {
  readonly isShared = true;
  private readonly open: () => Promise<PostgresConnection>;
  private readonly anchor: Anchor | undefined;
  private readonly stop: AbortSignal | undefined;
  private readonly inTurn = pLimit(1);
  private connection: PostgresConnection | undefined;
  private anchorKeeper: AnchorKeeper | undefined;
  /** That the database is known to be kept by. */
  private notedServer: KnownServer | undefined;
  private waiting: Waiting[] = [];
  /** Why nothing more is written: the database that was found again has lost what this process had written, or the anchor is stuck. */
  private broken: unknown;
  /** Why the server could not be reached after the signal to stop: it is not sought a second time. */
  private givenUp: { readonly error: unknown } | undefined;

  constructor(open: () => Promise<PostgresConnection>, { anchor, stop }: PostgresStoreOptions) {
    this.open = open;
    this.anchor = anchor;
    this.stop = stop;
  }

  read<Result>(transaction: () => Transaction<Result>): Promise<Result> {
    return this.inTurn(async () => {
      const connection = await this.connected();
      try {
        await connection.begin("reading");
        const result = await toEnd(connection, transaction());
        await connection.commit();
        return result;
      } catch (error) {
        const explanation = connection.explained(error);
        await rollBack(connection);
        throw explanation;
      }
    });
  }

  write<Result>(transaction: () => Transaction<Result>): Promise<Result> {
    const result = waitIn(this.waiting, transaction);
    if (this.waiting.length === 1) void this.inTurn(() => this.commitWaiting());
    return result;
  }

  takeLane(keyId: string, sendingMs: number): Promise<Lane> {
    return takeLease(this, keyId, sendingMs);
  }

  async close(): Promise<void> {
    await this.inTurn(async () => this.connection?.close());
    this.anchor?.close();
  }

  /**
   * After a server went away a new connection is made. What it had not committed never happened; a commit whose answer was lost has
   * happened or not before the writers' lock is taken again. Another server that took over may have lost what the first one had.
   */
  private async connected(): Promise<PostgresConnection> {
    if (this.connection?.isUsable === true) return this.connection;
    if (this.givenUp !== undefined) throw this.givenUp.error;
    const connection = await this.open().catch((error: unknown) => {
      if (this.stop?.aborted === true) this.givenUp = { error };
      throw error;
    });
    if (this.anchor !== undefined) {
      const behind = await whyBehind(connection, this.anchor);
      if (this.anchorKeeper?.isKept === true) this.broken ??= behind;
      this.anchorKeeper ??= new AnchorKeeper(this.anchor, behind !== undefined);
    }
    this.connection = connection;
    return connection;
  }

  /** Everything in one commit: what fails by itself is left out, and the others are carried out again. Never rejects. */
  private async commitWaiting(): Promise<void> {
    let waiting: readonly Waiting[] = this.waiting.splice(0);
    try {
      while (waiting.length > 0) {
        const connection = await this.connected();
        if (this.broken !== undefined) throw this.broken;
        const failed = await this.commit(connection, waiting);
        waiting = failed === undefined ? [] : waiting.filter((one) => one !== failed);
      }
    } catch (error) {
      rejectAll(waiting, error);
    }
  }

  /** Returns the transaction that failed by itself, whose caller was told; nothing was committed then. Throws what concerns all of them. */
  private async commit(
    connection: PostgresConnection,
    callers: readonly Waiting[],
  ): Promise<Waiting | undefined> {
    const results: unknown[] = [];
    let current: Waiting | undefined;
    try {
      await connection.begin("writing");
      const { server } = connection;
      const isNoted = server === undefined || isSameServer(server, this.notedServer);
      if (!isNoted) await toEnd(connection, noteServer(server, systemClock.now()));
      for (current of callers) results.push(await toEnd(connection, current.transaction()));
      current = undefined;
      const point = this.anchor === undefined ? undefined : await toEnd(connection, anchorPoint());
      await connection.commit();
      this.notedServer = server;
      if (point !== undefined) this.broken = this.anchorKeeper?.move(point);
      resolveAll(callers, results);
      return undefined;
    } catch (error) {
      const explanation = connection.explained(error);
      await rollBack(connection);
      if (current === undefined || !connection.isUsable) throw explanation;
      current.reject(explanation);
      return current;
    }
  }
}

async function toEnd<Result>(
  connection: PostgresConnection,
  transaction: Transaction<Result>,
): Promise<Result> {
  let step = transaction.next([]);
  while (!step.done) step = transaction.next(await connection.execute(step.value));
  return step.value;
}

/** Whatever is wrong, the check before the first send says it too. Throws where the connection did not live to tell. */
async function whyBehind(connection: PostgresConnection, anchor: Anchor): Promise<unknown> {
  try {
    await toEnd(connection, checkAnchor(anchor)());
    return undefined;
  } catch (error) {
    const explanation = connection.explained(error);
    if (connection.isUsable) return explanation;
    throw explanation;
  }
}

/** A connection that cannot be rolled back is not used again, and its server rolls back by itself. */
async function rollBack(connection: PostgresConnection): Promise<void> {
  if (connection.isUsable) await Promise.allSettled([connection.command("rollback")]);
}
