/**
 * Prepares a session with a PostgreSQL server, identifies the server, and checks what it may do and that no pooler
 * is in between.
 */
import type { Client, DatabaseError } from "pg";
import { fault } from "../../faults/index.ts";
import type { SqlRow } from "../sql.ts";
import {
  encryptionOf,
  explainedPostgres,
  isServersAnswer,
  nameOf,
  postgresClient,
} from "./postgres-client.ts";

/** Long, because the outcome of a payment may be waiting while another machine takes in a large file. */
const LOCK_TIMEOUT_MS = 40_000;
/** If a machine halts within a transaction, the server ends it before the waiting machines give up. */
const IDLE_TIMEOUT_MS = 5_000;
/** For a machine that halts or disappears during a long answer; by default the server would wait for ever. */
const SILENCE_TIMEOUT_MS = 10_000;
/** Shorter than our own ANSWER_TIMEOUT_MS, so that the server cancels first. */
const STATEMENT_TIMEOUT_MS = 50_000;
/** Switched off: they would interrupt the intake of a large file. Older servers do not have them. */
const LIMITS_OF_NEWER_SERVERS = "'idle_session_timeout', 'transaction_timeout'";

export type Purpose = "reading" | "writing";

type Ask = (text: string) => Promise<readonly SqlRow[]>;

/**
 * Returns the session's number at the server, and the reason if the server is unusable. `mark` identifies the
 * session later. Overrides defaults of the role or database: strings are read by the SQL standard (the layout's
 * functions rely on it), and a warning at a commit is reported.
 */
export async function prepareSession(
  ask: Ask,
  mark: string,
  purpose: Purpose,
): Promise<{ readonly sessionId: number; readonly whyUnusable?: string }> {
  await ask(`set paydrop.session = '${mark}'; set statement_timeout = ${STATEMENT_TIMEOUT_MS};
    set lock_timeout = ${LOCK_TIMEOUT_MS}; set idle_in_transaction_session_timeout = ${IDLE_TIMEOUT_MS};
    set tcp_user_timeout = ${SILENCE_TIMEOUT_MS}; set search_path = paydrop; set client_encoding = 'UTF8';
    set standard_conforming_strings = on; set client_min_messages = warning;
    select set_config(name, '0', false) from pg_settings where name in (${LIMITS_OF_NEWER_SERVERS})`);
  const [settings = {}] = await ask(`select current_setting('fsync') as fsync, pg_backend_pid() as id,
    current_setting('synchronous_commit') as commit, current_setting('server_encoding') as encoding,
    pg_is_in_recovery() as standby`);
  const { fsync, commit, encoding, id, standby } = settings;
  const sessionId = Number(id);
  const unusable = (whyUnusable: string) => ({ sessionId, whyUnusable });
  if (encoding !== "UTF8")
    return unusable(`it keeps ${encoding}, in which not every text can be kept; UTF8 is needed`);
  if (fsync !== "on") return unusable("its setting fsync is off, so that a payment could be forgotten");
  // A session survives a promotion, after which the change of server would go unnoticed.
  if (purpose === "writing" && standby) return unusable("it is a standby, which only reads");
  // Always set explicitly: otherwise it would follow changes of the server's configuration while we run.
  const isWeak = commit === "off" || commit === "local";
  await ask(`set synchronous_commit = ${isWeak ? "on" : commit}`);
  return { sessionId };
}

/**
 * Identifies a database: by the cluster's number, by the oids of the database and of a table, which differ in a
 * copy or a restored backup, and by the cluster's timeline, which every promotion increments.
 */
export async function serverIdOf(ask: Ask): Promise<string> {
  const { number, timeline } = await clusterOf(ask);
  const [row] = await ask(`select concat_ws('.', oid, to_regclass('server')::oid) as numbers
    from pg_database where datname = current_database()`);
  return `${number}.${row?.["numbers"]}/${timeline}`;
}

