/** A text as six words that two people compare by telephone: words of the BIP-39 list sound unlike each other. */
import { hash } from "node:crypto";
import { wordlist } from "@scure/bip39/wordlists/english.js";

const WORDS = 6;
/** The list has 2,048 words. */
const BITS_PER_WORD = 11n;

/** The first 66 bits of the text's SHA-256, for example "cactus velvet orbit lemon drift noble". */
export function spokenWords(text: string): string {
  const bits = BigInt(`0x${hash("sha256", text)}`);
  return Array.from({ length: WORDS }, (_, at) => {
    const index = (bits >> (256n - BITS_PER_WORD * BigInt(at + 1))) & (2n ** BITS_PER_WORD - 1n);
    return wordlist[Number(index)] ?? "";
  }).join(" ");
}
