/**
 * The store on a PostgreSQL database, which several machines may share. A process runs its transactions one after
 * another on one connection, and writers wait for each other across all machines, so each sees what the one before
 * committed. Writes requested together share one commit, as in sqlite-store.ts. Needs a session of its own (no
 * transaction pooling).
 */
import pLimit from "p-limit";
import { systemClock } from "../../context/clock.ts";
import { type Anchor, AnchorKeeper, anchorPoint, checkAnchor } from "../anchor.ts";
import { first, sql, type Transaction } from "../sql.ts";
import type { Lane, Store } from "../store.ts";
import { isSameServer, type KnownServer, noteServer } from "./known-server.ts";
import { takeLease } from "./lane-lease.ts";
import { PostgresConnection } from "./postgres-connection.ts";
import { joinMachines } from "./postgres-machines.ts";
import { openEmptyStore } from "./sqlite-store.ts";
import { rejectAll, resolveAll, type Waiting, waitIn } from "./waiting.ts";

interface PostgresStoreOptions {
  /** Written after every commit. */
  readonly anchor?: Anchor | undefined;
  /**
   * Aborts when the process is about to end: the store then waits less long for a silent server and reconnects only
   * once.
   */
  readonly stop?: AbortSignal | undefined;
}

/** Connects on first use, and migrates the database to this version. */
export function openPostgresStore(url: string, options: PostgresStoreOptions = {}): Store {
  const store = postgresStore(async () => PostgresConnection.open(url, options.stop), options);
  const isThere = () => store.read(() => first(sql`select 1`));
  return { ...store, join: (heard, log) => joinMachines(url, isThere, heard, log) };
}

/**
 * Opens the database for reading only; connects on first use. If there is no layout yet, an empty store stands in.
 */
export function openPostgresStoreForReading(url: string, stop?: AbortSignal): Store {
  let opening: Promise<Store> | undefined;
  const opened = async (): Promise<Store> => {
    const connection = await PostgresConnection.openForReading(url, stop);
    return connection === undefined ? openEmptyStore() : postgresStore(async () => connection, { stop });
  };
  const store = () => (opening ??= opened());
  return {
    isShared: true,
    read: async (transaction) => (await store()).read(transaction),
    write: async (transaction) => (await store()).write(transaction),
    takeLane: async (keyId, sendingMs) => (await store()).takeLane(keyId, sendingMs),
    close: async () => {
      // If the store could not be opened, its user already got the error.
      const [store] = await Promise.allSettled([opening]);
      if (store.status === "fulfilled") await store.value?.close();
    },
  };
}

function postgresStore(
  open: () => Promise<PostgresConnection>,
  { anchor, stop }: PostgresStoreOptions,
): Store {
  const inTurn = pLimit(1);
  const waiting: Waiting[] = [];
  let present: PostgresConnection | undefined;
  let anchorKeeper: AnchorKeeper | undefined;
  let notedServer: KnownServer | undefined;
  /** Why nothing more is written: the database lacked our writes after reconnecting, or the anchor is stuck. */
  let broken: unknown;
  /** Why the server could not be reached after the stop signal; no second attempt is made. */
  let givenUp: { readonly error: unknown } | undefined;
  return { isShared: true, read, write, takeLane, close };

  function read<Result>(transaction: () => Transaction<Result>): Promise<Result> {
    return inTurn(async () => {
      const connection = await ensureConnected();
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

  function write<Result>(transaction: () => Transaction<Result>): Promise<Result> {
    const result = waitIn(waiting, transaction);
    if (waiting.length === 1) void inTurn(() => commitWaiting());
    return result;
  }

  function takeLane(keyId: string, sendingMs: number): Promise<Lane> {
    return takeLease({ write }, keyId, sendingMs);
  }

  async function close(): Promise<void> {
    await inTurn(async () => present?.close());
    anchor?.close();
  }

  /**
   * Reconnects if the server went away. Uncommitted transactions never happened. A commit whose answer was lost is
   * decided before the writers' lock can be taken again. A server that took over may have lost commits.
   */
  async function ensureConnected(): Promise<PostgresConnection> {
    if (present?.isUsable === true) return present;
    if (givenUp !== undefined) throw givenUp.error;
    const connection = await open().catch((error: unknown) => {
      if (stop?.aborted === true) givenUp = { error };
      throw error;
    });
    if (anchor !== undefined) {
      const behind = await whyBehind(connection, anchor);
      if (anchorKeeper?.isKept === true) broken ??= behind;
      anchorKeeper ??= new AnchorKeeper(anchor, behind !== undefined);
    }
    present = connection;
    return connection;
  }

  /**
   * Commits waiting transactions together. One that fails by itself is left out, and the others run again. Never
   * rejects.
   */
  async function commitWaiting(): Promise<void> {
    let callers: readonly Waiting[] = waiting.splice(0);
    try {
      while (callers.length > 0) {
        const connection = await ensureConnected();
        if (broken !== undefined) throw broken;
        const failed = await commit(connection, callers);
        callers = failed === undefined ? [] : callers.filter((caller) => caller !== failed);
      }
    } catch (error) {
      rejectAll(callers, error);
    }
  }

  /**
   * Returns the transaction that failed by itself; then nothing was committed. Throws errors that concern all of
   * them.
   */
  async function commit(
    connection: PostgresConnection,
    callers: readonly Waiting[],
  ): Promise<Waiting | undefined> {
    const results: unknown[] = [];
    let current: Waiting | undefined;
    try {
      await connection.begin("writing");
      const { server } = connection;
      if (server !== undefined && !isSameServer(server, notedServer))
        await toEnd(connection, noteServer(server, systemClock.now()));
      for (current of callers) results.push(await toEnd(connection, current.transaction()));
      current = undefined;
      const point = anchor === undefined ? undefined : await toEnd(connection, anchorPoint());
      await connection.commit();
      notedServer = server;
      if (point !== undefined) broken = anchorKeeper?.move(point);
      resolveAll(callers, results);
      // A server that fails here fails the next transaction, which explains it.
      await Promise.allSettled([connection.renewStatistics()]);
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

/** The check before the first send reports any problem again. Throws if the connection was lost meanwhile. */
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
