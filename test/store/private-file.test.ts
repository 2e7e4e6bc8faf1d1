/** Who may open the files of a database: those made by Paydrop, and what is found open to anybody. */
import { chmodSync, chownSync, closeSync, mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makePrivately, openBeside, openToAnybody } from "../../src/store/engines/private-file.ts";
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

test.each([
  { folder: 0o2770, mask: 0o022, mode: "660" },
  { folder: 0o2770, mask: 0o077, mode: "660" },
  { folder: 0o2750, mask: 0o022, mode: "640" },
  { folder: 0o770, mask: 0o022, mode: "640" },
])(
  "a database in a folder of mode $folder under the umask $mask is made with the mode $mode, as are those beside it",
  ({ folder: folderMode, mask, mode }) => {
    const folder = temporaryFolder();
    chmodSync(folder, folderMode);
    const path = join(folder, "paydrop");
    const before = process.umask(mask);
    onTestFinished(() => void process.umask(before));
    makePrivately(path);
    // Somebody with another umask takes the first lane.
    process.umask(0o077);
    closeSync(openBeside(path, `${path}.lane-1`, "a"));
    for (const file of [path, `${path}.lane-1`])
      expect([file, (statSync(file).mode & 0o777).toString(8)]).toEqual([file, mode]);
  },
);

test.runIf(process.geteuid?.() === 0)(
  "what root makes belongs to the owner of the database, or of its folder",
  () => {
    const path = databaseIn(temporaryFolder());
    const folder = dirname(path);
    chownSync(path, 12345, 12346);
    chownSync(folder, 12347, 12348);
    closeSync(openBeside(path, `${path}.lane-2`, "a"));
    closeSync(openBeside(undefined, join(folder, "server"), "a"));
    expect(statSync(`${path}.lane-2`)).toMatchObject({ uid: 12345, gid: 12346 });
    expect(statSync(join(folder, "server"))).toMatchObject({ uid: 12347, gid: 12348 });
  },
);
