/** A stop order that somebody wrote by hand is shown without what controls a terminal, as text and as JSON. */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { paydropInTurn } from "./paydrop-in-turn.ts";
import { SANDBOX_SECRETS, workFolder } from "./program.ts";

const ORDER = "an \u001b]0;audit\u0007\u009b31m \u202eend\r\nPayments go out again.";

test.each([[[]], [["--json"]]])("lifted by `go` %j", async (options) => {
  const folder = await workFolder();
  writeFileSync(join(folder, "paydrop.sqlite.stop"), ORDER);
  const { stdout } = await paydropInTurn(folder, ["go", "--by", "tess", "--reason", "done", ...options]);
  expect(stdout).not.toMatch(/(?!\n)[\p{Cc}\p{Bidi_Control}]/u);
  if (options.length > 0) expect(JSON.parse(stdout)).toMatchObject({ lifted: ORDER });
  else expect(stdout.trim().split("\n")).toHaveLength(1);
});

test("is told by `pay`, which then needs a person, also where nothing is due", async () => {
  const folder = await workFolder();
  writeFileSync(join(folder, "paydrop.sqlite.stop"), "the bank called");
  for (const options of [[], ["--json"]]) {
    const { exitCode, stdout } = await paydropInTurn(folder, ["pay", ...options], SANDBOX_SECRETS);
    expect(stdout).toContain("the bank called");
    expect(exitCode).toBe(4);
  }
  await paydropInTurn(folder, ["go", "--by", "tess", "--reason", "all is well"]);
  expect(await paydropInTurn(folder, ["pay"], SANDBOX_SECRETS)).toMatchObject({ exitCode: 0 });
});

test("a pipe in its place is an order as well, and keeps nobody waiting", async () => {
  const folder = await workFolder();
  execFileSync("mkfifo", [join(folder, "paydrop.sqlite.stop")]);
  const { stdout } = await paydropInTurn(folder, ["status", "--json"]);
  expect(JSON.parse(stdout)).toMatchObject({ overview: { stopOrder: expect.any(String) } });
});
