/**
 * The program packed from the source as `npm run build` packs it, for tests that start it hundreds of times. Its
 * modules find the files beside their source. cli/executable.test.ts starts the source itself.
 */
import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { pack } from "../release/pack.ts";

/** In the clone, and named by content, so that Node reuses the compiled code of an unchanged program. */
const FOLDER = fileURLToPath(new URL("../node_modules/.cache/paydrop-program", import.meta.url));

const DAY_MS = 86_400_000;

/** vitest calls it before the first worker starts. */
export default async function bundleProgram(): Promise<void> {
  const { output } = await pack(
    { bin: fileURLToPath(new URL("../src/cli/bin.ts", import.meta.url)) },
    (path) => JSON.stringify(pathToFileURL(path).href),
    { dir: FOLDER, entryFileNames: "[name]-[hash].mjs", chunkFileNames: "[name]-[hash].mjs" },
  );
  removeOlder(new Set(output.map(({ fileName }) => fileName)));
  process.env["TEST_PROGRAM"] = join(FOLDER, output[0].fileName);
}

/** Another run in the same clone may still start files written a moment ago. */
function removeOlder(current: ReadonlySet<string>): void {
  for (const name of readdirSync(FOLDER)) {
    const path = join(FOLDER, name);
    if (!current.has(name) && Date.now() - statSync(path).mtimeMs > DAY_MS) rmSync(path, { force: true });
  }
}
