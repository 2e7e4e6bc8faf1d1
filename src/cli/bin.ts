#!/usr/bin/env -S node --max-semi-space-size=8 --heap-growing-percent=60
/**
 * The executable. Checks Node's version before loading anything that needs a newer one. The options above bound
 * what V8 keeps of objects that nothing uses any more, half of all memory otherwise; set while running, they do
 * less.
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
  // Compiling the modules takes most of a short command's time; from the second start they are cached. Not in the
  // temporary folder, where Node would put them: whoever made the cache's folder there first decides what is run.
  const { HOME, XDG_CACHE_HOME = HOME && `${HOME}/.cache` } = process.env;
  if (XDG_CACHE_HOME) module.enableCompileCache(`${XDG_CACHE_HOME}/paydrop`);
  const { main } = await import("./main.ts");
  process.exitCode = await main(process.argv.slice(2), process.env);
}
