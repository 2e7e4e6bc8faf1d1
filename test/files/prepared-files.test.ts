/** The files that judge the reader are those that their scripts and manifests describe. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { HEADINGS } from "./headings/headings.ts";
import { csvOf, meantBy } from "./headings/rows.ts";
import { HONEST_FOLDER, honestFiles } from "./honest/manifest.ts";
import { WRONG_PAYMENTS } from "./wrong-payments/cases.ts";

test("sixty heading rows in eight languages, twenty with names that no table has, each over five payments", () => {
  expect(HEADINGS).toHaveLength(60);
  expect(new Set(HEADINGS.map(({ language }) => language)).size).toBe(8);
  expect(HEADINGS.filter(({ isOdd }) => isOdd)).toHaveLength(20);
  const files = HEADINGS.map(csvOf);
  expect(new Set(files).size).toBe(60);
  for (const payment of HEADINGS.flatMap(meantBy))
    expect(payment).toEqual({
      reference: expect.stringMatching(/^INV-/),
      destination: expect.stringMatching(/^(bc1|1|3)/),
      amount: expect.stringMatching(/^0\.\d{5}$/),
    });
});

test("thirty honest files, at least twenty-seven of them without a question", () => {
  const files = honestFiles();
  expect(files.map(({ file }) => file).toSorted()).toEqual(readdirSync(HONEST_FOLDER).toSorted());
  expect(files).toHaveLength(30);
  expect(files.filter(({ question }) => question === undefined).length).toBeGreaterThanOrEqual(27);
  for (const { file, payments } of files) {
    expect(payments.length, file).toBeGreaterThanOrEqual(20);
    expect(new Set(payments.map(([, reference]) => reference)).size, file).toBe(payments.length);
  }
});

test("each file that would pay the wrong thing is what its case makes", () => {
  const folder = join(import.meta.dirname, "wrong-payments/files");
  expect(readdirSync(folder).toSorted()).toEqual(WRONG_PAYMENTS.map(({ file }) => file).toSorted());
  for (const { file, bytes } of WRONG_PAYMENTS)
    expect(readFileSync(join(folder, file)).equals(Buffer.from(bytes())), file).toBe(true);
});
