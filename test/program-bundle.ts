/**
 * The program as a few files instead of eight hundred modules, for tests that start it hundreds of times: finding
 * and linking the modules takes half of a short command's time. It is built from the same source, and `import.meta`
 * names the place of each original module. cli/executable.test.ts starts the source itself.
 */
import { readdirSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { rolldown } from "rolldown";

/** In the clone, and named by content, so that Node reuses the compiled code of an unchanged program. */
const FOLDER = fileURLToPath(new URL("../node_modules/.cache/paydrop-program", import.meta.url));

const SOURCE = fileURLToPath(new URL("../src/", import.meta.url));

/** Loaded from their own folders, because native code, or files that they read, are beside them. */
const BESIDE_OTHER_FILES = /^(better-sqlite3|pino|undici|fastify|@fastify\/|exceljs|pg|node-cron)\b/;

const DAY_MS = 86_400_000;

/** vitest calls it before the first worker starts. */
export default async function bundleProgram(): Promise<void> {
  const bundle = await rolldown({
    input: join(SOURCE, "cli/bin.ts"),
    platform: "node",
    external: (id) => id.startsWith("node:") || BESIDE_OTHER_FILES.test(id),
    plugins: [
      { name: "places", transform: { filter: { id: /\.ts$/, code: "import.meta" }, handler: placed } },
    ],
  });
  const names = { entryFileNames: "[name]-[hash].mjs", chunkFileNames: "[name]-[hash].mjs" };
  const { output } = await bundle.write({ dir: FOLDER, ...names });
  await bundle.close();
  removeOlder(new Set(output.map(({ fileName }) => fileName)));
  process.env["TEST_PROGRAM"] = join(FOLDER, output[0].fileName);
}

function placed(code: string, path: string): string {
  return code
    .replaceAll("import.meta.url", JSON.stringify(pathToFileURL(path).href))
    .replaceAll("import.meta.dirname", JSON.stringify(dirname(path)));
}

/** Another run in the same clone may still start files written a moment ago. */
function removeOlder(current: ReadonlySet<string>): void {
  for (const name of readdirSync(FOLDER)) {
    const path = join(FOLDER, name);
    if (!current.has(name) && Date.now() - statSync(path).mtimeMs > DAY_MS) rmSync(path, { force: true });
  }
}
