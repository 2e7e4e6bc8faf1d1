/** Databases on the run's PostgreSQL server (postgres-server.ts). */
import { MessageChannel, receiveMessageOnPort, Worker } from "node:worker_threads";
import pLimit from "p-limit";
import pg from "pg";
import { test } from "vitest";
import { afterEachFile } from "./cleanup.ts";
import { MIGRATED_DATABASE } from "./postgres-migrated.ts";

/** With `npm run test:postgres`, every store that the tests open is in PostgreSQL. */
export const IS_ON_POSTGRES = process.env["TEST_ENGINE"] === "postgresql";

/** For tests of SQLite files alone, or with a clock that does not wait for a server. */
export const testWithFile = test.skipIf(IS_ON_POSTGRES);

let made = 0;
/** The databases of the present test file. */
let names: string[] = [];

/**
 * A run makes hundreds of databases, of 20 MB each, in a folder that may be in memory. The server writes everything
 * to its files before each is dropped, once for several at a time.
 */
const droppedAtOnce = pLimit(8);
afterEachFile(async () => {
  const gone = names;
  names = [];
  const drop = (name: string) =>
    query(databaseUrl("postgres"), `drop database if exists ${name} with (force)`);
  await Promise.all(gone.map((name) => droppedAtOnce(drop, name)));
});

/** A fresh, empty database; returns its URL. */
export async function newDatabase(): Promise<string> {
  const name = newName();
  await query(databaseUrl("postgres"), `create database ${name}`);
  return databaseUrl(name);
}

/** A new, migrated database, as a store would make it; returns its URL. For callers that cannot await. */
export function newDatabaseNow(): string {
  const name = newName();
  statements ??= startStatements();
  statements.carryOut(`create database ${name} template ${MIGRATED_DATABASE}`);
  return databaseUrl(name);
}

let statements: ReturnType<typeof startStatements> | undefined;

/** One thread and one connection for all statements of the worker. */
function startStatements() {
  const ended = new Int32Array(new SharedArrayBuffer(4));
  const thread = new Worker(new URL("./postgres-statements.ts", import.meta.url), {
    workerData: { url: databaseUrl("postgres"), ended },
  });
  const { port1, port2 } = new MessageChannel();
  thread.postMessage({ port: port2 }, [port2]);
  thread.unref();
  port1.unref();
  return {
    /** Returns when the statement has ended. */
    carryOut: (statement: string): void => {
      const before = Atomics.load(ended, 0);
      port1.postMessage(statement);
      Atomics.wait(ended, 0, before);
      const { message } = receiveMessageOnPort(port1) ?? {};
      if (message !== undefined) throw new Error(`${statement}: ${message}`);
    },
  };
}

/** Changes the database without the program. */
export async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows as Record<string, unknown>[];
  } finally {
    await client.end();
  }
}

function newName(): string {
  made += 1;
  const name = `test_${process.pid}_${made}`;
  names.push(name);
  return name;
}

function databaseUrl(name: string): string {
  const socket = process.env["TEST_POSTGRES"];
  if (socket === undefined)
    throw new Error(`the PostgreSQL server has not started: ${process.env["TEST_POSTGRES_FAILURE"]}`);
  return `postgresql://paydrop@/${name}?host=${encodeURIComponent(socket)}`;
}
