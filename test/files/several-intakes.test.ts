/** Several processes, or machines, take in files from one inbox at the same time. */
import { copyFileSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { intakeStep } from "../../src/index.ts";
import { openSite } from "../site/service.ts";

test("take each file in once, and none meets what another one has in hand", async () => {
  const { folder, openAgain } = await openSite();
  mkdirSync(join(folder, "inbox"));
  copyFileSync(join(folder, "payouts.csv"), join(folder, "inbox", "payouts.csv"));
  copyFileSync(join(folder, "broken.csv"), join(folder, "inbox", "broken.csv"));
  const reports = await Promise.all([openAgain(), openAgain(), openAgain()].map((each) => intakeStep(each)));
  expect(reports.flatMap(({ files }) => files.map(({ file }) => file)).toSorted()).toEqual([
    "broken.csv",
    "payouts.csv",
  ]);
  for (const { problems } of reports) for (const { code } of problems) expect(code).toBe("UNDER_WAY");
  expect(readdirSync(join(folder, "work"))).toEqual([]);
});
