/** Copies the database while payments continue. The copy is kept only if its audit record verifies. */
import { existsSync } from "node:fs";
import type { Config } from "../config/index.ts";
import { writeOnce } from "../context/files.ts";
import { fault } from "../faults/index.ts";
import { verifyAudit } from "../store/audit.ts";
import { makePrivately } from "../store/engines/private-file.ts";
import { copyDatabase } from "../store/engines/sqlite-database.ts";
import { openSqliteCopy } from "../store/engines/sqlite-store.ts";

export interface BackupReport {
  readonly path: string;
  /** The head of the audit record in the copy, as `audit verify` prints it. */
  readonly head: string;
}

/**
 * Copies the database without its anchor, so that a restored copy sends nothing until a person has looked. Throws
 * USAGE for a PostgreSQL database and if there is no database yet, OUTPUT_EXISTS, OUTPUT_UNWRITABLE,
 * AUDIT_CHAIN_BROKEN, and what the store throws.
 */
export async function backupStep(
  { databaseEngine, databasePath }: Pick<Config, "databaseEngine" | "databasePath">,
  path: string,
): Promise<BackupReport> {
  if (databaseEngine === "postgresql")
    throw fault("USAGE", {
      what: "the database is a PostgreSQL server's",
      how: "Copy it by that server's own means, such as pg_dump, and leave the anchor file out.",
    });
  if (!existsSync(databasePath))
    throw fault("USAGE", {
      what: `there is no database at ${databasePath} yet`,
      how: "The first submitted file creates it.",
    });
  if (existsSync(path)) throw fault("OUTPUT_EXISTS", { path }, { file: path });
  let head = "";
  await writeOnce(path, async (temporaryPath) => {
    // Tests the target first, so that its faults are not reported as the database's.
    makePrivately(temporaryPath);
    copyDatabase(databasePath, temporaryPath);
    const copy = openSqliteCopy(temporaryPath);
    head = await verifyAudit(copy).finally(() => copy.close());
  });
  return { path, head };
}
