/** A file that seems to hold a private key is kept aside for its owner alone, since the search can be wrong. */
import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listKeptAside, removeKeptAside } from "../../src/files/intake/kept-aside.ts";
import { intakeStep, submitFile } from "../../src/index.ts";
import { listAudit } from "../../src/store/audit.ts";
import { openPlace } from "../site/workplace.ts";

const ADDRESS = "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2";
const SEED = "legal winner thank year wave sausage worth useful legal winner thank yellow";
const TEXT = `reference,amount,destinationAddress,note\nKEY-1,0.05,${ADDRESS},${SEED}\n`;

test("the inbox's copy is kept unchanged outside the archive, readable by its owner, and named in answer and record", async () => {
  const { folder, workplace } = openPlace();
  await intakeStep(workplace); // makes the folders
  writeFileSync(join(folder, "inbox", "seed.csv"), TEXT);
  writeFileSync(join(folder, "inbox", "seed.totals.csv"), "Rows: 1\n");
  const { files } = await intakeStep(workplace);
  const [report] = files;
  const kept = report?.keptAside ?? "";
  expect(readFileSync(kept, "utf8")).toBe(TEXT);
  expect(statSync(kept).mode & 0o777).toBe(0o600);
  expect(statSync(join(kept, "..")).mode & 0o777).toBe(0o700);
  expect(readdirSync(join(kept, "..")).length).toBe(2);
  for (const other of ["inbox", "work", "archive"]) expect(readdirSync(join(folder, other))).toEqual([]);
  expect(readFileSync(join(folder, "outbox", "seed.rejected.csv.txt"), "utf8")).toContain(kept);
  const record = await workplace.store.read(() => listAudit([report?.sha256 ?? ""]));
  expect(record).toMatchObject([{ action: "keep aside", detail: { path: kept } }]);
});

test("a person removes it by name, with its totals file, and that is on record", async () => {
  const { folder, workplace } = openPlace();
  writeFileSync(join(folder, "seed.csv"), TEXT);
  writeFileSync(join(folder, "seed.totals.csv"), "Rows: 1\n");
  await submitFile(workplace, join(folder, "seed.csv"), "alice");
  const [kept] = await listKeptAside(workplace);
  await expect(removeKeptAside(workplace, ["seed.csv"], "bob")).rejects.toThrow("NAME_UNKNOWN");
  await removeKeptAside(workplace, [kept?.name ?? ""], "bob");
  expect(readdirSync(join(folder, "suspected"))).toEqual([]);
  const record = await workplace.store.read(() => listAudit([kept?.name ?? ""]));
  expect(record).toMatchObject([{ person: "bob", action: "remove what was kept aside" }]);
});

test("after 30 days the next intake removes it, and not a day earlier", async () => {
  const { folder, workplace } = openPlace();
  writeFileSync(join(folder, "seed.csv"), TEXT);
  const { keptAside = "" } = await submitFile(workplace, join(folder, "seed.csv"), "alice");
  const daysAgo = (days: number) => Date.parse(workplace.context.clock.now()) / 1000 - days * 86_400;
  utimesSync(keptAside, daysAgo(29), daysAgo(29));
  await intakeStep(workplace);
  expect(await listKeptAside(workplace)).toHaveLength(1);
  utimesSync(keptAside, daysAgo(31), daysAgo(31));
  await intakeStep(workplace);
  expect(readdirSync(join(folder, "suspected"))).toEqual([]);
});
