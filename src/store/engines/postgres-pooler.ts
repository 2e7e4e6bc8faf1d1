/**
 * Detects a pooler that gives each transaction another session, before anything relies on the session. If nobody else
 * is using the pooler at this moment it may go undetected here, and is then noticed during a run.
 */
import type { Client } from "pg";
import { postgresClient } from "./postgres-client.ts";

/** A pooler in session mode may have no second session to offer. */
const PROBE_TIMEOUT_MS = 3_000;

/** Whether a second client gets the same session. `sessionId`: its number according to the server. */
export async function isSessionShared(url: string, client: Client, sessionId: number): Promise<boolean> {
  // A server reports the true number at the start, a pooler an invented one.
  const { processID } = client as Client & { readonly processID?: number };
  if (processID === sessionId) return false;
  const other = await postgresClient(url, PROBE_TIMEOUT_MS);
  // Its queries report what went wrong.
  other.on("error", () => undefined);
  try {
    await other.connect();
    await other.query("begin");
    const { rows } = await other.query<{ id: number }>("select pg_backend_pid() as id");
    return rows[0]?.id === sessionId;
  } catch {
    // A client that is given no session is not given this one.
    return false;
  } finally {
    await other.end();
  }
}
