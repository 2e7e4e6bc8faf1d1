/** A key in a file that is not a table is found anywhere, whatever the width of its characters. */
import { randomFillSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { DEFAULT_FILE_LIMITS, fileHoldsKey } from "../../src/intake/index.ts";

/** The example of Bitcoin's wiki, and BIP 39's first test vector. */
const KEYS = [
  "5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ",
  "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about",
];
const CHUNK_BYTES = 65_536;

function holdsKey(bytes: Buffer): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), "paydrop-keys-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "dropped.bin");
  writeFileSync(path, bytes);
  return fileHoldsKey(path, DEFAULT_FILE_LIMITS);
}

function bytesWith(key: Buffer, at: number): Buffer {
  const bytes = randomFillSync(Buffer.alloc(at + CHUNK_BYTES));
  return Buffer.concat([bytes.subarray(0, at), Buffer.of(0xff), key, Buffer.of(0xff), bytes.subarray(at)]);
}

test.each(KEYS)("among other bytes, at the end of a chunk and before it: %s", async (key) => {
  for (const text of [Buffer.from(key), Buffer.from(key, "utf16le"), Buffer.from(key, "utf16le").swap16()]) {
    for (const before of [0, 1, 5, 30, text.length - 1, 400])
      expect(await holdsKey(bytesWith(text, 4 * CHUNK_BYTES - before)), `${before} bytes before an end`).toBe(
        true,
      );
  }
});

test("bytes by chance are none", async () => {
  expect(await holdsKey(randomFillSync(Buffer.alloc(20 * CHUNK_BYTES)))).toBe(false);
});

test("nor are the names of elements and attributes, which in an OpenDocument file are twelve words of a seed phrase", async () => {
  const style =
    '<number:day number:style="long"/><number:text>/</number:text><number:month number:style="long"/><number:text>/</number:text><number:year/>';
  expect(await holdsKey(Buffer.from(style.repeat(3)))).toBe(false);
  for (const key of KEYS) {
    expect(await holdsKey(Buffer.from(`${style}<text:p>${key}</text:p>`))).toBe(true);
    expect(await holdsKey(Buffer.from(`${style}<text:p text:note="${key}"/>`))).toBe(true);
    expect(await holdsKey(Buffer.from(`the key is <${key}>`))).toBe(true);
  }
});

test("a long word takes no more time than other bytes", async () => {
  expect(await holdsKey(Buffer.alloc(64 * CHUNK_BYTES, "a"))).toBe(false);
});
