/** Every stop order is in force until a person with the right has signed a `go`; and its text is shown safely. */
import { execFileSync } from "node:child_process";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, test } from "vitest";
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

const STOPPED = { exitCode: 4, stdout: expect.stringContaining("A stop order is in force") };

describe("whoever removes the file of a stop order lifts nothing:", () => {
  test("one that was given by `stop`", async () => {
    const folder = await workFolder();
    const file = join(folder, "paydrop.sqlite.stop");
    await paydropInTurn(folder, ["stop", "--by", "anybody", "--reason", "the key has leaked"]);
    rmSync(file);
    expect(await paydropInTurn(folder, ["pay"], SANDBOX_SECRETS)).toMatchObject(STOPPED);
    await paydropInTurn(folder, ["go", "--by", "tess", "--reason", "a new key"]);
    expect(await paydropInTurn(folder, ["pay"], SANDBOX_SECRETS)).toMatchObject({ exitCode: 0 });
  });

  test("one that was written by hand, as soon as a run has seen it", async () => {
    const folder = await workFolder();
    const file = join(folder, "paydrop.sqlite.stop");
    writeFileSync(file, "the bank called");
    await paydropInTurn(folder, ["pay"], SANDBOX_SECRETS);
    rmSync(file);
    const { exitCode, stdout } = await paydropInTurn(folder, ["pay"], SANDBOX_SECRETS);
    expect({ exitCode, stdout }).toMatchObject({
      exitCode: 4,
      stdout: expect.stringContaining("the bank called"),
    });
    await paydropInTurn(folder, ["go", "--by", "tess", "--reason", "all is well"]);
    expect(await paydropInTurn(folder, ["pay"], SANDBOX_SECRETS)).toMatchObject({ exitCode: 0 });
    writeFileSync(file, "the bank called");
    await paydropInTurn(folder, ["pay"], SANDBOX_SECRETS);
    rmSync(file);
    expect(await paydropInTurn(folder, ["pay"], SANDBOX_SECRETS)).toMatchObject(STOPPED);
  });

  test("nor does whoever takes it out of the database as well", async () => {
    const folder = await workFolder();
    await paydropInTurn(folder, ["stop", "--by", "anybody", "--reason", "the key has leaked"]);
    rmSync(join(folder, "paydrop.sqlite.stop"));
    const database = new Database(join(folder, "paydrop.sqlite"));
    database.exec("delete from stop_order");
    database.close();
    expect(await paydropInTurn(folder, ["pay"], SANDBOX_SECRETS)).toMatchObject(STOPPED);
    expect(await paydropInTurn(folder, ["status"])).toMatchObject(STOPPED);
  });
});

test("a stop works while somebody keeps the database locked, and goes into the record afterwards", async () => {
  const folder = await workFolder();
  await paydropInTurn(folder, ["submit", "payouts.csv", "--by", "ann"]);
  const database = new Database(join(folder, "paydrop.sqlite"));
  database.exec("begin immediate");
  const { exitCode, stdout } = await paydropInTurn(folder, ["stop", "--by", "ann", "--reason", "wait"]);
  expect({ exitCode, stdout }).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining("is in a file beside it"),
  });
  database.exec("rollback");
  database.close();
  await paydropInTurn(folder, ["pay"], SANDBOX_SECRETS);
  expect(existsSync(join(folder, "paydrop.sqlite.stop"))).toBe(true);
  rmSync(join(folder, "paydrop.sqlite.stop"));
  expect(await paydropInTurn(folder, ["pay"], SANDBOX_SECRETS)).toMatchObject(STOPPED);
});
