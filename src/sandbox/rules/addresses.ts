/**
 * Address formats that the interface lists for Bitcoin: P2PKH, P2SH, and Bech32 version 0 (P2WPKH and P2WSH).
 * Taproot and later witness versions are valid Bitcoin and still not listed, so they are not recognised here.
 */
import { Address, NETWORK, TEST_NETWORK } from "@scure/btc-signer";

export type Network = "main" | "test";
export type AddressFormat = "P2PKH" | "P2SH" | "P2WPKH" | "P2WSH";

const CODECS = { main: Address(NETWORK), test: Address(TEST_NETWORK) } as const;

const FORMATS: Readonly<Record<string, AddressFormat>> = {
  pkh: "P2PKH",
  sh: "P2SH",
  wpkh: "P2WPKH",
  wsh: "P2WSH",
};

/** The P2WPKH address whose key hash is these 20 bytes. */
export function receiverAddressOf(keyHash: Uint8Array, network: Network): string {
  return CODECS[network].encode({ type: "wpkh", hash: keyHash });
}

/** The format of a Bitcoin address whose checksum and network are right; undefined for everything else. */
export function bitcoinAddressFormat(address: string, network: Network): AddressFormat | undefined {
  try {
    return FORMATS[CODECS[network].decode(address).type];
  } catch {
    return undefined; // the codec tells a wrong address by throwing
  }
}
