/** Compiled code that others could have put there is never run, because it would have the keys. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../store/stored-batch.ts";
import { BUNDLED_PROGRAM } from "./program.ts";

test("it is kept in the user's own folder, and nowhere without one", () => {
  const folder = temporaryFolder();
  const [temporary, home] = [join(folder, "tmp"), join(folder, "home")];
  mkdirSync(temporary);
  const run = (variables: Record<string, string>) =>
    execFileSync(process.execPath, [BUNDLED_PROGRAM, "--version"], {
      env: { TMPDIR: temporary, ...variables },
    });
  run({ HOME: home });
  expect(readdirSync(join(home, ".cache", "paydrop"))).not.toEqual([]);
  run({ HOME: home, XDG_CACHE_HOME: join(folder, "cache") });
  expect(existsSync(join(folder, "cache", "paydrop"))).toBe(true);
  run({});
  run({ HOME: BUNDLED_PROGRAM });
  expect(readdirSync(temporary)).toEqual([]);
});
