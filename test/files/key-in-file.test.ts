/** A key in a file that is not a table is found anywhere, for every width of characters. */
import { randomFillSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { DEFAULT_FILE_LIMITS, fileHoldsKey } from "../../src/readers/index.ts";

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
  // By chance it could begin like a tag of markup, whose names are not searched for words.
  bytes[0] = 0x80;
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

test("nor are the four sides of a cell's border, wherever chunks divide them", async () => {
  const side = (name: string) => `<${name} style="thin"><color auto="1"/></${name}>`;
  const border = `<border>${["left", "right", "top", "bottom"].map(side).join("")}<diagonal/></border>`;
  const styles = `<?xml version="1.0"?><styleSheet>${border.repeat(500)}`;
  for (const before of [0, 7, 33]) {
    expect(await holdsKey(Buffer.from(`${styles.slice(0, 5)}${" ".repeat(before)}${styles.slice(5)}`))).toBe(
      false,
    );
    for (const key of KEYS) {
      const around = styles.slice(0, CHUNK_BYTES - 40 - before);
      const cut = around.slice(0, around.lastIndexOf("<"));
      for (const typed of [
        `<x a="${key}"/>`,
        `<x a='${key}'/>`,
        `<t>${key}</t>`,
        `<!-- ${key} -->`,
        `<![CDATA[${key}]]>`,
      ])
        expect(await holdsKey(Buffer.from(`${cut}${typed}${border}`)), typed).toBe(true);
    }
  }
});

test("a long word takes no more time than other bytes", async () => {
  expect(await holdsKey(Buffer.alloc(64 * CHUNK_BYTES, "a"))).toBe(false);
});
