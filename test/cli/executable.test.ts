/** The executable as people start it: by its name, through the link that npm makes for it. */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { temporaryFolder } from "../store/stored-batch.ts";
import { PROGRAM } from "./program.ts";

/** Runs `paydrop --version` as npx does. The `node` that is found first runs the module `preload` before anything. */
function runByName(preload: string) {
  const folder = temporaryFolder();
  const write = (name: string, text: string) => {
    const path = join(folder, name);
    writeFileSync(path, text);
    chmodSync(path, 0o755);
    return path;
  };
  const [firstLine] = readFileSync(PROGRAM, "utf8").split("\n");
  const installed = write("bin.mjs", `${firstLine}\nawait import("${pathToFileURL(PROGRAM)}");\n`);
  const module = write("preload.mjs", preload);
  write("node", `#!/bin/sh\nexec "${process.execPath}" --import "${module}" "$@"\n`);
  const bin = join(folder, "node_modules", ".bin");
  mkdirSync(bin, { recursive: true });
  symlinkSync(installed, join(bin, "paydrop"));
  const env = { PATH: `${folder}:${process.env["PATH"]}`, HOME: folder };
  return spawnSync(join(bin, "paydrop"), ["--version"], { env, encoding: "utf8" });
}

test("started by its name, through a link, it gets the options that bound what is kept of unused objects", () => {
  const { status, stdout, stderr } = runByName('process.stderr.write(process.execArgv.join(" "));');
  expect([status, stdout.trim()]).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+$/)]);
  expect(stderr).toMatch(/--min-semi-space-size=4 --max-semi-space-size=4 --heap-growing-percent=40$/);
});

test("a Node that is too old is told which one is needed, however it was started", () => {
  const { status, stderr } = runByName(`
    Object.defineProperty(process.versions, "node", { value: "20.20.2" });`);
  expect([status, stderr]).toEqual([
    2,
    expect.stringContaining("this is Node 20.20.2, and Paydrop needs 22.19"),
  ]);
});

test("declaring the commands loads none of the rooms that carry them out", () => {
  const { stderr } = runByName(`
    import { registerHooks } from "node:module";
    registerHooks({ load: (url, context, next) => { process.stderr.write(url + "\\n"); return next(url, context); } });`);
  const loaded = stderr.split("\n").flatMap((url) => /\/src\/(\w+)\//.exec(url)?.[1] ?? []);
  expect([...new Set(loaded)].sort()).toEqual(["cli", "config", "faults", "model", "money", "wire"]);
});
