/** Completion as bash performs it at a terminal, by the Tab key. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { hasTerminals } from "./at-terminal.ts";
import { emptyFolder, paydrop } from "./program.ts";

async function scriptFor(shell: string): Promise<string> {
  const { stdout, stderr, exitCode } = await paydrop(await emptyFolder(), ["completion", shell]);
  expect([exitCode, stderr]).toEqual([0, ""]);
  return stdout;
}

const bashScript = scriptFor("bash");

/** Types a line into an interactive bash, Tab keys included; returns the words that the command gets. */
async function typed(line: string): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "typed-"));
  writeFileSync(join(folder, "completion"), await bashScript);
  writeFileSync(join(folder, "payouts.csv"), "");
  // A function in place of the program prints the words it was called with.
  writeFileSync(join(folder, "rc"), `source completion\npaydrop() { printf 'word<%s>\\n' "$@"; }\n`);
  const terminal = spawn("script", ["-qec", "bash --noprofile --rcfile rc -i", "/dev/null"], {
    cwd: folder,
    stdio: ["pipe", "pipe", "inherit"],
    env: { PATH: process.env["PATH"], TERM: "dumb", HOME: folder },
  });
  const shown = text(terminal.stdout);
  terminal.stdin.write(`${line}\nexit\n`);
  await once(terminal, "exit");
  return [...(await shown).matchAll(/^word<(.*)>\r?$/gm)].map(([, word = ""]) => word);
}

test("the line that the help gives for bash works in an empty home folder", async () => {
  const home = await emptyFolder();
  const { stdout } = await paydrop(home, ["completion", "--help"]);
  const [, line = ""] = /^bash: +(.*)$/m.exec(stdout) ?? [];
  const script = `paydrop() { echo "$@"; }\n${line}`;
  const { status, stderr } = spawnSync("bash", ["-c", script], {
    env: { PATH: process.env["PATH"], HOME: home },
  });
  expect([status, String(stderr)]).toEqual([0, ""]);
  const written = join(home, ".local/share/bash-completion/completions/paydrop");
  expect(readFileSync(written, "utf8")).toBe("completion bash\n");
});

test.runIf(hasTerminals).each([
  ["paydrop led\tche\t", ["ledger", "check-chart"]],
  ["paydrop ledger export --aga\t", ["ledger", "export", "--again"]],
  ["paydrop --config ledger ledger rem\t", ["--config", "ledger", "ledger", "remap"]],
  ["paydrop sandbox --nonce-rule incr\t", ["sandbox", "--nonce-rule", "increasing"]],
  ["paydrop sandbox --nonce-rule unique --rand\t", ["sandbox", "--nonce-rule", "unique", "--random-seed"]],
  ["paydrop completion zs\t", ["completion", "zsh"]],
  ["paydrop validate pay\t", ["validate", "payouts.csv"]],
  ["paydrop status --no-c\t", ["status", "--no-color"]],
])("Tab completes %j in bash", async (line, words) => {
  expect(await typed(line)).toEqual(words);
});

test("every command that the help shows is completed, and no other", async () => {
  const { stdout } = await paydrop(await emptyFolder(), ["--help"]);
  const shown = [...stdout.matchAll(/^ {2}([a-z]+)\b(?:\|[a-z]+)? .*/gm)].map(([, name = ""]) => name);
  expect(shown.length).toBeGreaterThan(30);
  const ask = `COMP_WORDS=(paydrop ''); COMP_CWORD=1; _paydrop; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout: offered } = spawnSync("bash", ["-c", `${await bashScript}${ask}`], { encoding: "utf8" });
  expect(offered.trim().split("\n").sort()).toEqual(shown.sort());
});

test("the script for each shell names the same commands and options", async () => {
  const flags = (script: string) => new Set(script.match(/(?<=[' ])--[a-z-]+(?=[':\\ ])/g));
  const [bash, zsh, fish] = await Promise.all(["bash", "zsh", "fish"].map(scriptFor));
  expect(flags(bash ?? "").size).toBeGreaterThan(60);
  expect(flags(zsh ?? "")).toEqual(flags(bash ?? ""));
  expect(flags(fish ?? "")).toEqual(flags(bash ?? ""));
});
