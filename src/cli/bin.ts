#!/usr/bin/env node
/** The executable. It checks Node's version before anything newer than this file is loaded. */
import module from "node:module";

const [major = 0, minor = 0] = process.versions.node.split(".").map((part) => Number.parseInt(part, 10));
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(
    `paydrop: this is Node ${process.versions.node}, and Paydrop needs 22.19 or later; inside its own folder, \`npx paydrop\` brings one.\n`,
  );
  process.exitCode = 2;
} else {
  // Most of a short command's time is compiling the modules; the second start of a version finds them compiled.
  module.enableCompileCache();
  const { main } = await import("./main.ts");
  process.exitCode = await main(process.argv.slice(2), process.env);
}
