/**
 * Recognises destination addresses (type, networks, checksum) by calculation alone. row-rules.ts checks whether an
 * address may be paid from a custody account. Sources: base58check, BIP-173, BIP-350, EIP-55, and for prefixes
 * Bitcoin Core's and Litecoin Core's chainparams.
 */
import { hash } from "node:crypto";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { bech32, bech32m, createBase58check } from "@scure/base";
import { type Cell, textOf } from "../model/grid.ts";
import { escapedCharacter } from "../model/printable-text.ts";

/** Whether payouts go to the main networks or to the public test networks. */
export type NetworkKind = "main" | "test";

interface AddressNetwork {
  readonly name: string;
  readonly currency?: string;
  readonly kind?: NetworkKind;
  readonly p2pkhVersion?: number;
  readonly p2shVersion?: number;
  readonly bech32Prefix?: string;
}

/** The result of recognising an address. */
export interface RecognizedAddress {
  /** Canonical: Bech32 in lower case (BIP-173 allows either case), others unchanged. */
  readonly text: string;
  /** "P2PKH", "P2SH", "P2WPKH", "P2WSH", "P2TR", "witness version 2", "Ethereum". */
  readonly type: string;
  /** All networks on which this text is an address. */
  readonly networks: readonly AddressNetwork[];
  readonly hasChecksum: boolean;
}

/** `malformed`: why it is not an address of any kind, in words. */
type MalformedAddress = { readonly text: string; readonly malformed: string };

/**
 * Networks without a currency are here only to be named in refusals. Litecoin's old P2SH version 0x05 is left out,
 * because Bitcoin has it too. Testnet 3, testnet 4 and signet share all their prefixes.
 */
const addressNetworks: readonly AddressNetwork[] = [
  { name: "Bitcoin", currency: "BTC", kind: "main", ...prefixes("bc", 0x00, 0x05) },
  { name: "Bitcoin testnet or signet", currency: "BTC", kind: "test", ...prefixes("tb", 0x6f, 0xc4) },
  { name: "Bitcoin regtest", bech32Prefix: "bcrt" },
  { name: "Litecoin", currency: "LTC", kind: "main", ...prefixes("ltc", 0x30, 0x32) },
  { name: "Litecoin testnet", currency: "LTC", kind: "test", ...prefixes("tltc", 0x6f, 0x3a) },
  { name: "Tron", p2pkhVersion: 0x41 },
  { name: "Dash", p2pkhVersion: 0x4c, p2shVersion: 0x10 },
  { name: "Dogecoin", p2pkhVersion: 0x1e, p2shVersion: 0x16 },
  { name: "Ethereum", currency: "ETH", kind: "main" },
  { name: "Ethereum test networks", currency: "ETH", kind: "test" },
];

function prefixes(bech32Prefix: string, p2pkhVersion: number, p2shVersion: number) {
  return { bech32Prefix, p2pkhVersion, p2shVersion };
}

export function networkOf(currency: string, kind: NetworkKind): AddressNetwork | undefined {
  return addressNetworks.find((network) => network.currency === currency && network.kind === kind);
}

/** Recognises a trimmed text. */
export function recognizeAddress(text: string): RecognizedAddress | MalformedAddress {
  const recognized = recognizeSegwit(text) ?? recognizeEthereum(text) ?? recognizeBase58(text);
  if (typeof recognized !== "string") return recognized;
  return { text, malformed: surplusIn(text) ?? recognized };
}

/**
 * Names characters that people overlook, and text beside an address. Paydrop never extracts an address from a
 * longer text.
 */
function surplusIn(text: string): string | undefined {
  const strange = /[^ -~]/u.exec(text)?.[0];
  if (strange !== undefined)
    return `it holds ${escapedCharacter(strange)}, which is not a Latin letter or digit`;
  const parts = text.length > TEXT_LENGTH_MAX ? [] : text.split(/[^0-9A-Za-z]+/);
  const isMore = parts.length > 1 && parts.some((part) => !("malformed" in recognizeAddress(part)));
  if (isMore) return "it is more than an address: a link, or other characters beside one";
  return text.includes(" ") ? "it has a space inside" : undefined;
}

/** Longer than any payment link. */
const TEXT_LENGTH_MAX = 2000;

const BECH32_LENGTH_MAX = 90;

const KNOWN_PREFIX = new RegExp(
  `^(?:${addressNetworks.flatMap(({ bech32Prefix }) => bech32Prefix ?? []).join("|")})1`,
  "i",
);

/**
 * Segregated witness addresses (BIP-173), with the changed checksum of version 1 and later (BIP-350). Returns the
 * address; or why it is not one; or undefined if it does not begin like one of a known network.
 */
