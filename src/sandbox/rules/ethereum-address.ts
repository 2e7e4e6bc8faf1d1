/** Ethereum addresses: 20 bytes in hexadecimal, whose capital letters are a checksum (EIP-55). */
import { keccak_256 } from "@noble/hashes/sha3.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

/** With a right checksum, or without one: all letters small, or all capital. */
export function isEthereumAddress(address: string): boolean {
  if (!/^0x[0-9a-fA-F]{40}$/.test(address)) return false;
  const digits = address.slice(2);
  const hasChecksum = digits !== digits.toLowerCase() && digits !== digits.toUpperCase();
  return !hasChecksum || digits === checksummed(digits);
}

/** The address of these 20 bytes, with its checksum. */
export function ethereumAddressOf(bytes: Uint8Array): string {
  return `0x${checksummed(bytesToHex(bytes))}`;
}

function checksummed(digits: string): string {
  const small = digits.toLowerCase();
  const hash = bytesToHex(keccak_256(utf8ToBytes(small)));
  return small.replace(/[a-f]/g, (letter, at: number) =>
    hash.charAt(at) >= "8" ? letter.toUpperCase() : letter,
  );
}
