/**
 * Finds a pooler that gives each transaction another session of the server, before anything is asked of it. Where nobody else uses it at
 * this moment it gives the same one each time, and would be noticed in the midst of a run.
 */
import type { Client } from "pg";
import { postgresClient } from "./postgres-client.ts";

/** A pooler in session mode may have no second session to give. */
const PROBE_TIMEOUT_MS = 3_000;

/** Whether another client is given the session that this one is connected to; `sessionId` is its number by the server itself. */
export async function isSessionShared(url: string, client: Client, sessionId: number): Promise<boolean> {
  // What a server has told at the start is true, and what a pooler tells is made up.
  const { processID } = client as Client & { readonly processID?: number };
  if (processID === sessionId) return false;
  const other = await postgresClient(url, PROBE_TIMEOUT_MS);
  // Its queries tell what went wrong.
  other.on("error", () => undefined);
  try {
    await other.connect();
    await other.query("begin");
    const { rows } = await other.query<{ id: number }>("select pg_backend_pid() as id");
    return rows[0]?.id === sessionId;
  } catch {
    // Whoever is given none is not given this one.
    return false;
  } finally {
    await other.end();
  }
}
