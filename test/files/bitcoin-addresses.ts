/** Bitcoin addresses for files that tests make: of hashes of a number, so nobody has their keys. */
import { ripemd160 } from "@noble/hashes/legacy.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bech32, createBase58check } from "@scure/base";

const base58check = createBase58check(sha256);

/** The address of a payee by number: P2WPKH, P2PKH, P2SH and P2WSH in turn. */
export function addressOf(number: number): string {
  const bytes = new TextEncoder().encode(`payee ${number}`);
  const hash = ripemd160(bytes);
  switch (number % 4) {
    case 0:
      return bech32.encode("bc", [0, ...bech32.toWords(sha256(bytes))]);
    case 1:
      return bech32.encode("bc", [0, ...bech32.toWords(hash)]);
    case 2:
      return base58check.encode(Uint8Array.of(0, ...hash));
    default:
      return base58check.encode(Uint8Array.of(5, ...hash));
  }
}
