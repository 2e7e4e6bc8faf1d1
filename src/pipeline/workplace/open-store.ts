/** The state that a configuration names, in either engine. */
import { type Environment, readDatabaseUrl } from "../../config/index.ts";
import type { Log } from "../../context/log.ts";
import { type AnchoredPlace, anchorOf } from "../../store/anchor.ts";
import { openPostgresStore, openPostgresStoreForReading } from "../../store/engines/postgres-store.ts";
import { openSqliteStore, openSqliteStoreForReading } from "../../store/engines/sqlite-store.ts";
import type { Store } from "../../store/store.ts";

/**
 * A SQLite database is opened here, a PostgreSQL database when it is first asked. `stop` ends the wait for a server
 * that says nothing. Throws SECRET_MISSING, and what the store throws.
 */
export function openStore(
  config: AnchoredPlace,
  environment: Environment,
  log: Log,
  stop?: AbortSignal,
): Store {
  const anchor = anchorOf(config);
  return config.databaseEngine === "postgresql"
    ? openPostgresStore(readDatabaseUrl(environment), { anchor, stop })
    : openSqliteStore(config.databasePath, { anchor, log });
}

/** The same for commands that only look: nothing is created, and nothing stored can change. */
export function openStoreForReading(
  config: AnchoredPlace,
  environment: Environment,
  stop?: AbortSignal,
): Store {
  return config.databaseEngine === "postgresql"
    ? openPostgresStoreForReading(readDatabaseUrl(environment), stop)
    : openSqliteStoreForReading(config.databasePath);
}
