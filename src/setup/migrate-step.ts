/**
 * Moves the database from a SQLite file to a PostgreSQL server, so that several machines can share it. Nothing is
 * sent meanwhile, and afterwards only from the server.
 */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { type Config, type Environment, readDatabaseUrl } from "../config/index.ts";
import type { Clock } from "../context/clock.ts";
import { Fault, fault } from "../faults/index.ts";
import { Anchor, checkAnchor } from "../store/anchor.ts";
import { verifyAudit } from "../store/audit.ts";
import { type MovedDatabase, moveToServer, refuseFilledTarget } from "../store/engines/move-to-server.ts";
import { placeOf } from "../store/engines/postgres-client.ts";
import { openPostgresStore, openPostgresStoreForReading } from "../store/engines/postgres-store.ts";
import { openSqliteStoreForReading } from "../store/engines/sqlite-store.ts";
import { findMoved } from "../store/moved.ts";
import { isOwnedBy } from "../store/roster-root.ts";
import type { Store } from "../store/store.ts";
import { ownerIn } from "../workplace/root.ts";
import { withTrialRoot } from "../workplace/trial-keys.ts";

interface Migrating {
  /** The configuration that names the file. */
  readonly config: Config;
  readonly environment: Environment;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * `from`: "sqlite:PATH", the database of the configuration. `to`: "postgresql" for the server that DATABASE_URL
 * names, or a URL without a password. Throws USAGE, MOVE_REFUSED, MOVE_NOT_EQUAL, AUDIT_CHAIN_BROKEN, a fault of
 * the anchor, and what the stores throw; then nothing was changed.
 */
export async function migrateStep(
  { config, environment, clock, signal }: Migrating,
  from: string,
  to: string,
): Promise<MovedDatabase> {
  const path = sourceOf(config, from);
  const url = targetOf(environment, to);
  const place = await placeOf(url);
  const anchor = new Anchor(config.anchorPath, path);
  await checkSource(config, path, anchor, place);
  const looking = openPostgresStoreForReading(url, signal);
  await refuseFilledTarget({ path }, { store: looking, place }).finally(() => looking.close());
  const store = openPostgresStore(url, { stop: signal });
  try {
    const moved = await moveToServer({ path, anchor }, { store, place }, clock.now());
    await verifyAudit(store);
    return moved;
  } finally {
    await store.close();
  }
}

function sourceOf({ databaseEngine, databasePath }: Config, from: string): string {
  const [, named] = /^sqlite:(.+)$/.exec(from) ?? [];
  if (named === undefined)
    throw fault("USAGE", { what: `--from ${from} names no SQLite file`, how: "Write sqlite:PATH." });
  if (databaseEngine !== "sqlite" || resolve(named) !== databasePath)
    throw fault("USAGE", {
      what: `${named} is not the database of this configuration`,
      how: "Run it with the configuration whose `database` is the file that is to move.",
    });
  if (!existsSync(databasePath))
    throw fault("USAGE", {
      what: `there is no database at ${databasePath}`,
      how: "Set `database: postgresql` right away: a new database is made on the server.",
    });
  return databasePath;
}

function targetOf(environment: Environment, to: string): string {
  if (/^postgres(?:ql)?$/.test(to)) return readDatabaseUrl(environment);
  if (!/^postgres(?:ql)?:\/\//.test(to))
    throw fault("USAGE", {
      what: `--to ${to.split(":")[0]} names no PostgreSQL server`,
      how: "Write `--to postgresql`, and the URL into DATABASE_URL.",
    });
  if (/^[^:]+:\/\/[^/@]*:[^/@]*@/.test(to) || /[?&]password=/.test(to))
    throw fault("USAGE", {
      what: "other users of this machine can read the password in --to",
      how: "Write `--to postgresql`, and the URL into DATABASE_URL.",
    });
  return to;
}

/** A marked file whose move to the same place was not completed may be moved again. */
async function checkSource(config: Config, path: string, anchor: Anchor, place: string): Promise<void> {
  const source = openSqliteStoreForReading(path);
  try {
    await source.read(() => isOwnedBy(ownerIn(withTrialRoot(config))));
    await verifyAudit(source);
    await checkUnlessMovedTo(source, anchor, place);
  } finally {
    await source.close();
  }
}

async function checkUnlessMovedTo(source: Store, anchor: Anchor, place: string): Promise<void> {
  try {
    await source.read(checkAnchor(anchor));
  } catch (error) {
    const isMoved = error instanceof Fault && error.problem.code === "DATABASE_MOVED";
    if (!isMoved || (await source.read(() => findMoved()))?.place !== place) throw error;
  }
}
