/**
 * Detects private keys and seed phrases pasted in the wrong place, by their form: a broken checksum does not make a
 * key harmless. Addresses never match. Hashes match only if the text or the column calls them a key.
 */
import { hash } from "node:crypto";
import { sha256 } from "@noble/hashes/sha2.js";
import { createBase58check } from "@scure/base";
import { type Cell, textOf } from "./grid.ts";
import { hasSeedShape, holdsSeedPhrase } from "./seed-phrase.ts";

/**
 * WIF (base58check of Bitcoin's versions 0x80 and 0xef, and of Litecoin's and Dogecoin's), extended private keys
 * (BIP-32, SLIP-132, Litecoin's and Dogecoin's own), BIP-38 encrypted keys. Descriptors hold keys in these forms.
 */
const BASE58_KEY = new RegExp(
  [
    "(?<![A-Za-z0-9])(?:[569KLQTc][1-9A-HJ-NP-Za-km-z]{50,51}",
    "|(?:[a-zA-Z]prv|[LMt]tpv|dgpv)[1-9A-HJ-NP-Za-km-z]{47,}",
    "|6P[1-9A-HJ-NP-Za-km-z]{56})",
    "(?![A-Za-z0-9])",
  ].join(""),
);
const BASE58_KEY_LENGTH_MIN = 51;

/** PEM and OpenPGP armour, Ethereum's key files (also quoted in CSV and XML), secrets in codex32 (BIP-93). */
const WRAPPED_KEY = new RegExp(
  [
    "-----BEGIN [A-Z ]*PRIVATE KEY",
    String.raw`|(?:"|&quot;)(?:ciphertext|kdfparams)(?:"|\\|&quot;)+\s*:`,
    "|(?<![A-Za-z0-9])ms1[023456789acdefghjklmnpqrstuvwxyz]{45,}",
  ].join(""),
  "i",
);

/** A line of an armoured key after its first: 48 to 57 bytes in base64, by RFC 7468, RFC 9580 and OpenSSH. */
const ARMOUR_LINE = /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)[A-Za-z0-9+/]{64,76}$/;

/** The mini keys of physical coins (30, 26 or 22 characters after Casascius). */
const MINI_KEY =
  /(?<![A-Za-z0-9])S(?:[1-9A-HJ-NP-Za-km-z]{4}){5}(?:[1-9A-HJ-NP-Za-km-z]{4}){0,2}[1-9A-HJ-NP-Za-km-z](?![A-Za-z0-9])/;
const MINI_KEY_LENGTH_MIN = 22;

/** 32 bytes in hexadecimal: a key of Bitcoin or Ethereum, or equally a transaction hash. */
const RAW_KEY = /(?<![A-Za-z0-9])(?:0x)?[0-9a-fA-F]{64}(?![A-Za-z0-9])/;
const CALLED_KEY = /priv(?:ate)?[\s_.-]*key|secret[\s_.-]*key|mnemonic|\bseed\b|\bwif\b/i;

const INVISIBLE_OR_SPACE = /[\p{Cf}\p{Cc}\s]/u;

const base58check = createBase58check(sha256);
const NOT_ASCII = /[^\t\r\n -~]/;

/**
 * Whether a text of any column contains a private key or an English seed phrase beyond doubt. 32 bytes in
 * hexadecimal count if the text or the column's name calls them a key; a short mini key must match its own
 * checksum.
 */
export function holdsPrivateKey(text: string, columnName = ""): boolean {
  if (text.length < MINI_KEY_LENGTH_MIN) return false;
  const plain = NOT_ASCII.test(text) ? text.normalize("NFKC") : text;
  if (WRAPPED_KEY.test(plain) || holdsMiniKey(plain)) return true;
  if (plain.length < SHORTEST_OF_THE_OTHERS) return false;
  if (holdsBase58Key(plain) || holdsSeedPhrase(plain)) return true;
  return RAW_KEY.test(plain) && (CALLED_KEY.test(plain) || CALLED_KEY.test(columnName));
}

/** As `holdsPrivateKey`, for the text that a cell or the saved result of its formula shows. */
export function cellHoldsKey(cell: Cell): boolean {
  return holdsPrivateKey(textOf(cell));
}

/**
 * Whether a text near a private key probably belongs to it: the lines of an armoured key are detected one by one.
 */
function mayBelongToKey(text: string): boolean {
  return ARMOUR_LINE.test(text.trim()) || holdsPrivateKey(text);
}

/** Whether the text is a key in any usual form; for columns that should hold neither hashes nor sentences. */
export function looksLikePrivateKey(text: string): boolean {
  if (mayBelongToKey(text)) return true;
  const plain = compact(text);
  return RAW_KEY.test(plain) || MINI_KEY.test(plain) || BASE58_KEY.test(plain) || hasSeedShape(text);
}

/** Twelve words of three letters. */
const SHORTEST_OF_THE_OTHERS = 47;

function holdsBase58Key(text: string): boolean {
  if (text.length < BASE58_KEY_LENGTH_MIN) return false;
  if (BASE58_KEY.test(text)) return true;
  // A sentence without its spaces may be as long as a key, but will hardly match the checksum.
  const joined = INVISIBLE_OR_SPACE.test(text) ? BASE58_KEY.exec(compact(text))?.[0] : undefined;
  return joined !== undefined && hasChecksum(joined);
}

function hasChecksum(key: string): boolean {
  try {
    return base58check.decode(key).length > 0;
  } catch {
    return false;
  }
}

function holdsMiniKey(text: string): boolean {
  const found = MINI_KEY.exec(text)?.[0];
  return found !== undefined && hash("sha256", `${found}?`, "buffer")[0] === 0;
}

function compact(text: string): string {
  return text.normalize("NFKC").split(INVISIBLE_OR_SPACE).join("");
}
