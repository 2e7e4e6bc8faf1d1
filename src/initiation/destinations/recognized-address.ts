/** What an address turned out to be, whoever recognised it. */
import type { AddressNetwork } from "./address-networks.ts";

export interface RecognizedAddress {
  /** Canonical: Bech32 in small letters (BIP-173 reads both cases as the same), others as given. */
  readonly text: string;
  /** "P2PKH", "P2SH", "P2WPKH", "P2WSH", "P2TR", "witness version 2", "Ethereum". */
  readonly type: string;
  /** The same text can be an address of several networks. */
  readonly networks: readonly AddressNetwork[];
  readonly hasChecksum: boolean;
}

export interface MalformedAddress {
  readonly text: string;
  /** Why it is no address of any kind, in words. */
  readonly malformed: string;
}
