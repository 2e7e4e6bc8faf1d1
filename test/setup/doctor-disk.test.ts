/** A disk is reported before it is full: of bytes, or of files. */
import { expect, test } from "vitest";
import { roomOn } from "../../src/setup/doctor/place-checks.ts";

const disk = { bavail: 1_000_000, bsize: 4096, files: 1_000_000, ffree: 500_000 };

test.each([
  ["with room", {}, "4096 MB", true],
  ["with room for 40 MB", { bavail: 10_000 }, "40 MB", false],
  ["with room and no files left", { ffree: 3 }, "room for 3 more files", false],
  ["that knows no limit of files", { files: 0, ffree: 0 }, "4096 MB", true],
])("a disk %s", (_what, found, left, isEnough) => {
  expect(roomOn({ ...disk, ...found })).toEqual({ left, isEnough });
});
