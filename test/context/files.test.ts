import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import {
  Draft,
  inTemporaryFolder,
  makeFolder,
  removeUnfinished,
  UNFINISHED_PREFIX,
  useModes,
  writeOnce,
  writeWhole,
} from "../../src/context/files.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "paydrop-files-"));
});
afterEach(() => rm(folder, { recursive: true }));

describe.skipIf(process.platform === "win32")("what is written for others", () => {
  const modeOf = async (...path: string[]) => ((await stat(join(folder, ...path))).mode & 0o7777).toString(8);
  afterEach(() => useModes({ file: 0o640, folder: 0o750 }));

  test.each([0o000, 0o022, 0o077])(
    "is its owner's and its group's, also under the umask %o",
    async (mask) => {
      const before = process.umask(mask);
      onTestFinished(() => void process.umask(before));
      await makeFolder(join(folder, "2026", "11"));
      await writeWhole(join(folder, "whole.csv"), async (path) => {
        expect(((await stat(path)).mode & 0o777).toString(8)).toBe("600");
        await writeFile(path, "a");
      });
      await writeOnce(join(folder, "once.csv"), (path) => writeFile(path, "a"));
      const draft = new Draft(join(folder, "draft.csv"));
      await draft.append(Buffer.from("a"));
      await draft.place();
      for (const name of ["whole.csv", "once.csv", "draft.csv"]) expect(await modeOf(name)).toBe("640");
      expect([await modeOf("2026"), await modeOf("2026", "11")]).toEqual(["750", "750"]);
    },
  );

  test("has the modes that are asked for, and a folder that is there keeps its own", async () => {
    useModes({ file: 0o600, folder: 0o2770 });
    await mkdir(join(folder, "kept"), { mode: 0o700 });
    await makeFolder(join(folder, "kept", "made"));
    await writeWhole(join(folder, "a.csv"), (path) => writeFile(path, "a"));
    expect([await modeOf("a.csv"), await modeOf("kept"), await modeOf("kept", "made")]).toEqual([
      "600",
      "700",
      "2770",
    ]);
  });
});

describe("writeWhole", () => {
  test("does not show the file under its name before it is whole", async () => {
    const path = join(folder, "a.csv");
    await writeWhole(path, async (temporaryPath) => {
      await writeFile(temporaryPath, "half");
      const [onlyName, ...others] = await readdir(folder);
      expect(others).toEqual([]);
      expect(onlyName?.startsWith(UNFINISHED_PREFIX)).toBe(true);
      await writeFile(temporaryPath, "whole");
    });
    expect(await readdir(folder)).toEqual(["a.csv"]);
    expect(await readFile(path, "utf8")).toBe("whole");
  });

  test("does not touch the older file when writing fails, and leaves nothing behind", async () => {
    const path = join(folder, "a.csv");
    await writeFile(path, "older");
    const failing = writeWhole(path, async (temporaryPath) => {
      await writeFile(temporaryPath, "half");
      throw new RangeError("a mistake of ours");
    });
    await expect(failing).rejects.toThrow(RangeError);
    expect(await readdir(folder)).toEqual(["a.csv"]);
    expect(await readFile(path, "utf8")).toBe("older");
  });

  test("takes a file name as long as the file system allows", async () => {
    const path = join(folder, "n".repeat(255));
    await writeWhole(path, (temporaryPath) => writeFile(temporaryPath, "x"));
    expect(existsSync(path)).toBe(true);
  });

  // Linux's /dev/full behaves like a full disk on every write.
  test.runIf(existsSync("/dev/full"))("says that the disk is full", async () => {
    const path = join(folder, "a.csv");
    await expect(writeWhole(path, () => writeFile("/dev/full", "x"))).rejects.toMatchObject({
      problem: { code: "OUTPUT_UNWRITABLE", message: `${path} cannot be written: the disk is full` },
    });
  });

  test("says that a folder has the name already", async () => {
    await expect(writeWhole(folder, (temporaryPath) => writeFile(temporaryPath, "x"))).rejects.toMatchObject({
      problem: { code: "OUTPUT_UNWRITABLE" },
    });
  });
});

describe("writeOnce", () => {
  test("leaves a file that is there under those who read it, and nothing beside it", async () => {
    const path = join(folder, "a.csv");
    await writeOnce(path, (temporaryPath) => writeFile(temporaryPath, "first"));
    const { ino } = await stat(path);
    await writeOnce(path, (temporaryPath) => writeFile(temporaryPath, "second"));
    expect((await stat(path)).ino).toBe(ino);
    expect(await readFile(path, "utf8")).toBe("first");
    expect(await readdir(folder)).toEqual(["a.csv"]);
  });
});

describe("what a process that died left half written", () => {
  const OURS = `${UNFINISHED_PREFIX}0b0f7e0c-2f0d-4a57-9a39-a63cf2a1d7a4.part`;

  async function left(name: string, minutesAgo: number): Promise<void> {
    await writeFile(join(folder, name), "half");
    const changedAt = new Date(Date.now() - minutesAgo * 60_000);
    await utimes(join(folder, name), changedAt, changedAt);
  }

  test("goes, also from the folders below", async () => {
    await mkdir(join(folder, "acme"));
    await left(OURS, 2 * 24 * 60 + 1);
    await left(join("acme", OURS), 2 * 24 * 60 + 1);
    await removeUnfinished(folder, Date.now());
    expect(await readdir(folder, { recursive: true })).toEqual(["acme"]);
  });

  test("stays while somebody may still be writing it, by the clock of a file server that is wrong, and so does everything that is not ours", async () => {
    const others = [".paydrop-notes.part", "payroll.part", `${OURS}.csv`, `x${OURS}`];
    for (const name of others) await left(name, 100_000);
    await left(OURS, 26 * 60);
    await removeUnfinished(folder, Date.now());
    expect((await readdir(folder)).toSorted()).toEqual([...others, OURS].toSorted());
  });
});

test("a folder for temporary files that is not there is named", async () => {
  vi.stubEnv("TMPDIR", join(folder, "nowhere"));
  onTestFinished(() => void vi.unstubAllEnvs());
  await expect(inTemporaryFolder("look", () => Promise.resolve())).rejects.toMatchObject({
    problem: { code: "OUTPUT_UNWRITABLE", message: expect.stringContaining(join(folder, "nowhere")) },
  });
});
