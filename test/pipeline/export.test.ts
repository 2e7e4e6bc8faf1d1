/** Export batches: a number is issued once, with the files that were written for it, however many machines issue at the same time. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openWorkplace, stderrLog } from "../../src/index.ts";
import { exportStep } from "../../src/pipeline/export-step.ts";
import { insertEntries } from "../../src/store/ledger-entries.ts";
import { deposits, payouts } from "../ledger/golden-books.ts";
import { book } from "../ledger/movements.ts";
import { openPlace } from "./workplace.ts";

const { entries } = book({ payouts, deposits });
const AT = "2026-11-21T02:30:00.000Z";

async function placeWithEntries() {
  const place = openPlace();
  await place.workplace.store.write(() => insertEntries(entries.slice(0, 2), AT));
  const other = openWorkplace(join(place.folder, "paydrop.yaml"), place.environment, stderrLog("silent"));
  onTestFinished(() => other.close());
  return { ...place, other };
}

test("while one is being issued nobody else begins, and no file of another one appears", async () => {
  const { workplace, other, folder } = await placeWithEntries();
  const lane = await other.store.takeLane("ledger-export", 0);
  await expect(exportStep(workplace)).rejects.toMatchObject({ problem: { code: "EXPORT_UNDER_WAY" } });
  expect(readdirSync(folder)).not.toContain("ledger");
  await lane.release();
  expect(await exportStep(workplace)).toMatchObject({ number: 1, entries: 2 });
});

test("what is posted meanwhile goes into the next one, and no entry into two", async () => {
  const { workplace, other, folder } = await placeWithEntries();
  const both = await Promise.allSettled([exportStep(workplace), exportStep(other)]);
  const issued = both.flatMap((one) => (one.status === "fulfilled" ? (one.value ?? []) : []));
  expect(issued).toMatchObject([{ number: 1, entries: 2 }]);
  await other.store.write(() => insertEntries(entries.slice(0, 3), AT));
  expect(await exportStep(other)).toMatchObject({ number: 2, entries: 1 });
  expect(await exportStep(workplace)).toBeUndefined();
  expect(readdirSync(join(folder, "ledger")).filter((name) => name.endsWith("journal.csv"))).toEqual([
    "000001-journal.csv",
    "000002-journal.csv",
  ]);
});