function recognizeSegwit(text: string): RecognizedAddress | string | undefined {
  if (!KNOWN_PREFIX.test(text)) return undefined;
  const oldChecksum = bech32.decodeUnsafe(text, BECH32_LENGTH_MAX);
  const decoded = oldChecksum ?? bech32m.decodeUnsafe(text, BECH32_LENGTH_MAX);
  const isMixed = text !== text.toLowerCase() && text !== text.toUpperCase();
  if (decoded === undefined) return isMixed ? "it mixes upper and lower case" : CHECKSUM_FAILS;
  const networks = addressNetworks.filter(({ bech32Prefix }) => bech32Prefix === decoded.prefix);
  const [version = -1] = decoded.words;
  const type = programType(version, bech32.fromWordsUnsafe(decoded.words.slice(1))?.length ?? 0);
  if (networks.length === 0 || type === undefined) return "its data are no witness program of any version";
  if ((version === 0) !== (oldChecksum !== undefined))
    return `its checksum is not the one of witness version ${version}`;
  return { text: text.toLowerCase(), type, networks, hasChecksum: true };
}

const CHECKSUM_FAILS = "its checksum does not match, so a character is wrong, missing or out of place";

function programType(version: number, programLength: number): string | undefined {
  if (version === 0) return programLength === 20 ? "P2WPKH" : programLength === 32 ? "P2WSH" : undefined;
  if (programLength < 2 || programLength > 40 || version < 0 || version > 16) return undefined;
  return version === 1 && programLength === 32 ? "P2TR" : `witness version ${version}`;
}

/** Decoding takes quadratic time, and no such address is longer than 35 characters. */
const BASE58_LENGTH_MAX = 40;
const PAYLOAD_LENGTH = 21;

const base58check = createBase58check(sha256);

/** Uses Node's hash function: a third of the time of one in JavaScript, if the digest is taken as a string. */
function sha256(bytes: Uint8Array): Uint8Array {
  return Buffer.from(hash("sha256", bytes, "binary"), "binary");
}

/**
 * Base58check: a version byte, 20 bytes of key (P2PKH) or script (P2SH) hash, 4 of checksum. Otherwise says why
 * not.
 */
function recognizeBase58(text: string): RecognizedAddress | string {
  if (text.length > BASE58_LENGTH_MAX) return "it is too long, or does not begin like an address";
  const foreign = /[^1-9A-HJ-NP-Za-km-z]/.exec(text)?.[0];
  if (foreign !== undefined) return `it holds "${foreign}", which no such address contains`;
  let payload: Uint8Array;
  try {
    payload = base58check.decode(text);
  } catch {
    return CHECKSUM_FAILS;
  }
  if (payload.length !== PAYLOAD_LENGTH)
    return `it holds ${payload.length} bytes instead of ${PAYLOAD_LENGTH}`;
  const p2pkh = addressNetworks.filter(({ p2pkhVersion }) => p2pkhVersion === payload[0]);
  const p2sh = addressNetworks.filter(({ p2shVersion }) => p2shVersion === payload[0]);
  const [type, networks] = p2pkh.length > 0 ? ["P2PKH", p2pkh] : ["P2SH", p2sh];
  if (networks.length === 0) return "it begins like an address of no known network";
  return { text, type, networks, hasChecksum: true };
}

/** 20 bytes in hexadecimal, whose upper-case letters are a checksum (EIP-55); undefined without 0x. */
function recognizeEthereum(text: string): RecognizedAddress | string | undefined {
  if (!/^0x/i.test(text)) return undefined;
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return "after 0x it does not have 40 hexadecimal digits";
  const digits = text.slice(2);
  const [small, capital] = [digits.toLowerCase(), digits.toUpperCase()];
  const bits = bytesToHex(keccak_256(utf8ToBytes(small)));
  const inCase = (letter: string, at: number) => (bits.charAt(at) >= "8" ? letter.toUpperCase() : letter);
  const hasChecksum = digits !== small && digits !== capital;
  if (hasChecksum && digits !== small.replace(/[a-f]/g, inCase))
    return "its upper and lower case do not match the checksum, so a character is wrong";
  const networks = addressNetworks.filter(({ currency }) => currency === "ETH");
  return { text, type: "Ethereum", networks, hasChecksum };
}

/** Whether a text is an address, or nearly one. */
export function looksLikeAddress(text: string): boolean {
  return text.length >= 26 && text.length <= 100 && (PREFIXED.test(text) || BASE58.test(text));
}

const PREFIXED = /^\s*(?:(?:bc|tb|bcrt|ltc|tltc)1[0-9a-z]{20,}|0x[0-9a-f]{20,44})\s*$/i;
/** Hexadecimal ids have letters of one case. */
const BASE58 = /^\s*(?=.*[a-z])(?=.*[A-Z])[123mnLM][0-9A-Za-z]{24,34}\s*$/;

/** Whether a cell is an address of any network. */
export function isAddressCell(cell: Cell): boolean {
  const text = textOf(cell);
  return looksLikeAddress(text) && !("malformed" in recognizeAddress(text.trim()));
}
