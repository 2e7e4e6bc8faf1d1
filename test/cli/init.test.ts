/** `paydrop init` in an empty folder and in one that has a configuration, and the commands that work next. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { paydropInTurn } from "./paydrop-in-turn.ts";
import { emptyFolder, startSandboxProcess } from "./program.ts";

test("begins a folder whose gaps are named, by itself and by the next command", async () => {
  const folder = await emptyFolder();
  const begun = await paydropInTurn(folder, ["--config", "Löhne 2026/paydrop.yaml", "init"]);
  const next = await paydropInTurn(folder, ["--config", "Löhne 2026/paydrop.yaml", "status"]);
  expect([begun.exitCode, begun.stderr]).toEqual([0, ""]);
  expect(begun.stdout).toContain("service.baseUrl: an address that begins with https://");
  expect(readdirSync(join(folder, "Löhne 2026")).sort()).toEqual(
    [
      "archive",
      "chart-of-accounts.csv",
      "inbox",
      "ledger",
      "nights",
      "outbox",
      "paydrop.yaml",
      "work",
    ].sort(),
  );
  expect(next.exitCode).toBe(2);
  expect(next.stderr).toContain("`service.baseUrl`");
});

test("for the sandbox makes a trial with nothing to fill in, which the doctor finds right", async () => {
  const folder = await emptyFolder();
  const begun = await paydropInTurn(folder, ["--json", "init", "--sandbox"]);
  expect(JSON.parse(begun.stdout)).toMatchObject({ toFillIn: [] });
  expect((await paydropInTurn(folder, ["status"])).exitCode).toBe(0);
  const sandbox = await startSandboxProcess(folder);
  const { exitCode, stdout } = await paydropInTurn(folder, ["doctor"], sandbox.variables);
  expect(stdout).toMatch(/good {2}limits .*\n/);
  expect([exitCode, stdout.split("\n").at(-2)]).toEqual([0, "Everything is good."]);
  const unlimited = { ...sandbox.variables, PAYDROP_LIMITS: "{}" };
  expect((await paydropInTurn(folder, ["doctor"], unlimited)).exitCode).toBe(4);
  await sandbox.stop();
});

test("does not overwrite a configuration, nor a chart of accounts", async () => {
  const folder = await emptyFolder();
  mkdirSync(join(folder, "taken"));
  writeFileSync(join(folder, "taken", "paydrop.yaml"), "mine");
  writeFileSync(join(folder, "chart-of-accounts.csv"), "ours");
  const [refused, kept] = [
    await paydropInTurn(folder, ["--config", "taken/paydrop.yaml", "init"]),
    await paydropInTurn(folder, ["init"]),
  ];
  expect([refused.exitCode, refused.stderr.split("\n", 1)[0]]).toEqual([
    2,
    "OUTPUT_EXISTS in taken/paydrop.yaml",
  ]);
  expect(readdirSync(join(folder, "taken"))).toEqual(["paydrop.yaml"]);
  expect(readFileSync(join(folder, "taken", "paydrop.yaml"), "utf8")).toBe("mine");
  expect(kept.stdout).toMatch(/kept as it was: .*chart-of-accounts.csv/);
  expect(readFileSync(join(folder, "chart-of-accounts.csv"), "utf8")).toBe("ours");
});
