/**
 * New databases for tests that do not test making one: copies of one that the worker makes once, because making
 * one takes longer than most tests.
 */
import { copyFileSync, existsSync, mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { openDatabase } from "../src/store/engines/sqlite-database.ts";
import { presentVersion } from "../src/store/upgrades.ts";

/** By their version, since tests add upgrades. */
const made = new Map<number, string>();

/** Makes a database without contents at `path`, unless a file is there. */
export function makeDatabase(path: string): void {
  if (existsSync(path)) return;
  const first = made.get(presentVersion()) ?? makeFirst();
  made.set(presentVersion(), first);
  mkdirSync(dirname(path), { recursive: true });
  copyFileSync(first, path);
}

function makeFirst(): string {
  const path = join(mkdtempSync(join(tmpdir(), "paydrop-new-")), "paydrop.sqlite");
  openDatabase(path).close();
  return path;
}
