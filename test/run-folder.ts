/** One folder for all temporary files of a run, removed at its end; in memory if there is room. */
import { existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const COMPILED = fileURLToPath(new URL("../node_modules/.cache/node-compile-cache", import.meta.url));

const PREFIX = "paydrop-tests-";
const MEMORY = "/dev/shm";
/** Several times what a run writes; containers often have only a few megabytes. */
const FREE_BYTES_MIN = 2 * 1024 ** 3;

/** vitest calls it before the first worker starts, and its result after the last one has ended. */
export default function makeRunFolder(): () => void {
  // Compiled modules are kept for later runs; in the clone, since another user may own a folder beside those of all
  // users.
  process.env["NODE_COMPILE_CACHE"] ??= COMPILED;
  removeLeftovers(MEMORY);
  removeLeftovers(tmpdir());
  const folder = mkdtempSync(join(hasRoomInMemory() ? MEMORY : tmpdir(), `${PREFIX}${process.pid}-`));
  process.env["TMPDIR"] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}

/** A run that was killed leaves its folder; in memory it would take room from everything else. */
function removeLeftovers(parent: string): void {
  if (!existsSync(parent)) return;
  for (const name of readdirSync(parent)) {
    const pid = name.startsWith(PREFIX) ? Number.parseInt(name.slice(PREFIX.length), 10) : Number.NaN;
    if (Number.isInteger(pid) && !isAlive(pid)) rmSync(join(parent, name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user also counts as running.
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

function hasRoomInMemory(): boolean {
  if (!existsSync(MEMORY)) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= FREE_BYTES_MIN;
}
