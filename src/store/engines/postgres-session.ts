/** Prepares a session with a PostgreSQL server, and identifies the server. */
import type { SqlRow } from "../sql.ts";
import { isServersAnswer } from "./postgres-client.ts";

/** Long, because the outcome of a payment may be waiting while another machine takes in a large file. */
const LOCK_TIMEOUT_MS = 40_000;
/** If a machine halts within a transaction, the server ends it before the waiting machines give up. */
const IDLE_TIMEOUT_MS = 5_000;
/** For a machine that halts or disappears during a long answer; by default the server would wait for ever. */
const UNHEARD_TIMEOUT_MS = 10_000;
/** Shorter than our own ANSWER_TIMEOUT_MS, so that the server cancels first. */
const STATEMENT_TIMEOUT_MS = 50_000;
/** Switched off: they would interrupt the intake of a large file. Older servers do not have them. */
const LIMITS_OF_NEWER_SERVERS = "'idle_session_timeout', 'transaction_timeout'";

export type Purpose = "reading" | "writing";

type Ask = (text: string) => Promise<readonly SqlRow[]>;

/**
 * Returns the session's number at the server, and why the server is unusable, if so. `mark` identifies the session
 * later. Whatever the role's or database's defaults are, strings are read by the SQL standard (the layout's functions
 * rely on it) and a warning at a commit is reported.
 */
export async function prepareSession(
  ask: Ask,
  mark: string,
  purpose: Purpose,
): Promise<{ readonly sessionId: number; readonly whyUnusable?: string }> {
  await ask(`set paydrop.session = '${mark}'; set statement_timeout = ${STATEMENT_TIMEOUT_MS};
    set lock_timeout = ${LOCK_TIMEOUT_MS}; set idle_in_transaction_session_timeout = ${IDLE_TIMEOUT_MS};
    set tcp_user_timeout = ${UNHEARD_TIMEOUT_MS}; set search_path = paydrop; set client_encoding = 'UTF8';
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
  // A session survives a promotion, after which nobody would notice that the server is another one.
  if (purpose === "writing" && standby) return unusable("it is a standby, which only reads");
  // Always set explicitly: otherwise it would follow changes of the server's configuration while we run.
  const isWeak = commit === "off" || commit === "local";
  await ask(`set synchronous_commit = ${isWeak ? "on" : commit}`);
  return { sessionId };
}

/**
 * Identifies a database: by the cluster's number, by the oids of the database and of a table, which differ in a copy or
 * a restored backup, and by the cluster's timeline, which every promotion increments.
 */
export async function serverIdOf(ask: Ask): Promise<string> {
  const { number, timeline } = await clusterOf(ask);
  const [row] = await ask(`select concat_ws('.', oid, to_regclass('server')::oid) as numbers
    from pg_database where datname = current_database()`);
  return `${number}.${row?.["numbers"]}/${timeline}`;
}

/** Some servers hide both from ordinary users. */
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
