/**
 * Private keys and seed phrases pasted where they do not belong, recognised by their looks: a broken checksum does not
 * make a key harmless. Addresses never match.
 */

/**
 * WIF (base58check of Bitcoin's versions 0x80 and 0xef, and of Litecoin's and Dogecoin's), BIP-32 extended private keys, BIP-38
 * encrypted keys.
 */
const BASE58_KEY =
  /(?<![A-Za-z0-9])(?:[569KLQTc][1-9A-HJ-NP-Za-km-z]{50,51}|[a-zA-Z]prv[1-9A-HJ-NP-Za-km-z]{47,}|6P[1-9A-HJ-NP-Za-km-z]{56})(?![A-Za-z0-9])/;

/** 32 bytes in hexadecimal, and the mini keys of physical coins (30, 26 or 22 characters after Casascius). */
const RAW_KEY =
  /(?<![A-Za-z0-9])(?:(?:0x)?[0-9a-fA-F]{64}|S[1-9A-HJ-NP-Za-km-z]{29}|S[1-9A-HJ-NP-Za-km-z]{25}|S[1-9A-HJ-NP-Za-km-z]{21})(?![A-Za-z0-9])/;

/** BIP-39: so many words of 3 to 8 letters. */
const SEED_LENGTHS: ReadonlySet<number> = new Set([12, 15, 18, 21, 24]);
const SEED_WORD = /^[a-z]{3,8}$/;

/** Words of sentences that are not in the list of BIP-39. */
const SENTENCE_WORDS: ReadonlySet<string> = new Set(
  "the and for from our with your per via plus was are has had not but its his her their were been".split(
    " ",
  ),
);

const INVISIBLE_OR_SPACE = /[\p{Cf}\p{Cc}\s]/gu;

/** Twelve words of three letters; an uncompressed WIF key has 51 characters. */
const KEY_LENGTH_MIN = 47;

/** Whether a text of any column holds what can only be a key (WIF, BIP-32, BIP-38) or a seed phrase (BIP-39). */
export function holdsPrivateKey(text: string): boolean {
  if (text.length < KEY_LENGTH_MIN) return false;
  if (BASE58_KEY.test(text) || BASE58_KEY.test(compact(text))) return true;
  const words = seedWords(text);
  return words !== undefined && !words.some((word) => SENTENCE_WORDS.has(word));
}

/** Whether a text that is no address is a key in any usual form: 64 hexadecimal digits may be one, and any seed phrase is. */
export function looksLikePrivateKey(text: string): boolean {
  if (holdsPrivateKey(text)) return true;
  return RAW_KEY.test(text) || RAW_KEY.test(compact(text)) || seedWords(text) !== undefined;
}

/** The words in small letters, whatever stands between them (commas, numbers); undefined where they are no seed phrase. */
function seedWords(text: string): string[] | undefined {
  if (text.length < KEY_LENGTH_MIN || text.length > SEED_TEXT_LENGTH_MAX) return undefined;
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  return SEED_LENGTHS.has(words.length) && words.every((word) => SEED_WORD.test(word)) ? words : undefined;
}

/** 24 words of 8 letters with a number and marks around each. */
const SEED_TEXT_LENGTH_MAX = 400;

function compact(text: string): string {
  return text.replace(INVISIBLE_OR_SPACE, "");
}
