/** A folder copied with everything in it: the copy sends nothing and asks for a person; the original goes on. */
import { cpSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { paydropInTurn } from "./paydrop-in-turn.ts";
import { paydrop, SAMPLES, startSandboxProcess, workFolder } from "./program.ts";

test("a copied folder pays nothing and ends with 4, and the one it was copied from pays all", async () => {
  const folder = await workFolder();
  const sandbox = await startSandboxProcess(folder);
  const { stdout } = await paydropInTurn(folder, [
    "--json",
    "submit",
    join(SAMPLES, "payouts.xlsx"),
    "--by",
    "ann",
  ]);
  const approved = ["approve", JSON.parse(stdout).digest, "--by", "bob", "--accept-reading", "5"];
  await paydropInTurn(folder, approved, sandbox.variables);
  const copy = await workFolder();
  cpSync(folder, copy, { recursive: true });

  const copied = await paydrop(copy, ["pay"], sandbox.variables);
  expect(copied).toMatchObject({ exitCode: 4, stdout: "" });
  expect(copied.stderr).toMatch(/^DATABASE_COPIED\n/);
  expect(await sandbox.creations()).toEqual([]);

  expect(await paydropInTurn(folder, ["pay"], sandbox.variables)).toMatchObject({ exitCode: 0 });
  expect(await sandbox.creations()).toHaveLength(18);
  await sandbox.stop();
});
