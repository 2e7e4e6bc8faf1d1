/**
 * The migrated database on the run's PostgreSQL server. `npm run test:postgres` copies the others from it, since
 * all migrations take long.
 */
import pg from "pg";
import { openPostgresStore } from "../src/store/engines/postgres-store.ts";
import { all, sql } from "../src/store/sql.ts";

export const MIGRATED_DATABASE = "migrated";

/** `urlOf`: the URL of a database, by its name. */
export async function makeMigrated(urlOf: (name: string) => string): Promise<void> {
  const client = new pg.Client({ connectionString: urlOf("postgres") });
  await client.connect();
  await client.query(`create database ${MIGRATED_DATABASE}`);
  await client.end();
  const store = openPostgresStore(urlOf(MIGRATED_DATABASE));
  // On its first use it connects and migrates.
  await store.read(() => all(sql`select 1`));
  await store.close();
}
