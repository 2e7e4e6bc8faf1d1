/**
 * `npm run build`, before tsc writes the declarations: packs the program into a few files instead of seven hundred
 * modules, because finding and linking modules takes half of a short command's time. It takes in the packages that
 * short commands load; the others stay in their folders, with the native code and files that they read.
 */
import { chmodSync, cpSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { rolldown } from "rolldown";

/** The command, the library's two entries, and the worker thread. */
const ENTRIES = ["src/cli/bin", "src/index", "src/sandbox/index", "src/readers/xlsx/workbook-worker"];

/** Packages, or the scopes of several; the last is what the packing itself adds. */
const TAKEN_IN = new Set([
  ...["zod", "yaml", "commander", "otplib", "@otplib", "node-cron", "p-limit", "yocto-queue", "picocolors"],
  ...["string-width", "strip-ansi", "ansi-regex", "emoji-regex", "is-fullwidth-code-point"],
  ...["@noble", "@scure", "micro-packed", "@oxc-project"],
]);

/** Stands for the way from a file of `dist` to `dist`. */
const TO_DIST = "to-dist:";

const root = resolve(import.meta.dirname, "..");
process.chdir(root);
const bundle = await rolldown({
  input: Object.fromEntries(ENTRIES.map((name) => [name, `./${name}.ts`])),
  platform: "node",
  external: (id) => /^[@a-z]/.test(id) && !TAKEN_IN.has(id.replace(/\/.*/s, "")),
  plugins: [
    {
      // A module finds the files beside it by its own place, as if it had not been packed.
      name: "places",
      transform: {
        filter: { id: /\.ts$/, code: "import.meta.url" },
        handler: (code, path) => {
          const place = `${TO_DIST}${relative(root, path).replace(/\.ts$/, ".js")}`;
          return code.replaceAll("import.meta.url", `new URL("${place}", import.meta.url).href`);
        },
      },
      renderChunk: (code, { fileName }) => code.replaceAll(TO_DIST, `${relative(dirname(fileName), ".")}/`),
    },
  ],
});
await bundle.write({
  dir: "dist",
  entryFileNames: "[name].js",
  chunkFileNames: "chunks/[name].js",
  cleanDir: true,
});
await bundle.close();
chmodSync("dist/src/cli/bin.js", 0o755);
cpSync("src/desk/assets", "dist/src/desk/assets", { recursive: true });
