#!/usr/bin/env -S node --min-semi-space-size=4 --max-semi-space-size=4 --heap-growing-percent=40
/**
 * The executable. Checks Node's version before it loads anything that needs a newer one. The options above make V8
 * free unused objects sooner; otherwise they take half of all memory. Set at run time, the options have less
 * effect.
 */
import module from "node:module";

const [major = 0, minor = 0] = process.versions.node.split(".").map((part) => Number.parseInt(part, 10));
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(
    `paydrop: this is Node ${process.versions.node}, and Paydrop needs 22.19 or later. ` +
      "Install Node 24, by your system's packages or from nodejs.org.\n" +
      "In a clone where `npm ci` has run, `npx paydrop` uses the one in its node_modules.\n",
  );
  process.exitCode = 2;
} else {
  // Compiling the modules takes most of a short command's time, so Node caches them. By default Node caches in the
  // temporary folder, where another user could create the cache first and so decide which code runs.
  const { HOME, XDG_CACHE_HOME = HOME && `${HOME}/.cache` } = process.env;
  if (XDG_CACHE_HOME) module.enableCompileCache(`${XDG_CACHE_HOME}/paydrop`);
  const { main } = await import("./main.ts");
  process.exitCode = await main(process.argv.slice(2), process.env);
}
