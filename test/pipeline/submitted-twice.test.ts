import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { statusOfBatches, submitFile } from "../../src/index.ts";
import { openPlace } from "./workplace.ts";

test("a file that is taken in twice at the same time is one batch, and the late one answers with it", async () => {
  const { folder, workplace } = openPlace();
  const file = join(folder, "payouts.csv");
  const reports = await Promise.all(["ann", "bob"].map((person) => submitFile(workplace, file, person)));
  expect(reports.map(({ verdict }) => verdict).toSorted()).toEqual(["accepted", "rejected"]);
  const late = reports.find(({ verdict }) => verdict === "rejected");
  expect(late?.problems.map(({ code }) => code)).toEqual(["FILE_ALREADY_KNOWN"]);
  expect(readdirSync(join(folder, "outbox")).some((name) => name.includes("rejected"))).toBe(false);

  expect(await statusOfBatches(workplace)).toHaveLength(1);
  const again = await submitFile(workplace, file, "cat");
  expect(again.problems.map(({ code }) => code)).toEqual(["FILE_ALREADY_KNOWN"]);
});
