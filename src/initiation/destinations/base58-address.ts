/** Base58check addresses: a version byte, 20 bytes of key (P2PKH) or script (P2SH) hash, 4 of checksum. */
import { hash } from "node:crypto";
import { createBase58check } from "@scure/base";
import { type AddressNetwork, addressNetworks, type RecognizedAddress } from "./address-networks.ts";

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

/** The address, or why the text is not one, in words. */
export function recognizeBase58(text: string): RecognizedAddress | string {
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
