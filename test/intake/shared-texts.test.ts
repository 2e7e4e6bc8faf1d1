import fc from "fast-check";
import { expect, test } from "vitest";
import { DEFAULT_FILE_LIMITS as LIMITS } from "../../src/intake/index.ts";
import { openArchive } from "../../src/intake/xlsx/archive.ts";
import { readSharedStrings } from "../../src/intake/xlsx/shared-strings.ts";
import { SharedTexts } from "../../src/intake/xlsx/shared-texts.ts";
import { fileOf, refusal } from "./reading.ts";
import { zip } from "./zip-writer.ts";

test("every text comes out as it went in, knows whether it is blank, and is shown only where it was", () => {
  const texts = fc.array(
    fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("", " ", "\u00a0\n", "\ufeff", "\u0000")),
  );
  fc.assert(
    fc.property(texts, (written) => {
      const shared = sharedOf(written);
      const shown = written.map((_, index) => index % 3 === 0);
      for (const [index, isShown] of shown.entries()) if (isShown) shared.setShown(index);
      expect(written.map((_, index) => shared.at(index))).toEqual(written);
      expect(written.map((_, index) => shared.isBlank(index))).toEqual(
        written.map((text) => text.trim() === ""),
      );
      expect(written.map((_, index) => shared.isShown(index))).toEqual(shown);
      shared.forgetShown();
      expect(written.some((_, index) => shared.isShown(index))).toBe(false);
      expect([shared.at(-1), shared.at(written.length)]).toEqual([undefined, undefined]);
    }),
  );
});

test("keeps ten thousand texts apart", () => {
  const written = Array.from({ length: 10_000 }, (_, index) => `text ${index}`);
  const shared = sharedOf(written);
  expect(written.map((_, index) => shared.at(index))).toEqual(written);
});

test("does not cut a text off that has no room left", () => {
  const shared = new SharedTexts(5);
  shared.add("12");
  expect(() => shared.add("\u20ac2")).toThrow(RangeError);
  shared.add("\u20ac");
  expect([shared.at(0), shared.at(1)]).toEqual(["12", "\u20ac"]);
});

test("reads a table in UTF-16 whose texts take more bytes as UTF-8", async () => {
  const text = "\u4e00".repeat(40_000);
  const data = Buffer.from(`\ufeff<sst><si><t>${text}</t></si></sst>`, "utf16le");
  const archive = await openArchive(fileOf(zip([{ name: "texts.xml", data }])), LIMITS);
  expect((await readSharedStrings(archive, "texts.xml", [])).at(0)).toBe(text);
  archive.close();
});

test("takes no memory for a table that is above its limit", async () => {
  const data = Buffer.from(`<sst>${"<si><t>12345678</t></si>".repeat(1000)}</sst>`);
  const limits = { ...LIMITS, sharedStringsBytesMax: 1000 };
  const archive = await openArchive(fileOf(zip([{ name: "texts.xml", data }])), limits);
  expect(await refusal(readSharedStrings(archive, "texts.xml", []))).toMatchObject({
    code: "FILE_TOO_LARGE",
  });
  archive.close();
});

function sharedOf(texts: readonly string[]): SharedTexts {
  const shared = new SharedTexts(Buffer.byteLength(texts.join("")));
  for (const text of texts) shared.add(text);
  return shared;
}
