/**
 * Private keys and seed phrases pasted where they do not belong, recognised by their looks: a broken checksum does not
 * make a key harmless. Addresses never match.
 */

/** WIF (base58check of version 0x80 or 0xef), BIP-32 extended private keys, BIP-38 encrypted keys. */
const BASE58_KEY =
  /(?<![A-Za-z0-9])(?:[5KLc9][1-9A-HJ-NP-Za-km-z]{50,51}|[a-zA-Z]prv[1-9A-HJ-NP-Za-km-z]{47,}|6P[1-9A-HJ-NP-Za-km-z]{56})(?![A-Za-z0-9])/;

/** 32 bytes in hexadecimal, and the mini keys of physical coins (30, 26 or 22 characters after Casascius). */
const RAW_KEY =
  /(?<![A-Za-z0-9])(?:(?:0x)?[0-9a-fA-F]{64}|S[1-9A-HJ-NP-Za-km-z]{29}|S[1-9A-HJ-NP-Za-km-z]{25}|S[1-9A-HJ-NP-Za-km-z]{21})(?![A-Za-z0-9])/;

/** BIP-39: 12 to 24 words of 3 to 8 small letters. */
const SEED_PHRASE = /^(?:[a-z]{3,8}\s+){11,23}[a-z]{3,8}$/;

const INVISIBLE_OR_SPACE = /[\p{Cf}\p{Cc}\s]/gu;

/** The shortest of them is an uncompressed WIF key with its 51 characters. */
const BASE58_KEY_LENGTH_MIN = 51;

/** Whether a text of any column holds what can only be a key (WIF, BIP-32, BIP-38). */
export function holdsPrivateKey(text: string): boolean {
  return text.length >= BASE58_KEY_LENGTH_MIN && (BASE58_KEY.test(text) || BASE58_KEY.test(compact(text)));
}

/** Whether a text that is no address is a key in any usual form: 64 hexadecimal digits may be one too. */
export function looksLikePrivateKey(text: string): boolean {
  if (holdsPrivateKey(text)) return true;
  return RAW_KEY.test(text) || RAW_KEY.test(compact(text)) || SEED_PHRASE.test(text.trim());
}

function compact(text: string): string {
  return text.replace(INVISIBLE_OR_SPACE, "");
}
