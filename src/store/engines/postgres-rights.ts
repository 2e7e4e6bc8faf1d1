/** Checks, without storing anything, whether we may store in a PostgreSQL database. */
import { fault } from "../../faults/index.ts";
import { explainedPostgres, postgresClient } from "./postgres-client.ts";

const ANSWER_TIMEOUT_MS = 10_000;

/** The first obstacle. A user who may not create schemas may have been given one. */
const WHAT_IS_MISSING = `select case
  when pg_is_in_recovery() then 'it is a standby, which only reads'
  when current_setting('default_transaction_read_only') = 'on' then 'its setting default_transaction_read_only is on'
  when not has_database_privilege(current_database(), 'temporary') then 'this user may make no temporary tables in it'
  when schema is null and not has_database_privilege(current_database(), 'create') then 'this user may not make the schema paydrop'
  when tables = 0 and not has_schema_privilege(schema, 'create') then 'this user may make no tables in the schema paydrop'
  when writable < tables then 'this user may not write to each table of the schema paydrop' end as reason
from (select to_regnamespace('paydrop') as schema, count(pg_class.oid) as tables,
    count(*) filter (where has_table_privilege(pg_class.oid, 'insert') and has_table_privilege(pg_class.oid, 'update')
      and has_table_privilege(pg_class.oid, 'delete')) as writable
  from (values (1)) as one left join pg_class on relnamespace = to_regnamespace('paydrop') and relkind = 'r') as found`;

/** Throws DATABASE_REFUSED if nothing could be stored, and what `openPostgresStore` throws. */
export async function checkRights(url: string): Promise<void> {
  const client = await postgresClient(url, ANSWER_TIMEOUT_MS);
  const path = `${client.host}:${client.port}/${client.database}`;
  // Its queries report what went wrong.
  client.on("error", () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ reason: string | null }>(WHAT_IS_MISSING);
    const reason = rows[0]?.reason ?? undefined;
    if (reason !== undefined) throw fault("DATABASE_REFUSED", { path, reason });
  } catch (error) {
    throw explainedPostgres(error, path, true);
  } finally {
    await client.end();
  }
}
