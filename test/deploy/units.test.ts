/** The systemd units, judged by systemd itself. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

const FOLDER = "deploy/systemd";
const UNITS = readdirSync(FOLDER).map((name) => [name, join(FOLDER, name)] as const);

/** Node may be missing where systemd looks for programs, so the unit names this process's own. */
function judged(path: string): { readonly status: number | null; readonly said: string } {
  const copy = join(mkdtempSync(join(tmpdir(), "unit-")), path.split("/").at(-1) ?? "");
  writeFileSync(copy, readFileSync(path, "utf8").replace("/usr/bin/node", process.execPath));
  const { status, stdout, stderr } = spawnSync("systemd-analyze", ["verify", copy], { encoding: "utf8" });
  return { status, said: stdout + stderr };
}

test.each(UNITS)("systemd takes %s without a warning", (_name, path) => {
  expect(judged(path)).toEqual({ status: 0, said: "" });
});

test("a unit with a mistake does not pass", () => {
  const path = join(mkdtempSync(join(tmpdir(), "unit-")), "paydrop.service");
  writeFileSync(
    path,
    readFileSync(join(FOLDER, "paydrop.service"), "utf8").replace("RestartSec=5", "RestartSecs=5"),
  );
  expect(judged(path).said).toContain("Unknown key 'RestartSecs'");
});

test.each(UNITS)("%s leaves little exposed, by systemd's own measure", (_name, path) => {
  const args = ["security", "--offline=yes", "--threshold=20", resolve(path)];
  const { status, stdout } = spawnSync("systemd-analyze", args, { encoding: "utf8" });
  expect([status, stdout.match(/Overall exposure level.*/)?.[0]]).toEqual([
    0,
    expect.stringMatching(/: [01]\.\d OK/),
  ]);
});

test.each(UNITS)("%s runs the program that the package installs, by the system's Node", (_name, path) => {
  const text = readFileSync(path, "utf8").replaceAll("\\\n", "");
  const [, node, options, program = ""] =
    /^ExecStart=(\S+) (.*\S) +\/opt\/paydrop\/node_modules\/paydrop\/(\S+) \w+$/m.exec(text) ?? [];
  const [, bounds] = /^#!.* node (.*)$/m.exec(readFileSync("src/cli/bin.ts", "utf8")) ?? [];
  expect([node, options]).toEqual(["/usr/bin/node", bounds]);
  expect(program).toBe(JSON.parse(readFileSync("package.json", "utf8")).bin.paydrop.replace("./", ""));
  expect(existsSync(program.replace("dist/", "").replace(".js", ".ts"))).toBe(true);
});
