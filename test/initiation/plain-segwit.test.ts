/** The one-pass recognition of segregated witness addresses, compared with a general decoder. */
import { bech32, bech32m } from "@scure/base";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checksumBehind, plainSegwitType } from "../../src/initiation/destinations/plain-segwit.ts";

const PREFIXES = ["bc", "tb", "bcrt", "ltc", "tltc"];
const ALPHABET = [..."qpzry9x8gf2tvdw0s3jn54khce6mua7l"];

const version = fc.oneof({ arbitrary: fc.constant(0), weight: 3 }, fc.integer({ min: 1, max: 31 }));
const programBytes = fc.oneof(
  fc.constantFrom(20, 32).chain((size) => fc.uint8Array({ minLength: size, maxLength: size })),
  fc.uint8Array({ maxLength: 41 }),
);
/** In half of them the last word is arbitrary, so that padding bits are set. */
const words = fc
  .tuple(version, programBytes, fc.option(fc.integer({ min: 0, max: 31 })))
  .map(([first, bytes, last]) => {
    const program = bech32.toWords(bytes);
    return [first, ...(last === null ? program : [...program.slice(0, -1), last])];
  });
const address = fc
  .tuple(fc.constantFrom(...PREFIXES), words, fc.constantFrom(bech32, bech32m))
  .map(([prefix, data, code]) => ({ prefix, text: code.encode(prefix, data) }));

describe("an address of witness version 0 in small letters", () => {
  test("is recognised exactly where a general decoder finds one", () => {
    const found = { plain: 0, other: 0 };
    fc.assert(
      fc.property(address, ({ prefix, text }) => {
        const type = typeOf(text, prefix);
        found[type === undefined ? "other" : "plain"] += 1;
        expect(type).toBe(decodedType(text));
      }),
      { numRuns: 1000 },
    );
    expect(Math.min(found.plain, found.other)).toBeGreaterThan(50);
  });

  test("is not recognised with any one character changed, left out or added", () => {
    const good = address.filter(({ text }) => decodedType(text) !== undefined);
    const letter = fc.constantFrom(
      ...ALPHABET,
      ...ALPHABET.map((each) => each.toUpperCase()),
      "b",
      "1",
      "\u0142",
    );
    fc.assert(
      fc.property(good, fc.nat(), letter, fc.nat(2), ({ prefix, text }, place, other, removed) => {
        const at = prefix.length + 1 + (place % (text.length - prefix.length - 1));
        const changed =
          text.slice(0, at) + (removed === 2 ? "" : other) + text.slice(at + (removed === 0 ? 0 : 1));
        expect(typeOf(changed, prefix)).toBe(changed === text ? decodedType(text) : undefined);
      }),
      { numRuns: 500 },
    );
  });
});

function typeOf(text: string, prefix: string): string | undefined {
  return plainSegwitType(text, prefix.length + 1, checksumBehind(prefix));
}

/** BIP-173 by an independent library. */
function decodedType(text: string): string | undefined {
  const decoded = bech32.decodeUnsafe(text);
  if (decoded === undefined || decoded.words[0] !== 0 || text !== text.toLowerCase()) return undefined;
  const program = bech32.fromWordsUnsafe(decoded.words.slice(1));
  return program?.length === 20 ? "P2WPKH" : program?.length === 32 ? "P2WSH" : undefined;
}
