/**
 * New databases for tests that do not test making one: copies of one that the worker makes once, because all
 * migrations take longer than most tests.
 */
import { copyFileSync, existsSync, mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { openDatabase } from "../src/store/engines/sqlite-database.ts";
import { migrations } from "../src/store/migrations.ts";

/** By their number of migrations, since tests add some. */
const made = new Map<number, string>();

/** Makes a database without contents at `path`, unless a file is there. */
export function makeDatabase(path: string): void {
  if (existsSync(path)) return;
  const first = made.get(migrations.length) ?? makeFirst();
  made.set(migrations.length, first);
  mkdirSync(dirname(path), { recursive: true });
  copyFileSync(first, path);
}

function makeFirst(): string {
  const path = join(mkdtempSync(join(tmpdir(), "paydrop-new-")), "paydrop.sqlite");
  openDatabase(path).close();
  return path;
}
