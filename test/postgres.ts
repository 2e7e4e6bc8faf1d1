/** Databases on the run's PostgreSQL server (postgres-server.ts). */
import { execFileSync } from "node:child_process";
import pg from "pg";
import { test } from "vitest";
import { afterEachFile } from "./cleanup.ts";

/** With `npm run test:postgres`, everything that the tests open is in PostgreSQL. */
export const IS_ON_POSTGRES = process.env["TEST_ENGINE"] === "postgresql";

/** For tests of what only a SQLite file has, or with a clock that does not wait for a server. */
export const testWithFile = test.skipIf(IS_ON_POSTGRES);

let made = 0;
/** Those of the test file that runs. */
let names: string[] = [];

/** A run makes hundreds, of 20 MB each, in a folder that may be in memory. */
afterEachFile(async () => {
  const gone = names;
  names = [];
  for (const name of gone)
    await query(databaseUrl("postgres"), `drop database if exists ${name} with (force)`);
});

/** A fresh, empty database; returns its URL. */
export async function newDatabase(): Promise<string> {
  const name = newName();
  await query(databaseUrl("postgres"), `create database ${name}`);
  return databaseUrl(name);
}

/** The same, for callers that cannot await. */
export function newDatabaseNow(): string {
  const name = newName();
  const program = `import pg from "pg";
    const client = new pg.Client({ connectionString: ${JSON.stringify(databaseUrl("postgres"))} });
    await client.connect();
    await client.query("create database ${name}");
    await client.end();`;
  execFileSync(process.execPath, ["--input-type=module", "--eval", program], { cwd: import.meta.dirname });
  return databaseUrl(name);
}

/** What a test changes in the database without the program. */
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
