/** A disk that will soon take no more is named before it is full: of bytes, or of files. */
import { tmpdir } from "node:os";
import { expect, test, vi } from "vitest";
import type { Config } from "../../src/config/index.ts";
import { checkDisk } from "../../src/pipeline/doctor/place-checks.ts";

const disk = { bavail: 1_000_000, bsize: 4096, files: 1_000_000, ffree: 500_000 };
let changes: Partial<typeof disk> = {};

vi.mock("node:fs/promises", async (original) => ({
  ...(await original<typeof import("node:fs/promises")>()),
  statfs: async () => ({ ...disk, ...changes }),
}));

test.each<[string, Partial<typeof disk>, string | undefined]>([
  ["with room", {}, undefined],
  ["with room for 40 MB", { bavail: 10_000 }, "only 40 MB left"],
  ["with room and no files left", { ffree: 3 }, "only room for 3 more files left"],
  ["that knows no limit of files", { files: 0, ffree: 0 }, undefined],
])("a disk %s", async (_what, found, words) => {
  changes = found;
  const { isGood, problems } = await checkDisk({ databasePath: `${tmpdir()}/paydrop.sqlite` } as Config);
  expect(isGood).toBe(words === undefined);
  expect(problems.map(({ message }) => message).join()).toContain(words ?? "");
});
