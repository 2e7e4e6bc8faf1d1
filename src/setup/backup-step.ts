/**
 * Copies the database while payments continue. The copy is kept only if its audit record verifies. A file beside it
 * has its hash, because SQLite would not notice a changed byte.
 */
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { basename } from "node:path";
import type { Config } from "../config/index.ts";
import { writeOnce, writeWhole } from "../context/files.ts";
import { fault, invariant } from "../faults/index.ts";
import { sha256Of } from "../readers/index.ts";
import { verifyAudit } from "../store/audit.ts";
import { copyFromServer } from "../store/engines/portable-copy.ts";
import { makePrivately } from "../store/engines/private-file.ts";
import { copyDatabase } from "../store/engines/sqlite-database.ts";
import { openSqliteCopy } from "../store/engines/sqlite-store.ts";
import type { Store } from "../store/store.ts";

export interface BackupReport {
  readonly path: string;
  /** The head of the audit record in the copy, as `audit verify` prints it. */
  readonly head: string;
  /** SHA-256 of the copy's bytes, lower-case hex; it is also in `FILE.sha256`. */
  readonly sha256: string;
}

/**
 * Copies the database without its anchor, so that a restored copy sends nothing until a person has looked. The copy
 * is a SQLite file; `server`: the open database, if it is on a server. Throws USAGE if there is no database yet,
 * OUTPUT_EXISTS, OUTPUT_UNWRITABLE, AUDIT_CHAIN_BROKEN, and what the store throws.
 */
export async function backupStep(
  { databaseEngine, databasePath }: Pick<Config, "databaseEngine" | "databasePath">,
  path: string,
  server?: Pick<Store, "read">,
): Promise<BackupReport> {
  const isOnServer = databaseEngine === "postgresql";
  invariant(!isOnServer || server !== undefined, "the database of a server was not opened");
  if (!isOnServer && !existsSync(databasePath))
    throw fault("USAGE", {
      what: `there is no database at ${databasePath} yet`,
      how: "The first submitted file creates it.",
    });
  if (existsSync(path)) throw fault("OUTPUT_EXISTS", { path }, { file: path });
  let head = "";
  await writeOnce(path, async (temporaryPath) => {
    // Tests the target first, so that its faults are not reported as the database's.
    makePrivately(temporaryPath);
    if (server !== undefined && isOnServer) await copyFromServer(server, temporaryPath);
    else copyDatabase(databasePath, temporaryPath);
    const copy = openSqliteCopy(temporaryPath);
    head = await verifyAudit(copy).finally(() => copy.close());
  });
  const sha256 = await sha256Of(path);
  const line = `${sha256}  ${basename(path)}\n`;
  await writeWhole(hashPath(path), (temporaryPath) => writeFile(temporaryPath, line));
  return { path, head, sha256 };
}

/** The file with a backup's hash, as sha256sum writes it. */
export function hashPath(path: string): string {
  return `${path}${HASH_ENDING}`;
}

export const HASH_ENDING = ".sha256";