/** Some servers hide both values from ordinary users. */
async function clusterOf(ask: Ask): Promise<SqlRow> {
  try {
    const [row = {}] = await ask(`select (pg_control_system()).system_identifier::text as number,
      substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) as timeline`);
    return row;
  } catch (error) {
    if (isServersAnswer(error)) return { number: "?", timeline: "?" };
    throw error;
  }
}

/** A pooler in session mode may have no second session to offer. */
const PROBE_TIMEOUT_MS = 3_000;

/**
 * Whether a pooler gives each transaction another session. If so, a second client gets this one, whose number is
 * `sessionId` according to the server. If the pooler has no other user at this moment, it may go undetected here
 * and is noticed during a run.
 */
export async function isSessionShared(url: string, client: Client, sessionId: number): Promise<boolean> {
  // A server reports the true number at the start, a pooler an invented one.
  const { processID } = client as Client & { readonly processID?: number };
  if (processID === sessionId) return false;
  if (!(await mayBegin(client))) return true;
  const other = await postgresClient(url, PROBE_TIMEOUT_MS);
  // Its queries report errors.
  other.on("error", () => undefined);
  try {
    await other.connect();
    await other.query("begin");
    const { rows } = await other.query<{ id: number }>("select pg_backend_pid() as id");
    return rows[0]?.id === sessionId;
  } catch {
    // If the second client gets no session, it does not share this one.
    return false;
  } finally {
    await other.end();
  }
}

/** A pooler in statement mode ends a session that begins a transaction. */
async function mayBegin(client: Client): Promise<boolean> {
  try {
    await client.query("begin");
    await client.query("rollback");
    return true;
  } catch (error) {
    if ((error as Partial<DatabaseError>).code === PROTOCOL_VIOLATION) return false;
    throw error;
  }
}

/** PgBouncer's SQLSTATE for it. */
const PROTOCOL_VIOLATION = "08P01";

const ANSWER_TIMEOUT_MS = 10_000;

/**
 * Finds the first obstacle. A user without the right to create schemas may have been given one. A user without the
 * right to migrate may only append to tables that are never changed: the record, and signed statements.
 */
const FIRST_OBSTACLE = `select current_setting('server_version') as version, case
  when pg_is_in_recovery() then 'it is a standby, which only reads'
  when current_setting('default_transaction_read_only') = 'on' then 'its setting default_transaction_read_only is on'
  when schema is null and not has_database_privilege(current_database(), 'create')
    then 'this user may not make the schema paydrop'
  when tables = 0 and not has_schema_privilege(schema, 'create')
    then 'this user may make no tables in the schema paydrop'
  when writable < tables then 'this user may not write to each table of the schema paydrop' end as reason
from (select to_regnamespace('paydrop') as schema, count(pg_class.oid) as tables,
    count(*) filter (where relname = 'version' or (has_table_privilege(pg_class.oid, 'insert') and (
      relname in ('audit', 'statement') or (has_table_privilege(pg_class.oid, 'update')
        and has_table_privilege(pg_class.oid, 'delete'))))) as writable
  from (values (1)) as one left join pg_class on relnamespace = to_regnamespace('paydrop') and relkind = 'r') as found`;

/**
 * Returns host and database, the user, the server's version and the encryption, as text. Stores nothing. Throws
 * DATABASE_REFUSED if the user could not store anything, and the faults of `openPostgresStore`.
 */
export async function checkRights(url: string): Promise<string> {
  const client = await postgresClient(url, ANSWER_TIMEOUT_MS);
  const path = nameOf(client);
  // Its queries report errors.
  client.on("error", () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ version: string; reason: string | null }>(FIRST_OBSTACLE);
    const { version, reason = null } = rows[0] ?? {};
    if (reason !== null) throw fault("DATABASE_REFUSED", { path, reason });
    return `${path} as ${client.user}, PostgreSQL ${version}, ${encryptionOf(client)}`;
  } catch (error) {
    throw explainedPostgres(error, path, true);
  } finally {
    await client.end();
  }
}
