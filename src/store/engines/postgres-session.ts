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

type Ask = (text: string) => Promise<readonly SqlRow[]>;

/** The session's number at the server, and why the server's settings do not do. `mark` is what the session is known again by. */
export async function prepareSession(
  ask: Ask,
  mark: string,
): Promise<{ readonly sessionId: number; readonly whyUnusable?: string }> {
  await ask(`set paydrop.session = '${mark}'; set statement_timeout = ${STATEMENT_TIMEOUT_MS};
    set lock_timeout = ${LOCK_TIMEOUT_MS}; set idle_in_transaction_session_timeout = ${IDLE_TIMEOUT_MS};
    set tcp_user_timeout = ${UNHEARD_TIMEOUT_MS}; set search_path = paydrop; set client_encoding = 'UTF8'`);
  const [settings = {}] = await ask(`select current_setting('fsync') as fsync, pg_backend_pid() as id,
    current_setting('synchronous_commit') as commit, current_setting('server_encoding') as encoding`);
  const { fsync, commit, encoding, id } = settings;
  const sessionId = Number(id);
  const unusable = (whyUnusable: string) => ({ sessionId, whyUnusable });
  if (encoding !== "UTF8")
    return unusable(`it keeps ${encoding}, in which not every text can be kept; UTF8 is needed`);
  if (fsync !== "on") return unusable("its setting fsync is off, so that a payment could be forgotten");
  // Set in any case: what is not, follows the server's configuration while we run.
  const isWeak = commit === "off" || commit === "local";
  await ask(`set synchronous_commit = ${isWeak ? "on" : commit}`);
  return { sessionId };
}

/**
 * Another text where another server has taken the database over, or where it was restored: the number that a cluster gets when it is made, and
 * its timeline, which every promotion and every restore counts up. Undefined where a server keeps that from its users.
 */
export async function serverIdOf(ask: Ask): Promise<string | undefined> {
  try {
    const [row] = await ask(`select (pg_control_system()).system_identifier::text
      || '/' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) as id`);
    return row === undefined ? undefined : String(row["id"]);
  } catch (error) {
    if (isServersAnswer(error)) return undefined;
    throw error;
  }
}
