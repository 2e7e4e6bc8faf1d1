/** Everything that commands left behind in a folder and printed: where a secret must not stand. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Ended } from "./program.ts";

/** All of it as one text, a character per byte; the files named `except` hold secrets on purpose. */
export function everythingWritten(folder: string, printed: readonly Ended[], ...except: string[]): string {
  const kept = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !except.includes(entry.name))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"));
  return [...printed.flatMap(({ stdout, stderr }) => [stdout, stderr]), ...kept].join("\n");
}
