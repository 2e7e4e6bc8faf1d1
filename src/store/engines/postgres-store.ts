/**
 * The store on a PostgreSQL database, which several machines may share. A process runs its transactions one after
 * another on one connection, and writers wait for each other across all machines, so each sees what the one before
 * committed. Writes requested together share one commit, as in sqlite-store.ts. Needs a session of its own (no
 * transaction pooling).
 */
import pLimit from "p-limit";
import { systemClock } from "../../context/clock.ts";
import { type Anchor, AnchorKeeper, anchorPoint, checkAnchor } from "../anchor.ts";
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
  /** Aborts when the process is to end: a silent server is waited for less long, and reconnected to only once. */
  readonly stop?: AbortSignal | undefined;
}

/** Connects on first use, and migrates the database to this version. */
export function openPostgresStore(url: string, options: PostgresStoreOptions = {}): Store {
  return new PostgresStore(async () => PostgresConnection.open(url, options.stop), options);
}

/** For reading only; connects on first use. If nothing was ever stored, an empty store stands in. */
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
      // Whoever used the store was told why it could not be opened.
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
  private notedServer: KnownServer | undefined;
  private waiting: Waiting[] = [];
  /** Why nothing more is written: the database lacked our writes after reconnecting, or the anchor is stuck. */
  private broken: unknown;
  /** Why the server could not be reached after the stop signal; no second attempt is made. */
  private givenUp: { readonly error: unknown } | undefined;

  constructor(open: () => Promise<PostgresConnection>, { anchor, stop }: PostgresStoreOptions) {
    this.open = open;
    this.anchor = anchor;
    this.stop = stop;
  }

  read<Result>(transaction: () => Transaction<Result>): Promise<Result> {
    return this.inTurn(async () => {
      const connection = await this.ensureConnected();
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
   * Reconnects if the server went away. What was not committed never happened; a commit whose answer was lost has been
   * decided before the writers' lock can be taken again. A server that took over may have lost commits.
   */
  private async ensureConnected(): Promise<PostgresConnection> {
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

  /** In one transaction. A part that fails by itself is left out, and the others run again. Never rejects. */
  private async commitWaiting(): Promise<void> {
    let waiting: readonly Waiting[] = this.waiting.splice(0);
    try {
      while (waiting.length > 0) {
        const connection = await this.ensureConnected();
        if (this.broken !== undefined) throw this.broken;
        const failed = await this.commit(connection, waiting);
        waiting = failed === undefined ? [] : waiting.filter((caller) => caller !== failed);
      }
    } catch (error) {
      rejectAll(waiting, error);
    }
  }

  /** Returns a part that failed by itself; then nothing was committed. Throws what concerns all parts. */
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

/** Any problem is reported again by the check before the first send. Throws if the connection was lost meanwhile. */
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

/** A connection that cannot roll back is not used again, and its server rolls back by itself. */
async function rollBack(connection: PostgresConnection): Promise<void> {
  if (connection.isUsable) await Promise.allSettled([connection.command("rollback")]);
}
