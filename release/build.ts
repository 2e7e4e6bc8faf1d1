/** `npm run build`, before tsc writes the declarations: packs the program into `dist`. */
import { chmodSync, cpSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { pack } from "./pack.ts";

/** The command, the library's two entries, and the worker thread. */
const ENTRIES = ["src/cli/bin", "src/index", "src/sandbox/index", "src/readers/xlsx/workbook-worker"];

/** Stands for the way from a file of `dist` to `dist`. */
const TO_DIST = "to-dist:";

const root = resolve(import.meta.dirname, "..");
process.chdir(root);
await pack(
  Object.fromEntries(ENTRIES.map((name) => [name, `./${name}.ts`])),
  (path) => `new URL("${TO_DIST}${relative(root, path).replace(/\.ts$/, ".js")}", import.meta.url).href`,
  {
    dir: "dist",
    entryFileNames: "[name].js",
    chunkFileNames: "chunks/[name].js",
    cleanDir: true,
    // What most commands need is one file: each file takes a millisecond to find.
    codeSplitting: { groups: [{ name: "shared", minShareCount: 30 }] },
    plugins: [
      {
        name: "places-in-dist",
        renderChunk: (code, { fileName }) => code.replaceAll(TO_DIST, `${relative(dirname(fileName), ".")}/`),
      },
    ],
  },
);
chmodSync("dist/src/cli/bin.js", 0o755);
cpSync("src/desk/assets", "dist/src/desk/assets", { recursive: true });
