/**
 * Recognises destination addresses (type, networks, checksum) by calculation alone. Whether an address may be paid from
 * a custody account is checked in destination-rules.ts.
 */
import { hash } from "node:crypto";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { type Bech32Decoded, bech32, bech32m, createBase58check } from "@scure/base";
import { escapedCharacter } from "../../model/printable-text.ts";
import {
  type AddressNetwork,
  addressNetworks,
  type MalformedAddress,
  type RecognizedAddress,
} from "./address-networks.ts";

const NOT_PRINTABLE_ASCII = /[^\x21-\x7e]/u;

/** Recognises a trimmed text. Sources: base58check, BIP-173, BIP-350, EIP-55. */
export function recognizeAddress(text: string): RecognizedAddress | MalformedAddress {
  const recognized = recognizeSegwit(text) ?? recognizeEthereum(text) ?? recognizeBase58(text);
  if (typeof recognized !== "string") return recognized;
  return { text, malformed: strangeCharacter(text) ?? recognized };
}

/** Names a strange character first, because the eye cannot find it. */
function strangeCharacter(text: string): string | undefined {
  const strange = NOT_PRINTABLE_ASCII.exec(text)?.[0];
  if (strange === " ") return "it has a space inside";
  if (strange !== undefined)
    return `it holds ${escapedCharacter(strange)}, which is not a Latin letter or digit`;
  return undefined;
}

const BECH32_LENGTH_MAX = 90;
const WITNESS_VERSION_MAX = 16;

const networksByPrefix: ReadonlyMap<string | undefined, readonly AddressNetwork[]> = Map.groupBy(
  addressNetworks.filter(({ bech32Prefix }) => bech32Prefix !== undefined),
  ({ bech32Prefix }) => bech32Prefix,
);

const KNOWN_PREFIX = new RegExp(`^(?:${[...networksByPrefix.keys()].join("|")})1`, "i");

/**
 * Segregated witness addresses (BIP-173), with the changed checksum of version 1 and later (BIP-350). Returns the address;
 * or why it is not one; or undefined if it does not begin like one of a known network.
 */
function recognizeSegwit(text: string): RecognizedAddress | string | undefined {
  if (!KNOWN_PREFIX.test(text)) return undefined;
  const oldChecksum = bech32.decodeUnsafe(text, BECH32_LENGTH_MAX);
  const decoded = oldChecksum ?? bech32m.decodeUnsafe(text, BECH32_LENGTH_MAX);
  if (decoded === undefined) return undecodable(text);
  const networks = networksByPrefix.get(decoded.prefix);
  const [version] = decoded.words;
  const programLength = programLengthOf(decoded);
  if (networks === undefined || version === undefined || programLength === undefined)
    return "its data are not a witness program";
  if (version > WITNESS_VERSION_MAX) return `there is no witness version ${version}`;
  if ((version === 0) !== (oldChecksum !== undefined))
    return `its checksum is not the one of witness version ${version}`;
  const type = programType(version, programLength);
  if (type === undefined)
    return `a witness program of ${programLength} bytes does not exist in version ${version}`;
  return { text: text.toLowerCase(), type, networks, hasChecksum: true };
}

function undecodable(text: string): string {
  if (text.length > BECH32_LENGTH_MAX)
    return `it has ${text.length} characters, more than any Bech32 address`;
  if (text !== text.toLowerCase() && text !== text.toUpperCase()) return "it mixes upper and lower case";
  return "its checksum does not match, so a character is wrong, missing or out of place";
}

/** Length in bytes; undefined if the words do not pack into whole bytes. */
function programLengthOf(decoded: Bech32Decoded): number | undefined {
  return bech32.fromWordsUnsafe(decoded.words.slice(1))?.length;
}

function programType(version: number, programLength: number): string | undefined {
  if (version === 0) return programLength === 20 ? "P2WPKH" : programLength === 32 ? "P2WSH" : undefined;
  if (programLength < 2 || programLength > 40) return undefined;
  return version === 1 && programLength === 32 ? "P2TR" : `witness version ${version}`;
}

/** Decoding takes quadratic time, and no such address is longer than 35 characters. */
const BASE58_LENGTH_MAX = 40;
const PAYLOAD_LENGTH = 21;
const VERSION_MAX = 0xff;

const base58check = createBase58check(sha256);

/** Uses Node's hash function: a third of the time of one in JavaScript, if the digest is taken as a string. */
function sha256(bytes: Uint8Array): Uint8Array {
  return Buffer.from(hash("sha256", bytes, "binary"), "binary");
}

const networksByVersion = Array.from({ length: VERSION_MAX + 1 }, (_, version) => ({
  p2pkh: addressNetworks.filter(({ p2pkhVersion }) => p2pkhVersion === version),
  p2sh: addressNetworks.filter(({ p2shVersion }) => p2shVersion === version),
}));

/**
 * Base58check: a version byte, 20 bytes of key (P2PKH) or script (P2SH) hash, 4 of checksum. The address, or why it is
 * none.
 */
function recognizeBase58(text: string): RecognizedAddress | string {
  if (text.length > BASE58_LENGTH_MAX) return "it is too long, or does not begin like an address";
  const payload = decode(text);
  if (typeof payload === "string") return payload;
  if (payload.length !== PAYLOAD_LENGTH)
    return `it holds ${payload.length} bytes instead of ${PAYLOAD_LENGTH}`;
  const { p2pkh, p2sh } = networksByVersion[payload[0] ?? 0] ?? { p2pkh: [], p2sh: [] };
  if (p2pkh.length > 0) return base58Address(text, "P2PKH", p2pkh);
  if (p2sh.length > 0) return base58Address(text, "P2SH", p2sh);
  return "it begins like an address of no known network";
}

function base58Address(text: string, type: string, networks: readonly AddressNetwork[]): RecognizedAddress {
  return { text, type, networks, hasChecksum: true };
}

function decode(text: string): Uint8Array | string {
  const foreign = /[^1-9A-HJ-NP-Za-km-z]/.exec(text)?.[0];
  if (foreign !== undefined) return `it holds "${foreign}", which no such address contains`;
  try {
    return base58check.decode(text);
  } catch {
    return "its checksum does not match, so a character is wrong, missing or out of place";
  }
}

const SHAPE = /^0x[0-9a-fA-F]{40}$/;

/** Ethereum and its test networks share their addresses. */
const networks = addressNetworks.filter(({ currency }) => currency === "ETH");

/**
 * Ethereum: 20 bytes in hexadecimal, whose upper-case letters are a checksum (EIP-55). Returns the address; or why it is not
 * one; or undefined if it does not begin with 0x.
 */
function recognizeEthereum(text: string): RecognizedAddress | string | undefined {
  if (!/^0x/i.test(text)) return undefined;
  if (!SHAPE.test(text)) return "after 0x it does not have 40 hexadecimal digits";
  const digits = text.slice(2);
  const hasChecksum = digits !== digits.toLowerCase() && digits !== digits.toUpperCase();
  if (hasChecksum && digits !== checksummed(digits))
    return "its upper and lower case do not match the checksum, so a character is wrong";
  return { text, type: "Ethereum", networks, hasChecksum };
}

function checksummed(digits: string): string {
  const small = digits.toLowerCase();
  const hash = bytesToHex(keccak_256(utf8ToBytes(small)));
  return small.replace(/[a-f]/g, (letter, at: number) =>
    hash.charAt(at) >= "8" ? letter.toUpperCase() : letter,
  );
}
