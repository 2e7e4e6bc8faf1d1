/**
 * The networks that an address can belong to, as data: base58check version prefixes and Bech32 human-readable parts.
 * Sources: Bitcoin Core and Litecoin Core chainparams, BIP-173. Networks without a currency are listed only to be named
 * in refusals.
 */

/** Whether payouts go to the main networks or to the public test networks. */
export type NetworkKind = "main" | "test";

export interface AddressNetwork {
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

export interface MalformedAddress {
  readonly text: string;
  /** Why it is not an address of any kind, in words. */
  readonly malformed: string;
}

/** Without Litecoin's old P2SH version 0x05, which is also Bitcoin's; its own version is 0x32. */
export const addressNetworks: readonly AddressNetwork[] = [
  {
    name: "Bitcoin",
    currency: "BTC",
    kind: "main",
    p2pkhVersion: 0x00,
    p2shVersion: 0x05,
    bech32Prefix: "bc",
  },
  {
    // Testnet 3, testnet 4 and signet share all their prefixes.
    name: "Bitcoin testnet or signet",
    currency: "BTC",
    kind: "test",
    p2pkhVersion: 0x6f,
    p2shVersion: 0xc4,
    bech32Prefix: "tb",
  },
  { name: "Bitcoin regtest", bech32Prefix: "bcrt" },
  {
    name: "Litecoin",
    currency: "LTC",
    kind: "main",
    p2pkhVersion: 0x30,
    p2shVersion: 0x32,
    bech32Prefix: "ltc",
  },
  {
    name: "Litecoin testnet",
    currency: "LTC",
    kind: "test",
    p2pkhVersion: 0x6f,
    p2shVersion: 0x3a,
    bech32Prefix: "tltc",
  },
  { name: "Tron", p2pkhVersion: 0x41 },
  { name: "Dash", p2pkhVersion: 0x4c, p2shVersion: 0x10 },
  { name: "Dogecoin", p2pkhVersion: 0x1e, p2shVersion: 0x16 },
  { name: "Ethereum", currency: "ETH", kind: "main" },
  { name: "Ethereum test networks", currency: "ETH", kind: "test" },
];

export function networkOf(currency: string, kind: NetworkKind): AddressNetwork | undefined {
  return addressNetworks.find((network) => network.currency === currency && network.kind === kind);
}
