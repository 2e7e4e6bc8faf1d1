/** Files as many programs write them, each compared with the expectation beside it: corpus/README.md. */
import { readdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { sliceOf } from "../slice.ts";
import { type Expectation, readExpectation, seenIn } from "./corpus/corpus-reading.ts";

const FILES = join(import.meta.dirname, "corpus/files");
const FILE_BYTES_MAX = 20_000;

const names = readdirSync(FILES, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(basename(entry.parentPath), entry.name))
  .toSorted();
const files = names.filter((name) => !name.endsWith(".json"));

describe.each(Object.entries(Object.groupBy(files, dirname)))("%s", (_, ofProducer = []) => {
  test.each(sliceOf(ofProducer, 3))("reads %s as expected, or refuses it", async (name) => {
    const expectation = readExpectation(join(FILES, `${name}.json`));
    const seen = await seenIn(join(FILES, name), expectation);
    expect({ ...seen, refusal: { ...seen.refusal, says: expectation.refusal?.says } }).toEqual({
      reading: expectation.reading,
      refusal: { ...expectation.refusal, says: expectation.refusal?.says },
    });
    expect(seen.refusal?.says ?? "").toContain(expectation.refusal?.says ?? "");
  });
});

describe("the corpus", () => {
  test("has no file without an expectation, and no expectation without a file", () => {
    expect(names.filter((name) => name.endsWith(".json"))).toEqual(
      files.map((name) => `${name}.json`).toSorted(),
    );
  });

  test("is small, and by many producers", () => {
    for (const name of files) expect(statSync(join(FILES, name)).size, name).toBeLessThan(FILE_BYTES_MAX);
    expect(files.length).toBeGreaterThanOrEqual(60);
    const producers = new Set(files.map(dirname));
    for (const producer of ["excel", "libreoffice", "openpyxl", "gnumeric"])
      expect(producers).toContain(producer);
  });

  test.each<[string, (right: Expectation) => Expectation]>([
    ["another digit", (right) => changed(right, "5.4600000000000002E-6", "5.4600000000000001E-6")],
    ["another kind", (right) => changed(right, "number 0.3", "text 0.3")],
    ["another address", (right) => changed(right, "BC1Q".toLowerCase(), "bc1p")],
    ["a row too few", (right) => changed(right, '"line":4', '"line":5')],
  ])("does not take %s for what was expected", async (_, change) => {
    const path = join(FILES, "excel/shared-strings.xlsx");
    const right = readExpectation(`${path}.json`);
    const { reading } = await seenIn(path, right);
    expect(reading).toEqual(right.reading);
    expect(reading).not.toEqual(change(right).reading);
  });
});

function changed(expectation: Expectation, from: string, to: string): Expectation {
  const text = JSON.stringify(expectation);
  expect(text).toContain(from);
  return JSON.parse(text.replaceAll(from, to));
}
