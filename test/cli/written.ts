/** Everything that commands left in a folder and printed, to be searched for secrets. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Ended } from "./program.ts";

/** All of it as one text, a character per byte, without the files `except`, which contain secrets on purpose. */
export function everythingWritten(folder: string, printed: readonly Ended[], ...except: string[]): string {
  const kept = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !except.includes(entry.name))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"));
  return [...printed.flatMap(({ stdout, stderr }) => [stdout, stderr]), ...kept].join("\n");
}
