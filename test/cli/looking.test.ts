/** Commands that only look leave the folder unchanged: no database, no anchor, and no files of SQLite. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { paydropInTurn } from "./paydrop-in-turn.ts";
import { workFolder } from "./program.ts";

const LOOKING: readonly (readonly string[])[] = [
  ["validate", "broken.csv"],
  ["status"],
  ["doubt"],
  ["explain", "PAY-2026-0001"],
  ["audit", "verify"],
  ["doctor"],
];

test("a folder without a database stays without one", async () => {
  const folder = await workFolder();
  const before = everything(folder);
  await Promise.all(LOOKING.map((args) => paydropInTurn(folder, args)));
  expect(everything(folder)).toEqual(before);
});

test("a folder with a database keeps every byte of it, and what is stored is seen", async () => {
  const folder = await workFolder();
  await paydropInTurn(folder, ["submit", "payouts.csv", "--by", "ann"]);
  const before = everything(folder);
  expect(Object.keys(before)).toContain("paydrop.sqlite");
  expect((await paydropInTurn(folder, ["status"])).stdout).toContain("payouts.csv");
  expect((await paydropInTurn(folder, ["validate", "payouts.csv"])).stdout).toContain("ROW_SENT_BEFORE");
  expect(everything(folder)).toEqual(before);
});

/** Every file and folder with its bytes and modification time. */
function everything(folder: string): Record<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return Object.fromEntries(
    paths.map((path) => {
      const found = statSync(join(folder, path));
      const content = found.isDirectory() ? "folder" : hashOf(join(folder, path));
      return [path, `${content} ${found.mtimeMs}`];
    }),
  );
}

function hashOf(path: string): string {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}
