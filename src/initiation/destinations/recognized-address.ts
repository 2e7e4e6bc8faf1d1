/** The result of recognising an address. */
import type { AddressNetwork } from "./address-networks.ts";

export interface RecognizedAddress {
  /** Canonical: Bech32 in lower case (BIP-173 allows either case), others unchanged. */
  readonly text: string;
  /** "P2PKH", "P2SH", "P2WPKH", "P2WSH", "P2TR", "witness version 2", "Ethereum". */
  readonly type: string;
  /** All networks on which this text is an address. */
  readonly networks: readonly AddressNetwork[];
  readonly hasChecksum: boolean;
}

export interface MalformedAddress {
  readonly text: string;
  /** Why it is not an address of any kind, in words. */
  readonly malformed: string;
}
