/** What a session with a PostgreSQL server is set to before it is used, and what its server has to say for itself. */
import type { SqlRow } from "../sql.ts";
import { isServersAnswer } from "./postgres-client.ts";

/** What waits may be the outcome of a payment, and another machine may be taking in a large file. */
const LOCK_TIMEOUT_MS = 40_000;
/** A machine that stands still in a transaction keeps nobody else waiting: the server ends it before the others give up. */
const IDLE_TIMEOUT_MS = 5_000;
/** Nor does one that is gone, or stands still, in the midst of a long answer; the server itself would wait for it without an end. */
const UNHEARD_TIMEOUT_MS = 10_000;
/** The server gives a statement up before we do. */
const STATEMENT_TIMEOUT_MS = 50_000;
/** The limits above bound what waits; these would end a large file's intake in its midst. An older server does not know them. */
const LIMITS_OF_NEWER_SERVERS = "'idle_session_timeout', 'transaction_timeout'";

export type Purpose = "reading" | "writing";

type Ask = (text: string) => Promise<readonly SqlRow[]>;

/**
 * The session's number at the server, and why the server does not do. `mark` is what the session is known again by. Whatever the role or the
 * database are set to: the layout's functions read their texts by the standard's rules, and a warning at a commit is told.
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
  // A session outlives the promotion, after which nobody would know that it is another server's.
  if (purpose === "writing" && standby) return unusable("it is a standby, which only reads");
  // Set in any case: what is not, follows the server's configuration while we run.
  const isWeak = commit === "off" || commit === "local";
  await ask(`set synchronous_commit = ${isWeak ? "on" : commit}`);
  return { sessionId };
}

/**
 * What a database is known by: the number that a cluster gets when it is made, the numbers of the database and of a table in it, which are
 * others in a copy and where a backup was restored, and the cluster's timeline, which every promotion counts up.
 */
export async function serverIdOf(ask: Ask): Promise<string> {
  const { number, timeline } = await clusterOf(ask);
  const [row] = await ask(`select concat_ws('.', oid, to_regclass('server')::oid) as numbers
    from pg_database where datname = current_database()`);
  return `${number}.${row?.["numbers"]}/${timeline}`;
}

/** Some servers keep both from their users. */
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
