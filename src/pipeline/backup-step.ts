/** A copy of the database, taken while payments go on. It is what its record says, or it is not written. */
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import type { Config } from "../config/index.ts";
import { writeOnce } from "../context/files.ts";
import { fault } from "../faults/index.ts";
import { verifyAudit } from "../store/audit.ts";
import { copyDatabase } from "../store/engines/sqlite-database.ts";
import { openSqliteCopy } from "../store/engines/sqlite-store.ts";

export interface BackupReport {
  readonly path: string;
  /** Of the record in the copy, as `audit verify` tells it. */
  readonly head: string;
}

/**
 * Without the anchor, which must not come back with the database: a copy that is put in its place sends nothing until a person has
 * looked. Throws USAGE for a PostgreSQL server's database and where there is none yet, OUTPUT_EXISTS, OUTPUT_UNWRITABLE,
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
      how: "The first file that is taken in makes it.",
    });
  if (existsSync(path)) throw fault("OUTPUT_EXISTS", { path }, { file: path });
  let head = "";
  await writeOnce(path, async (temporaryPath) => {
    // What is wrong with the place is told of the place, and not of the database.
    await writeFile(temporaryPath, "");
    copyDatabase(databasePath, temporaryPath);
    const copy = openSqliteCopy(temporaryPath);
    head = await copy.read(() => verifyAudit()).finally(() => copy.close());
  });
  return { path, head };
}
