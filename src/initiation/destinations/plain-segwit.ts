/**
 * A fast path for the commonest segregated witness addresses, version 0 in lower case, in one pass over the characters:
 * a general decoder takes ten times as long, and a file may have half a million of them. Does not say what is wrong
 * with other texts.
 */

/** The state of a Bech32 checksum (BIP-173) after the prefix and its separator. */
export function checksumBehind(prefix: string): number {
  const letters = [...prefix].map((letter) => letter.charCodeAt(0));
  const words = [...letters.map((code) => code >> 5), 0, ...letters.map((code) => code & 31)];
  return words.reduce(checksumWith, 1);
}

/** The type of the address whose data begin at `start`; undefined if it is not an address of this kind. */
export function plainSegwitType(
  text: string,
  start: number,
  checksum: number,
): "P2WPKH" | "P2WSH" | undefined {
  const length = text.length - start;
  if (length !== P2WPKH_LENGTH && length !== P2WSH_LENGTH) return undefined;
  if (text.charCodeAt(start) !== VERSION_0) return undefined;
  let state = checksum;
  let paddingWord = 0;
  for (let index = start; index < text.length; index += 1) {
    const word = WORDS[text.charCodeAt(index)] ?? NO_WORD;
    if (word === NO_WORD) return undefined;
    if (index === text.length - CHECKSUM_LENGTH - 1) paddingWord = word;
    state = checksumWith(state, word);
  }
  if (state !== 1) return undefined;
  if (length === P2WPKH_LENGTH) return "P2WPKH";
  return (paddingWord & P2WSH_PADDING) === 0 ? "P2WSH" : undefined;
}

function checksumWith(state: number, word: number): number {
  return (((state & 0x1ffffff) << 5) ^ word ^ (FEEDBACK[state >>> 25] ?? 0)) >>> 0;
}

const CHECKSUM_LENGTH = 6;
/** The version, 20 or 32 bytes in five-bit words, and the checksum. */
const P2WPKH_LENGTH = 1 + 32 + CHECKSUM_LENGTH;
const P2WSH_LENGTH = 1 + 52 + CHECKSUM_LENGTH;
/** 52 words have four bits more than 32 bytes; these must be zero. */
const P2WSH_PADDING = 0b1111;

const ALPHABET = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
const VERSION_0 = ALPHABET.charCodeAt(0);
const NO_WORD = 0xff;
/** By character code. */
const WORDS = Uint8Array.from({ length: 128 }, (_, code) => {
  const word = ALPHABET.indexOf(String.fromCharCode(code));
  return word < 0 ? NO_WORD : word;
});

/** The generators selected by the five bits shifted out of the checksum. */
const GENERATORS = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];
const FEEDBACK = Uint32Array.from({ length: 32 }, (_, top) =>
  GENERATORS.reduce((sum, generator, bit) => ((top >> bit) & 1 ? sum ^ generator : sum), 0),
);
