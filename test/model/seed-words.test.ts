import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { seedWords } from "../../src/model/seed-words.ts";

test("the word list of seed phrases is that of BIP-39, to the letter", () => {
  const file = seedWords.map((word) => `${word}\n`).join("");
  // Of bip-0039/english.txt in bitcoin/bips.
  const published = "2f5eed53a4727b4bf8880d8f3f199efc90e58503646d9ff8eff3a2ed3b24dbda";
  expect(createHash("sha256").update(file).digest("hex")).toBe(published);
});
