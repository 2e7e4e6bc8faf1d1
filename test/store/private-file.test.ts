/** Finds the files of a database that anybody on the machine may open. */
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { openToAnybody } from "../../src/store/engines/private-file.ts";
import { temporaryFolder } from "./stored-batch.ts";

function databaseIn(folder: string): string {
  for (const each of [tmpdir(), folder]) chmodSync(each, 0o711);
  const path = join(folder, "paydrop");
  for (const ending of ["", "-wal", ".lane-1", ".yaml", ".stop", "-copy"]) {
    writeFileSync(path + ending, "");
    chmodSync(path + ending, 0o644);
  }
  return path;
}

test("are those of the database itself, also behind a link, and not what lies beside it", () => {
  const path = databaseIn(temporaryFolder());
  const link = join(temporaryFolder(), "link");
  symlinkSync(path, link);
  for (const given of [path, link])
    expect(
      openToAnybody(given)
        .map((file) => basename(file))
        .sort(),
    ).toEqual(["paydrop", "paydrop-wal", "paydrop.lane-1"]);
});

test("are none where a folder above keeps others out", () => {
  const home = temporaryFolder();
  const folder = join(home, "payouts");
  mkdirSync(folder);
  const path = databaseIn(folder);
  chmodSync(home, 0o700);
  expect(openToAnybody(path)).toEqual([]);
  chmodSync(home, 0o711);
  expect(openToAnybody(path)).toHaveLength(3);
});
