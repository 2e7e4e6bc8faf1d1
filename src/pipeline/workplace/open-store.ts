/** Opens the configured database, SQLite or PostgreSQL. */
import { type Environment, readDatabaseUrl } from "../../config/index.ts";
import type { Log } from "../../context/log.ts";
import { type AnchoredPlace, anchorOf } from "../../store/anchor.ts";
import { openPostgresStore, openPostgresStoreForReading } from "../../store/engines/postgres-store.ts";
import { openSqliteStore, openSqliteStoreForReading } from "../../store/engines/sqlite-store.ts";
import type { Store } from "../../store/store.ts";

/**
 * Opens SQLite at once, PostgreSQL on first use. `stop` shortens the wait for an unresponsive server. Throws
 * SECRET_MISSING, and what the store throws.
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

/** As `openStore`, for reading only: nothing is created or changed. */
export function openStoreForReading(
  config: AnchoredPlace,
  environment: Environment,
  stop?: AbortSignal,
): Store {
  return config.databaseEngine === "postgresql"
    ? openPostgresStoreForReading(readDatabaseUrl(environment), stop)
    : openSqliteStoreForReading(config.databasePath);
}
